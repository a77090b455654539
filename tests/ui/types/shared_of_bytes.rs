// Flags in memory of the block.

use meerkat::prelude::*;

#[kernel]
fn flags(out: &mut [u32]) {
    let seen = block_shared::<bool, 256>();
    let i = thread_id();
    out[i] = seen.len();
}

fn main() {}
