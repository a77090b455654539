// The block size is not the kernel's to choose.

use meerkat::prelude::*;

#[kernel(block = 256)]
fn clear(values: &mut [u32]) {
    let i = thread_id();
    values[i] = 0;
}

fn main() {}
