//! The last arm may bind a name.

use meerkat::prelude::*;

#[kernel]
pub(super) fn advance(state: &mut [u32]) {
    let i = thread_id();
    let next: u32 = match state[i] {
        0 => 1,
        other => other + 1,
    };
    state[i] = next;
}
