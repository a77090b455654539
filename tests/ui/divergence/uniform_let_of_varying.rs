// A `let` that promises more than its value keeps.

use meerkat::prelude::*;

#[kernel]
fn pick(values: &[u32], out: &[Atomic<u32>]) {
    let first: Uniform<u32> = values[thread_id()];
    if first > 0 {
        out[0].fetch_add(warp_reduce_sum(first));
    }
}

fn main() {}
