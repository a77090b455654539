// One slot of the array differs, so any slot may.

use meerkat::prelude::*;

#[kernel]
fn tally(out: &[Atomic<u32>]) {
    let mut seen = [0u32; 4];
    let slot = lane_id() % 4;
    seen[slot] = 1;
    if seen[0] > 0 {
        out[0].fetch_add(warp_ballot(true));
    }
}

fn main() {}
