// An assertion without a condition.

use meerkat::prelude::*;

#[kernel]
fn check(out: &mut [u32]) {
    let i = thread_id();
    assert_eq!(i);
    out[i] = i;
}

fn main() {}
