// The ordering that Rust's atomics take.

use meerkat::prelude::*;

use std::sync::atomic::Ordering;

#[vertex_operator]
fn f(v: Vertex, counts: &[Atomic<u32>]) {
    counts[v].fetch_add(1, Ordering::Relaxed);
}

fn main() {}
