// A label for the log.

use meerkat::prelude::*;

#[vertex_operator]
fn visit(v: Vertex, levels: &mut [u32]) {
    let name = "visit";
    levels[v] = 1;
}

fn main() {}
