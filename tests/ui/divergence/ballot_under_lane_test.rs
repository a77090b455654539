// A vote where only one lane arrives.

use meerkat::prelude::*;

#[kernel]
fn count_positive(values: &[u32], total: &[Atomic<u32>]) {
    let i = thread_id();
    if lane_id() == 0 {
        let ballot = warp_ballot(values[i] > 0);
        total[0].fetch_add(ballot.count_ones());
    }
}

fn main() {}
