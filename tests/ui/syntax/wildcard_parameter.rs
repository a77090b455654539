// A parameter nobody reads.

use meerkat::prelude::*;

#[vertex_operator]
fn reset(v: Vertex, _: &Graph, levels: &mut [u32]) {
    levels[v] = 0;
}

fn main() {}
