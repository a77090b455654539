// The same, with `+=`.

use meerkat::prelude::*;

#[vertex_operator]
fn push(v: Vertex, graph: &Graph, share: &[f32], next: &mut [f32]) {
    for_each_neighbor(graph, v, true, |dst| {
        next[dst] += share[v];
    });
}

fn main() {}
