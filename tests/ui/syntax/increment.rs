// An assignment as a value.

use meerkat::prelude::*;

#[vertex_operator]
fn fill(v: Vertex, offsets: &[u32], out: &[Atomic<u32>]) {
    let mut at = offsets[v];
    while at < offsets[v + 1] {
        out[at].store((at += 1));
    }
}

fn main() {}
