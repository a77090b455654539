// One slice, once to read and once to write.

use meerkat::prelude::*;

#[device]
fn copy_left(from: &[u32], to: &mut [u32]) {
    let i = thread_id();
    if i > 0 {
        to[i] = from[i - 1];
    }
}

#[kernel]
fn shift(values: &mut [u32]) {
    copy_left(values, values);
}

fn main() {}
