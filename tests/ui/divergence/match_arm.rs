// An arm is a branch.

use meerkat::prelude::*;

#[kernel]
fn tally(kind: &[u32], out: &[Atomic<u32>]) {
    let k = kind[thread_id()];
    match k {
        0 => {
            let sum = warp_reduce_sum(1u32);
            out[0].fetch_add(sum);
        }
        _ => {}
    }
}

fn main() {}
