// The name that `std` gives to a compare-and-swap.

use meerkat::prelude::*;

#[edge_operator]
fn adopt(edge: Edge<()>, parent: &[Atomic<u32>]) {
    parent[edge.dst].compare_exchange(u32::MAX, edge.src);
}

fn main() {}
