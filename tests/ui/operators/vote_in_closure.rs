// A vote among the neighbours that the warp happens to look at.

use meerkat::prelude::*;

#[vertex_operator]
fn mark(v: Vertex, graph: &Graph, degree: &[u32], out: &[Atomic<u32>]) {
    for_each_neighbor(graph, v, true, |dst| {
        if warp_any(degree[dst] > 3) {
            out[dst].fetch_add(1);
        }
    });
}

fn main() {}
