// `-1` as a sentinel, from C.

use meerkat::prelude::*;

#[vertex_operator]
fn reset(v: Vertex, parent: &mut [u32]) {
    parent[v] = -1;
}

fn main() {}
