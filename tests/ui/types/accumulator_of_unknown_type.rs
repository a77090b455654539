// What is reduced needs a visible type.

use meerkat::prelude::*;

#[device]
fn start() -> f32 {
    0.0
}

#[vertex_operator]
fn pull(v: Vertex, graph: &Graph, share: &[f32], rank: &mut [f32]) {
    let mut sum = start();
    for_each_neighbor(graph, v, true, |src| sum += share[src]);
    rank[v] = sum;
}

fn main() {}
