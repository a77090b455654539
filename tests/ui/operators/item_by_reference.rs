// The item is a value.

use meerkat::prelude::*;

#[edge_operator]
fn relax(edge: &Edge<u32>, distance: &[Atomic<u32>]) {
    distance[edge.dst].fetch_min(edge.weight);
}

fn main() {}
