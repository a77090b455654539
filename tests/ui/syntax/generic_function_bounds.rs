// A trait object and an `impl Trait` as parameters.

use meerkat::prelude::*;

#[device]
fn apply(f: impl Fn(u32) -> u32, x: u32) -> u32 {
    f(x)
}

#[device]
fn apply_dyn(f: &dyn Fn(u32) -> u32, x: u32) -> u32 {
    f(x)
}

fn main() {}
