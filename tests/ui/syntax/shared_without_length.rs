// Memory of the block without its type and length.

use meerkat::prelude::*;

#[kernel]
fn tally(out: &mut [u32]) {
    let bins = block_shared();
    let i = thread_id();
    out[i] = bins.len();
}

fn main() {}
