// An index as Rust wants it.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let j = i as usize;
    out[i] = x[j] + x[x.len() - 1usize];
}

fn main() {}
