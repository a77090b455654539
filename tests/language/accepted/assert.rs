//! An assertion traps where it fails.

use meerkat::prelude::*;

#[vertex_operator]
pub(super) fn visit(v: Vertex, levels: &mut [u32]) {
    assert!(v < levels.len());
    levels[v] = 1;
}
