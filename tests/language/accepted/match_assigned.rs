//! `match` as the value of an assignment.

use meerkat::prelude::*;

#[kernel]
pub(super) fn classify(degree: &[u32], class: &mut [u32]) {
    let i = thread_id();
    class[i] = match degree[i] {
        0 => 0,
        1 | 2 => 1,
        _ => 3,
    };
}
