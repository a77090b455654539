// Lane 0 may have no item to broadcast.

use meerkat::prelude::*;

#[edge_operator]
fn mark(edge: Edge<u32>, marks: &[Atomic<u32>]) {
    let first = warp_broadcast(edge.src, 0);
    marks[edge.dst].fetch_max(first);
}

fn main() {}
