// A vertex that is drawn where the walk names it.

use meerkat::prelude::*;

#[kernel]
fn draw(graph: &Graph, next: &[Atomic<u32>], seen: &[Atomic<u32>]) {
    let i = thread_id();
    for_each_neighbor(graph, next[0].fetch_add(1), i < 10, |dst| {
        seen[dst].fetch_add(1);
    });
}

fn main() {}
