// `continue` skips the collective for some lanes.

use meerkat::prelude::*;

#[kernel]
fn total_weight(edges: &[u32], rounds: u32, total: &[Atomic<u32>]) {
    for round in 0..rounds {
        let weight = edges[round * 32 + lane_id()];
        if weight == 0 {
            continue;
        }
        let sum = warp_reduce_sum(weight);
        total[round].fetch_add(sum);
    }
}

fn main() {}
