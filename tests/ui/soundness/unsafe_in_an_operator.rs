// `unsafe` in an operator is `unsafe`.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

#[vertex_operator]
fn scatter(v: Vertex, to: &[u32], out: &mut [u32]) {
    let place = to[v];
    unsafe { out.write(place, v) }
}

fn main() {}
