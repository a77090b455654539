// A value from two literals has no type of its own.

use meerkat::prelude::*;

#[vertex_operator]
fn side(v: Vertex, degree: &[u32], out: &mut [u32]) {
    let class = if degree[v] > 32 { 1 } else { 0 };
    out[v] = class;
}

fn main() {}
