// Each lane names another thread.

use meerkat::prelude::*;

#[kernel]
fn spread(values: &[u32], out: &mut [u32]) {
    let i = thread_id();
    out[i] = block_broadcast(values[i], lane_id());
}

fn main() {}
