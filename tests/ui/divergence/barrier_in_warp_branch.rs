// A barrier for the first warp alone.

use meerkat::prelude::*;

#[kernel]
fn first_warp(total: &[Atomic<u32>]) {
    let warp = block_warp_id();
    if warp == 0 {
        block_barrier();
        total[0].fetch_add(1);
    }
}

fn main() {}
