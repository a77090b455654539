// The bounds test of every CUDA kernel, with a reduction inside.

use meerkat::prelude::*;

#[kernel]
fn sum(values: &[f32], total: &[Atomic<f32>]) {
    let i = thread_id();
    if i < values.len() {
        let all = warp_reduce_sum(values[i]);
        if lane_id() == 0 {
            total[0].fetch_add(all);
        }
    }
}

fn main() {}
