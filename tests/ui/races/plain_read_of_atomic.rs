// An atomic is no number until it is loaded.

use meerkat::prelude::*;

#[vertex_operator]
fn copy(v: Vertex, levels: &[Atomic<u32>], out: &mut [u32]) {
    out[v] = levels[v];
}

fn main() {}
