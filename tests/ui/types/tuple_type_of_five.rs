// A function that returns too many parts.

use meerkat::prelude::*;

#[device]
fn five(x: u32) -> (u32, u32, u32, u32, u32) {
    (x, x, x, x, x)
}

fn main() {}
