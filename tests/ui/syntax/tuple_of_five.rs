// A tuple of too many parts.

use meerkat::prelude::*;

#[kernel]
fn five(out: &mut [u32]) {
    let i = thread_id();
    let all = (i, i, i, i, i);
    out[i] = all.0;
}

fn main() {}
