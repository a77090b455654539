// A method of slices, whose name is that of an atomic operation.

use meerkat::prelude::*;

#[kernel]
fn reverse(out: &mut [u32]) {
    let i = thread_id();
    let mut pair = [out[i], i];
    pair.swap(0, 1);
    out[i] = pair[0];
}

fn main() {}
