//! A comparison of a variable that is its next value: `==` has no form of its own that assigns.

use meerkat::prelude::*;

#[kernel]
pub(super) fn agree(left: &[u32], right: &[u32], out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        let mut is_even = left[i] % 2 == 0;
        let mut sum = 1u32;
        is_even = is_even == (right[i] % 2 == 0);
        is_even = is_even != (i == 0);
        sum = sum + left[i];
        out[i] = sum * 2 + is_even as u32;
    }
}
