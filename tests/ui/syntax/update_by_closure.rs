// A closure where Rust's atomics take one.

use meerkat::prelude::*;

#[vertex_operator]
fn f(v: Vertex, counts: &[Atomic<u32>]) {
    counts[v].fetch_update(|old| old + 1);
}

fn main() {}
