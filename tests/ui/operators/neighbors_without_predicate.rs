// The predicate is not optional.

use meerkat::prelude::*;

#[vertex_operator]
fn pull(v: Vertex, graph: &Graph, share: &[f32], rank: &mut [f32]) {
    let mut sum = 0.0f32;
    for_each_neighbor(graph, v, |src| sum += share[src]);
    rank[v] = sum;
}

fn main() {}
