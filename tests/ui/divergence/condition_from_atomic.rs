// What an atomic returns differs from lane to lane.

use meerkat::prelude::*;

#[kernel]
fn ticket(counter: &[Atomic<u32>], totals: &[Atomic<u32>], share: u32) {
    let first = counter[0].fetch_add(1) == 0;
    if first {
        let sum = warp_reduce_sum(share);
        totals[0].fetch_add(sum);
    }
}

fn main() {}
