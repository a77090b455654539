// A ballot is a mask, not a `bool`.

use meerkat::prelude::*;

#[kernel]
fn any_left(values: &[u32], out: &[Atomic<u32>]) {
    if warp_ballot(values[thread_id()] > 0) {
        out[0].store(1);
    }
}

fn main() {}
