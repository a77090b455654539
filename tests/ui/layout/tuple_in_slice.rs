// Pairs in memory.

use meerkat::prelude::*;

#[kernel]
fn pairs(pairs: &[(u32, f32)], out: &mut [u32]) {
    let i = thread_id();
    let (key, _) = pairs[i];
    out[i] = key;
}

fn main() {}
