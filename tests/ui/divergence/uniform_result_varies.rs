// The signature promises one value for the warp.

use meerkat::prelude::*;

#[device]
fn owner_of(vertex: u32, warps: Uniform<u32>) -> Uniform<u32> {
    vertex % warps
}

fn main() {}
