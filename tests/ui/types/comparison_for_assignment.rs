// A comparison where an assignment was meant.

use meerkat::prelude::*;

#[vertex_operator]
fn f(v: Vertex, out: &mut [u32]) {
    out[v] == 3;
}

fn main() {}
