// A struct from another.

use meerkat::prelude::*;

#[kernel]
fn f(edges: &[Edge], out: &mut [u32]) {
    let i = thread_id();
    let mut e = edges[i];
    e = Edge { dst: 3, ..e };
    out[i] = e.dst;
}

fn main() {}
