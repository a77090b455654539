// The item comes first.

use meerkat::prelude::*;

#[vertex_operator]
fn visit(graph: &Graph, v: Vertex, levels: &mut [u32]) {
    levels[v] = 0;
}

fn main() {}
