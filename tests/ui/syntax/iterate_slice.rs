// A loop over a slice.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let mut sum = 0u32;
    for y in x {
        sum += y;
    }
    for y in x.iter().enumerate() {
        sum += y;
    }
    out[i] = sum;
}

fn main() {}
