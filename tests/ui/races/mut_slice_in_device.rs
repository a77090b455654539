// A function does not know whose item its index is.

use meerkat::prelude::*;

#[device]
fn bump(values: &mut [u32], i: u32) {
    values[i] = values[i] + 1;
}

fn main() {}
