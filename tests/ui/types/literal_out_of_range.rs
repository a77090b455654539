// 300 is no `u8`.

use meerkat::prelude::*;

#[vertex_operator]
fn saturate(v: Vertex, colour: &mut [u8]) {
    colour[v] = colour[v].min(300u8);
}

fn main() {}
