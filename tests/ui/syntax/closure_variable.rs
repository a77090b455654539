// A helper as a closure.

use meerkat::prelude::*;

#[vertex_operator]
fn pull(v: Vertex, rank: &mut [f32]) {
    let damp = |x: f32| 0.15 + 0.85 * x;
    rank[v] = damp(rank[v]);
}

fn main() {}
