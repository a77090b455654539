// Indices are `u32`.

use meerkat::prelude::*;

#[kernel]
fn gather(order: &[u64], values: &[f32], out: &mut [f32]) {
    let i = thread_id();
    out[i] = values[order[i]];
}

fn main() {}
