//! Collectives where all lanes arrive: uniform loops, branches and returns.

use meerkat::prelude::*;

#[device]
fn warp_total(value: u32) -> Uniform<u32> {
    warp_reduce_sum(value)
}

#[device]
fn first_above(values: &[u32], limit: Uniform<u32>) -> Uniform<u32> {
    let mut start = 0u32;
    loop {
        let at = start + lane_id();
        let ballot = warp_ballot(at < values.len() && values[at] > limit);
        if ballot != 0 {
            return start + ballot.trailing_zeros();
        }
        start += 32;
        if start >= values.len() {
            return u32::MAX;
        }
    }
}

#[kernel]
pub(super) fn totals(values: &[u32], rounds: u32, out: &[Atomic<u32>]) {
    for round in 0..=rounds {
        if round % 2 == 0 {
            let sum: Uniform<u32> = warp_total(values[round * 32 + lane_id()]);
            if sum > 0 {
                let mut queue = warp_ballot(lane_id() < 4);
                while queue != 0 {
                    let owner = warp_dequeue(&mut queue);
                    out[owner].fetch_add(warp_broadcast(sum, owner));
                }
            }
        }
    }
    let first: Uniform<u32> = first_above(values, 5);
    let voted = unsafe { warp_ballot(first > 3) };
    if lane_id() == 0 {
        out[0].store(voted);
    }
}
