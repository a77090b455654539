// Slices have no iterators.

use meerkat::prelude::*;

#[kernel]
fn total(values: &[u32], out: &[Atomic<u32>]) {
    let mut sum = 0u32;
    for value in values.iter() {
        sum += value;
    }
    out[0].store(sum);
}

fn main() {}
