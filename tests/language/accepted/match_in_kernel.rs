//! The same in a kernel.

use meerkat::prelude::*;

#[kernel]
pub(super) fn classify(degree: &[u32], class: &mut [u32]) {
    let i = thread_id();
    let kind: u32 = match degree[i] {
        0 => 0,
        1 | 2 => 1,
        _ => 3,
    };
    class[i] = kind;
}
