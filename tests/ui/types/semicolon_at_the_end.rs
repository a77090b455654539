// A result with a semicolon after it.

use meerkat::prelude::*;

#[device]
fn next(x: u32) -> u32 {
    x + 1;
}

#[vertex_operator]
fn f(v: Vertex, out: &mut [u32]) {
    out[v] = next(v);
}

fn main() {}
