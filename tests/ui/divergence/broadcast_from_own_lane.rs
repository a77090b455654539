// All lanes must name the same lane to read.

use meerkat::prelude::*;

#[kernel]
fn spread(values: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let from = values[i] % 32;
    out[i] = warp_broadcast(values[i], from);
}

fn main() {}
