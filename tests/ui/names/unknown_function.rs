// A function that nobody wrote.

use meerkat::prelude::*;

#[vertex_operator]
fn step(v: Vertex, rank: &mut [f32]) {
    rank[v] = dampen(rank[v]);
}

fn main() {}
