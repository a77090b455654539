// The habit of host code.

use meerkat::prelude::*;

#[kernel]
fn gather(order: &[u32], values: &[f32], out: &mut [f32]) {
    let i = thread_id();
    out[i] = values[order[i] as usize];
}

fn main() {}
