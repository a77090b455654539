// An assertion traps where it fails.

use meerkat::prelude::*;

#[vertex_operator]
fn visit(v: Vertex, levels: &mut [u32]) {
    assert!(v < levels.len());
    levels[v] = 1;
}

fn main() {}
