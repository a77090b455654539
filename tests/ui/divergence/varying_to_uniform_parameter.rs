// The parameter wants one value for the warp.

use meerkat::prelude::*;

#[device]
fn slab_of(table: &[u32], vertex: Uniform<u32>) -> Uniform<u32> {
    table[vertex]
}

#[kernel]
fn look_up(table: &[u32], out: &mut [u32]) {
    let i = thread_id();
    out[i] = slab_of(table, i);
}

fn main() {}
