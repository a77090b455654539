// Waiting inside a kernel.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let later = async { x[i] };
    out[i] = later.await;
}

fn main() {}
