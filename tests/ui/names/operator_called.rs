// An operator is launched, not called.

use meerkat::prelude::*;

#[vertex_operator]
fn reset(v: Vertex, levels: &[Atomic<u32>]) {
    levels[v].store(0);
}

#[kernel]
fn reset_all(levels: &[Atomic<u32>]) {
    reset(thread_id(), levels);
}

fn main() {}
