// `let mut` was forgotten.

use meerkat::prelude::*;

#[vertex_operator]
fn pull(v: Vertex, graph: &Graph, share: &[f32], rank: &mut [f32]) {
    let sum = 0.0f32;
    for_each_neighbor(graph, v, true, |src| sum += share[src]);
    rank[v] = sum;
}

fn main() {}
