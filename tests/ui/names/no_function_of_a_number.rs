// A path to a function that the number has not.

use meerkat::prelude::*;

#[kernel]
fn mix(out: &mut [u32]) {
    let i = thread_id();
    out[i] = u32::mixed(i);
}

fn main() {}
