//! In `unsafe` an assignment is vouched for, as `write` is.

use meerkat::prelude::*;

#[kernel]
pub(super) fn scatter(order: &[u32], values: &[u32], out: &mut [u32]) {
    let i = thread_id();
    unsafe {
        out[order[i]] = values[i];
    }
}
