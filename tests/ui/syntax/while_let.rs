// A loop by a pattern.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let mut y = Some(3u32);
    while let Some(z) = y {
        out[i] = z;
    }
}

fn main() {}
