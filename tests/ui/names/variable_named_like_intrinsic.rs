// `let lane_id = lane_id();`

use meerkat::prelude::*;

#[kernel]
fn stripes(values: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let lane_id = lane_id();
    out[i] = values[i] + lane_id;
}

fn main() {}
