// A tile is smaller than a warp and diverges all the same.

use meerkat::prelude::*;

#[kernel]
fn vote(values: &[u32], out: &[Atomic<u32>]) {
    let i = thread_id();
    if values[i] > 0 {
        let ballot = tile::<8>().ballot(values[i] > 7);
        out[0].fetch_or(ballot);
    }
}

fn main() {}
