// The first attempt of docs/FIRST_OPERATOR.md.

use meerkat::prelude::*;

const UNSEEN: u32 = u32::MAX;

// ANCHOR: operator
#[vertex_operator]
fn hop(v: Vertex, graph: &Graph, hops: u32, seen: &[u32], next: &Frontier<Vertex>) {
    for_each_neighbor(graph, v, true, |dst| {
        if seen[dst] == UNSEEN {
            seen[dst] = hops;
            warp_enqueue_frontier(next, dst, true);
        }
    });
}
// ANCHOR_END: operator

fn main() {}
