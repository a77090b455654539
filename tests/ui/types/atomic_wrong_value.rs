// The value of an atomic has the atomic's type.

use meerkat::prelude::*;

#[edge_operator]
fn relax(edge: Edge<f32>, distance: &[Atomic<u32>]) {
    distance[edge.dst].fetch_min(edge.weight);
}

fn main() {}
