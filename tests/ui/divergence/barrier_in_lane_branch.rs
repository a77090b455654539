// A barrier that only the threads with a value reach.

use meerkat::prelude::*;

#[kernel]
fn tally(values: &[u32], out: &mut [u32]) {
    let shared = block_shared::<u32, 256>();
    let i = thread_id();
    if i < values.len() {
        shared[block_thread_id()].store(values[i]);
        block_barrier();
        out[i] = shared[0].load();
    }
}

fn main() {}
