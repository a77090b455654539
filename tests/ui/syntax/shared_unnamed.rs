// Memory of the block in the middle of an expression.

use meerkat::prelude::*;

#[kernel]
fn first(out: &mut [u32]) {
    let i = thread_id();
    out[i] = block_shared::<u32, 4>()[0].load();
}

fn main() {}
