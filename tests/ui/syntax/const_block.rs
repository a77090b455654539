// Constants inside.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    const LIMIT: u32 = 3;
    let twice = const { 2 * 3 };
    out[i] = x[LIMIT] + twice;
}

fn main() {}
