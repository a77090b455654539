//! What a search leaves at a vertex.

use crate::tree::{TreeNode, UNREACHED};
use meerkat_runtime::prelude::*;

/// A level alone, or a level and a parent: 32 or 64 bits, whose order is that of levels.
#[device]
pub trait Mark {
    /// Reached on a level, from a parent.
    fn reached(level: u32, parent: Vertex) -> Self;
    /// The level, or [`UNREACHED`].
    fn level(self) -> u32;
    /// Whether nobody has reached the vertex.
    fn is_free(self) -> bool {
        self.level() == UNREACHED
    }
}

#[device]
impl Mark for u32 {
    fn reached(level: u32, _parent: Vertex) -> u32 {
        level
    }
    fn level(self) -> u32 {
        self
    }
}

#[device]
impl Mark for TreeNode {
    fn reached(level: u32, parent: Vertex) -> TreeNode {
        TreeNode { parent, distance: level }
    }
    fn level(self) -> u32 {
        self.distance
    }
}
