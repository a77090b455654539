//! A `bool` is or-ed like any mask.

use meerkat::prelude::*;

#[kernel]
pub(super) fn any_left(values: &[u32], out: &[Atomic<u32>]) {
    let left = warp_reduce_or(values[thread_id()] > 0);
    if left {
        out[0].store(1);
    }
}
