// Neighbours are visited by the warp, not by an iterator.

use meerkat::prelude::*;

#[vertex_operator]
fn pull(v: Vertex, graph: &Graph, share: &[f32], rank: &mut [f32]) {
    let mut sum = 0.0f32;
    for src in graph.neighbors(v) {
        sum += share[src];
    }
    rank[v] = sum;
}

fn main() {}
