// An array taken apart.

use meerkat::prelude::*;

#[kernel]
fn halves(out: &mut [u32]) {
    let i = thread_id();
    let [low, high] = [i & 0xffff, i >> 16];
    out[i] = low + high;
}

fn main() {}
