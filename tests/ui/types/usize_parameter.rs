// `usize` is 64 bits here and 32 elsewhere.

use meerkat::prelude::*;

#[vertex_operator]
fn limit(v: Vertex, most: usize, degree: &mut [u32]) {
    degree[v] = degree[v].min(most as u32);
}

fn main() {}
