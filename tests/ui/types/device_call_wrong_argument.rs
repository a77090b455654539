// The function takes a `u32`.

use meerkat::prelude::*;

#[device]
fn damp(value: f32, base: f32) -> f32 {
    base + 0.85 * value
}

#[vertex_operator]
fn step(v: Vertex, degree: &[u32], rank: &mut [f32]) {
    rank[v] = damp(degree[v], 0.15);
}

fn main() {}
