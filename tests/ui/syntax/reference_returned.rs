// A reference into a slice as a result.

use meerkat::prelude::*;

#[device]
fn larger(x: &[u32], a: u32, b: u32) -> &u32 {
    if x[a] > x[b] { &x[a] } else { &x[b] }
}

fn main() {}
