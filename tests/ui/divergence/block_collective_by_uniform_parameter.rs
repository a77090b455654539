// `Uniform` is the same in a warp, not in a block.

use meerkat::prelude::*;

#[device]
fn maybe(wanted: Uniform<bool>, x: u32) -> u32 {
    if wanted { block_reduce_sum(x) } else { x }
}

fn main() {}
