// A reference to a variable.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let mut sum = x[i];
    let place = &mut sum;
    *place += 1;
    out[i] = *place;
}

fn main() {}
