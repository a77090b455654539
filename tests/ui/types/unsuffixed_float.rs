// `f32` or `f64`?

use meerkat::prelude::*;

#[vertex_operator]
fn pull(v: Vertex, graph: &Graph, share: &[f32], rank: &mut [f32]) {
    let mut sum = 0.0;
    for_each_neighbor(graph, v, true, |src| sum += share[src]);
    rank[v] = sum;
}

fn main() {}
