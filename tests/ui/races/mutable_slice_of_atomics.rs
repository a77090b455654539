// Atomics are shared already.

use meerkat::prelude::*;

#[vertex_operator]
fn mark(v: Vertex, seen: &mut [Atomic<u32>]) {
    seen[v].store(1);
}

fn main() {}
