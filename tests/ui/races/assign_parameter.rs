// The parameter belongs to the launch.

use meerkat::prelude::*;

#[kernel]
fn decay(values: &mut [f32], factor: f32) {
    let i = thread_id();
    factor = factor * 0.5;
    values[i] = values[i] * factor;
}

fn main() {}
