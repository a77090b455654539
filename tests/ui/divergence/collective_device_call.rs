// The collective hides in a function.

use meerkat::prelude::*;

#[device]
fn warp_total(value: u32) -> Uniform<u32> {
    warp_reduce_sum(value)
}

#[kernel]
fn totals(values: &[u32], out: &[Atomic<u32>]) {
    let i = thread_id();
    if values[i] > 0 {
        let total = warp_total(values[i]);
        out[0].fetch_add(total);
    }
}

fn main() {}
