// The counter of a loop that lanes leave apart is no uniform value.

use meerkat::prelude::*;

#[kernel]
fn steps(values: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let mut n = 0u32;
    while n < values[i] {
        n += 1;
    }
    out[i] = warp_shuffle_xor(values[i], n);
}

fn main() {}
