// Each lane loops over its own degree.

use meerkat::prelude::*;

#[kernel]
fn row_sums(offsets: &[u32], values: &[f32], sums: &[Atomic<f32>]) {
    let row = thread_id();
    for at in offsets[row]..offsets[row + 1] {
        let sum = warp_reduce_sum(values[at]);
        sums[0].fetch_add(sum);
    }
}

fn main() {}
