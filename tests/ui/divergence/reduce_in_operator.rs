// Lanes without an item would join the sum.

use meerkat::prelude::*;

#[vertex_operator]
fn total_rank(v: Vertex, rank: &[f32], total: &[Atomic<f32>]) {
    let sum = warp_reduce_sum(rank[v]);
    if lane_id() == 0 {
        total[0].fetch_add(sum);
    }
}

fn main() {}
