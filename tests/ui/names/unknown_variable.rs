// A typing mistake.

use meerkat::prelude::*;

#[vertex_operator]
fn visit(v: Vertex, level: u32, levels: &mut [u32]) {
    levels[v] = levle + 1;
}

fn main() {}
