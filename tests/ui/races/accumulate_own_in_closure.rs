// The own item, but 32 lanes of the closure add to it at once.

use meerkat::prelude::*;

#[vertex_operator]
fn pull(v: Vertex, graph: &Graph, share: &[f32], rank: &mut [f32]) {
    for_each_neighbor(graph, v, true, |src| {
        rank[v] += share[src];
    });
}

fn main() {}
