// The lanes of a group are apart where a common neighbour is found.

use meerkat::prelude::*;

#[vertex_operator]
fn list(v: Vertex, graph: &Graph, hub: u32, next: &Frontier<Vertex>) {
    for_each_common_neighbor(graph, v, hub, true, |w| {
        warp_enqueue_frontier(next, w, true);
    });
}

fn main() {}
