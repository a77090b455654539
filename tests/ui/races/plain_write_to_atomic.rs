// A plain store among atomics.

use meerkat::prelude::*;

#[vertex_operator]
fn reset(v: Vertex, levels: &[Atomic<u32>], value: u32) {
    levels[v] = value;
}

fn main() {}
