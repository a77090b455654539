// A device function's result differs unless it says `Uniform`.

use meerkat::prelude::*;

#[device]
fn is_hub(degree: u32) -> bool {
    degree > 1024
}

#[kernel]
fn hubs(limit: u32, out: &[Atomic<u32>]) {
    if is_hub(limit) {
        out[0].fetch_or(warp_ballot(lane_id() > 3));
    }
}

fn main() {}
