// Atomics need `Atomic` in the type.

use meerkat::prelude::*;

#[edge_operator]
fn relax(edge: Edge<u32>, distance: &[u32]) {
    let through = distance[edge.src] + edge.weight;
    distance[edge.dst].fetch_min(through);
}

fn main() {}
