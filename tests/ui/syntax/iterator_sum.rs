// A sum over an iterator.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    out[i] = x.iter().map(|y| y * 2).sum();
}

fn main() {}
