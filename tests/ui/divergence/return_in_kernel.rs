// The early exit of every CUDA kernel.

use meerkat::prelude::*;

#[kernel]
fn scale(values: &mut [f32], factor: f32) {
    let i = thread_id();
    if i >= values.len() {
        return;
    }
    values[i] = values[i] * factor;
}

fn main() {}
