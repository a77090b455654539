// A reference to an element.

use meerkat::prelude::*;

#[vertex_operator]
fn bump(v: Vertex, levels: &mut [u32]) {
    let level = &mut levels[v];
    *level += 1;
}

fn main() {}
