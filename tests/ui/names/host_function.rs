// A function without `#[device]`.

use meerkat::prelude::*;

fn damp(value: f32) -> f32 {
    0.15 + 0.85 * value
}

#[vertex_operator]
fn step(v: Vertex, rank: &mut [f32]) {
    rank[v] = damp(rank[v]);
}

fn main() {}
