// The difference of two `i32` is a `u32`, and a method has one type.

use meerkat::prelude::*;

#[kernel]
fn apart(a: &[i32], out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = a[i].abs_diff(3);
    }
}

fn main() {}
