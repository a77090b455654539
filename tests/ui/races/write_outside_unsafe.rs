// `write` is the escape, and says so.

use meerkat::prelude::*;

#[kernel]
fn scatter(order: &[u32], values: &[u32], out: &mut [u32]) {
    let i = thread_id();
    out.write(order[i], values[i]);
}

fn main() {}
