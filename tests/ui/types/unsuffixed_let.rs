// CUDA would guess `int`.

use meerkat::prelude::*;

#[vertex_operator]
fn init(v: Vertex, levels: &mut [u32]) {
    let start = 0;
    levels[v] = start;
}

fn main() {}
