//! `match` over numbers, constants and ranges.

use meerkat::prelude::*;

const HUB: u32 = 1024;

#[vertex_operator]
pub(super) fn classify(v: Vertex, degree: &[u32], class: &mut [u32]) {
    class[v] = match degree[v] {
        0 => 0,
        1 | 2 => 1,
        HUB => 4,
        3..=32 => 2,
        _ => 3,
    };
}
