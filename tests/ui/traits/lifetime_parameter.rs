// Lifetimes, as host code has them.

use meerkat::prelude::*;

#[device]
fn first<'a>(values: &'a [u32]) -> u32 {
    values[0]
}

fn main() {}
