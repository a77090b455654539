// A function that reads anywhere gets memory that others write.

use meerkat::prelude::*;

#[device]
fn left_of(values: &[f32], i: u32) -> f32 {
    values[i - 1]
}

#[kernel]
fn smooth(values: &mut [f32]) {
    let i = thread_id();
    if i > 0 {
        values[i] = left_of(values, i);
    }
}

fn main() {}
