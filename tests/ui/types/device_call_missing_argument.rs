// One argument short.

use meerkat::prelude::*;

#[device]
fn damp(value: f32, base: f32) -> f32 {
    base + 0.85 * value
}

#[vertex_operator]
fn step(v: Vertex, rank: &mut [f32]) {
    rank[v] = damp(rank[v]);
}

fn main() {}
