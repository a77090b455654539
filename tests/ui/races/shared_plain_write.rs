// Memory of the block written as if it were a plain array.

use meerkat::prelude::*;

#[kernel]
fn fill(values: &[u32]) {
    let shared = block_shared::<u32, 256>();
    let i = thread_id();
    shared[block_thread_id()] = values[i];
}

fn main() {}
