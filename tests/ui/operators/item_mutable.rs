// The item, moved on.

use meerkat::prelude::*;

#[vertex_operator]
fn next(mut v: Vertex, out: &mut [u32]) {
    v += 1;
    out[v] = 1;
}

fn main() {}
