// The frontier is one of edges.

use meerkat::prelude::*;

#[vertex_operator]
fn expand(v: Vertex, graph: &Graph<u32>, next: &Frontier<Edge<u32>>) {
    for_each_neighbor(graph, v, true, |dst, weight| {
        warp_enqueue_frontier(next, dst, weight > 0);
    });
}

fn main() {}
