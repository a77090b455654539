//! What a search stores for each vertex: its node encoding.

use crate::tree::{TreeNode, UNREACHED};
use meerkat_runtime::prelude::*;

/// A level alone, or a level and a parent: 32 or 64 bits, whose order is that of levels.
#[device]
pub(super) trait BfsState {
    /// Reached on a level, from a parent.
    fn reached(level: u32, parent: Vertex) -> Self;
    /// The level, or [`UNREACHED`].
    fn level(self) -> u32;
    /// Whether no vertex has reached this one.
    fn is_unreached(self) -> bool {
        self.level() == UNREACHED
    }
}

#[device]
impl BfsState for u32 {
    fn reached(level: u32, _parent: Vertex) -> u32 {
        level
    }
    fn level(self) -> u32 {
        self
    }
}

#[device]
impl BfsState for TreeNode {
    fn reached(level: u32, parent: Vertex) -> TreeNode {
        TreeNode { parent, distance: level }
    }
    fn level(self) -> u32 {
        self.distance
    }
}
