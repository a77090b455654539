//! `unsafe` as the page describes it, blocks, labels, casts, branches as values.

use meerkat::prelude::*;

#[kernel]
pub(super) fn scatter(order: &[u32], values: &[f32], out: &mut [f32], votes: &[Atomic<u32>]) {
    let i = thread_id();
    if i < order.len() {
        let scaled = {
            let twice = values[i] * 2.0;
            twice + 1.0
        };
        let kept: f32 = if scaled.is_nan() { 0.0 } else { scaled };
        unsafe { out.write(order[i], kept) };
        let vote = unsafe { warp_ballot(kept > 0.0) };
        votes[0].fetch_or(vote);
    }
    'outer: for a in 0..4u32 {
        for b in 0..a {
            if b as i64 + 1 == i as i64 {
                continue 'outer;
            }
        }
    }
}
