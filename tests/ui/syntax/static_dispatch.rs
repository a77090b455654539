// `impl Trait` has no layout.

use meerkat::prelude::*;

#[device]
fn half(value: impl Into<f32>) -> f32 {
    value.into() * 0.5
}

fn main() {}
