// A part of a slice.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let part = &x[1..4];
    out[i] = part[0] + x[..i].len();
}

fn main() {}
