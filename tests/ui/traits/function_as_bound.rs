// A function passed as a type.

use meerkat::prelude::*;

#[device]
fn apply<F: Fn(u32) -> u32>(f: F, x: u32) -> u32 {
    f(x)
}

fn main() {}
