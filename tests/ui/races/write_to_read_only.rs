// Not even `unsafe` makes `&[T]` writable.

use meerkat::prelude::*;

#[kernel]
fn scatter(order: &[u32], values: &[u32], out: &[u32]) {
    let i = thread_id();
    unsafe { out.write(order[i], values[i]) };
}

fn main() {}
