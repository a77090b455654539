// The second attempt of docs/FIRST_OPERATOR.md.

use meerkat::prelude::*;

const UNSEEN: u32 = u32::MAX;

// ANCHOR: operator
#[vertex_operator]
fn hop(v: Vertex, graph: &Graph, hops: u32, seen: &[Atomic<u32>], next: &Frontier<Vertex>) {
    for_each_neighbor(graph, v, true, |dst| {
        let mut found = 0;
        if seen[dst].load() == UNSEEN {
            seen[dst] = hops;
            found = 1;
        }
        warp_enqueue_frontier(next, dst, found == 1);
    });
}
// ANCHOR_END: operator

fn main() {}
