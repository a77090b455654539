// A constant that is not of a number type.

use meerkat::prelude::*;

const NAMES: [u32; 3] = [1, 2, 3];

#[vertex_operator]
fn pick(v: Vertex, out: &mut [u32]) {
    out[v] = NAMES[v % 3];
}

fn main() {}
