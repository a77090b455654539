// A second name for the slice does not open it to a function that reads.

use meerkat::prelude::*;

#[device]
fn right_of(values: &[u32], i: u32) -> u32 {
    values[i + 1]
}

#[kernel]
fn shift(values: &mut [u32]) {
    let i = thread_id();
    let same = values;
    values[i] = right_of(same, i);
}

fn main() {}
