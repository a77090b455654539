// A function that waits for the block, called by half of its warps.

use meerkat::prelude::*;

#[device]
fn meet(shared: &[Atomic<u32>]) {
    shared[0].fetch_add(1);
    block_barrier();
}

#[kernel]
fn half(out: &mut [u32]) {
    let shared = block_shared::<u32, 1>();
    if global_warp_id() % 2 == 0 {
        meet(&shared);
    }
    let i = thread_id();
    out[i] = 0;
}

fn main() {}
