// `&mut [T]` is written at the own item.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

#[vertex_operator]
fn scatter(v: Vertex, to: &[u32], out: &mut [u32]) {
    out[to[v]] = v;
}

fn main() {}
