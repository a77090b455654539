// Warps take different numbers of turns.

use meerkat::prelude::*;

#[kernel]
fn sums(values: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let mut work = warp_ballot(values[i] > 0);
    while work != 0 {
        let lane = warp_dequeue(&mut work);
        out[i] = block_reduce_sum(values[i] + lane);
    }
}

fn main() {}
