// The bounds test of every CUDA tutorial.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    if i >= x.len() {
        return;
    }
    out[i] = x[i];
}

fn main() {}
