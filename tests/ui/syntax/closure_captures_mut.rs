// A closure that changes what it captures.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let mut count = 0u32;
    let mut add = |y: u32| count += y;
    add(x[i]);
    out[i] = count;
}

fn main() {}
