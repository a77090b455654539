// A queue of the lane's own, taken as if it were the warp's.

use meerkat::prelude::*;

#[kernel]
fn drain(masks: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let mut queue = masks[i];
    let mut sum = 0u32;
    while queue != 0 {
        sum += warp_dequeue(&mut queue);
    }
    out[i] = sum;
}

fn main() {}
