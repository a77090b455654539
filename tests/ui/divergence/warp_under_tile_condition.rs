// One tile of the warp agrees, the others may not.

use meerkat::prelude::*;

#[kernel]
fn vote(values: &[u32], out: &[Atomic<u32>]) {
    let some = tile::<8>().any(values[thread_id()] > 7);
    if some {
        out[0].fetch_or(warp_ballot(some));
    }
}

fn main() {}
