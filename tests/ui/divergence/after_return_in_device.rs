// Some lanes have returned before the collective.

use meerkat::prelude::*;

#[device]
fn rank_among(value: u32, limit: u32) -> u32 {
    if value >= limit {
        return 0;
    }
    let ballot = warp_ballot(value > 0);
    (ballot & lanes_below()).count_ones()
}

fn main() {}
