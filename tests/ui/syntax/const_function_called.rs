// A `const fn`, and its caller, which gets no error.

use meerkat::prelude::*;

#[device]
const fn twice(x: u32) -> u32 {
    x * 2
}

#[vertex_operator]
fn f(v: Vertex, out: &mut [u32]) {
    out[v] = twice(v);
}

fn main() {}
