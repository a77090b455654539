// Functions whose parameters cannot be, and who calls them.

use meerkat::prelude::*;

#[device]
fn advance(x: &mut u32, by: u32) {
    *x += by;
}

#[device]
fn length(name: String) -> u32 {
    name.len() as u32
}

#[kernel]
fn count(out: &mut [u32]) {
    let i = thread_id();
    let mut at = i;
    advance(&mut at, 2);
    out[i] = length(at) + 1;
}

fn main() {}
