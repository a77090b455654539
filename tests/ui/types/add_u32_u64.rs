// No implicit widening.

use meerkat::prelude::*;

#[vertex_operator]
fn offset(v: Vertex, base: u64, degree: &[u32], out: &mut [u64]) {
    out[v] = base + degree[v];
}

fn main() {}
