// Lanes of different warps have the same number.

use meerkat::prelude::*;

#[kernel]
fn init(values: &mut [u32]) {
    let lane = lane_id();
    values[lane] = lane;
}

fn main() {}
