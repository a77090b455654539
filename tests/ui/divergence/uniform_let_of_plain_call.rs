// The function promises nothing, the `let` does.

use meerkat::prelude::*;

#[device]
fn bucket_of(key: u32) -> u32 {
    key % 16
}

#[kernel]
fn visit(key: u32, out: &[Atomic<u32>]) {
    let bucket: Uniform<u32> = bucket_of(key);
    if bucket == 3 {
        out[0].fetch_or(warp_ballot(lane_id() < 8));
    }
}

fn main() {}
