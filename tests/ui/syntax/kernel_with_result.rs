// A kernel has nobody to return to.

use meerkat::prelude::*;

#[kernel]
fn count(values: &[u32]) -> u32 {
    let i = thread_id();
    values[i]
}

fn main() {}
