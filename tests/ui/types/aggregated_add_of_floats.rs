// A sum of floats depends on the order, which lanes that add up among themselves would choose.

use meerkat::prelude::*;

#[vertex_operator]
fn gather(v: Vertex, shares: &[f32], total: &[Atomic<f32>]) {
    total[0].fetch_add_aggregated(shares[v]);
}

fn main() {}
