// A tile of 12 lanes does not divide a warp.

use meerkat::prelude::*;

#[kernel]
fn vote(values: &[u32], out: &[Atomic<u32>]) {
    let ballot = tile::<12>().ballot(values[thread_id()] > 7);
    out[0].fetch_or(ballot);
}

fn main() {}
