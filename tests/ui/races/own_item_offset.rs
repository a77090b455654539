// An offset of the own index may be another lane's.

use meerkat::prelude::*;

#[kernel]
fn shift(from: &[u32], to: &mut [u32]) {
    let i = thread_id() + 1;
    to[i] = from[i];
}

fn main() {}
