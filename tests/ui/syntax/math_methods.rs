// Methods of floats that there are not.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[f32], out: &mut [f32]) {
    let i = thread_id();
    out[i] = x[i].powi(2) + x[i].asinh();
}

fn main() {}
