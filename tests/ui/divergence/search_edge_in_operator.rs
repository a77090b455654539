// `search_edge` takes the whole warp to one edge; an edge operator has 32.

use meerkat::prelude::*;

use meerkat::runtime::graph::search_edge;

#[edge_operator]
fn reciprocal(edge: Edge<()>, graph: &Graph, count: &[Atomic<u32>]) {
    if search_edge(graph, edge.dst, edge.src) {
        count[0].fetch_add(1);
    }
}

fn main() {}
