// Two results at once.

use meerkat::prelude::*;

#[edge_operator]
fn order(edge: Edge<()>, low: &[Atomic<u32>]) {
    let (a, b) = (edge.src.min(edge.dst), edge.src.max(edge.dst));
    low[b].fetch_min(a);
}

fn main() {}
