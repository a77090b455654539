// The place of an item, where there are no items.

use meerkat::prelude::*;

#[kernel]
fn double(at: Place, out: &mut [u32]) {
    out[at] = at * 2;
}

#[vertex_operator]
fn label(v: Vertex, at: Place, out: &mut [u32]) {
    out[at] = v;
}

fn main() {}
