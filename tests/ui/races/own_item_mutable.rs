// An index that moves is nobody's own.

use meerkat::prelude::*;

#[kernel]
fn clear(values: &mut [u32], stride: u32) {
    let mut i = thread_id();
    while i < values.len() {
        values[i] = 0;
        i += stride;
    }
}

fn main() {}
