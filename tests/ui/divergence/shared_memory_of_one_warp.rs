// Memory of the block that only its first warp would clear.

use meerkat::prelude::*;

#[kernel]
fn first_warp(out: &mut [u32]) {
    let i = thread_id();
    if block_warp_id() == 0 {
        let own = block_shared::<u32, 32>();
        own[lane_id()].store(i);
    }
    out[i] = i;
}

fn main() {}
