// `Edge` has `src`, `dst` and `weight`.

use meerkat::prelude::*;

#[edge_operator]
fn copy(edge: Edge<u32>, labels: &[Atomic<u32>]) {
    labels[edge.dst].fetch_min(edge.source);
}

fn main() {}
