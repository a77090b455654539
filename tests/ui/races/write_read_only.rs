// `&[T]` is read-only.

use meerkat::prelude::*;

#[vertex_operator]
fn reset(v: Vertex, levels: &[u32], value: u32) {
    levels[v] = value;
}

fn main() {}
