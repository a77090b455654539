//! Shortest-path trees: the encoding and the relaxation that every tree-based
//! search shares.
//!
//! Encoding: distance (high 32 bits) and parent (low) share one word, so that
//! one atomic operation changes both. Distances are lengths as
//! [`Length`] makes them: the number of edges for `()`, else sums of weights, which
//! saturate below [`UNREACHED`].
//! Zero lengths: a node changes only for a strictly smaller distance, never for
//! another parent at the same one. So a vertex never becomes the child of its own
//! descendant, even on a cycle of zero-length edges: the descendant is at least
//! as far, and relaxing from it improves nothing. (`fetch_min` on the word would
//! let the smaller parent win a tie and could close such a cycle.)
//! Source: Meerkat, section 4.2, algorithms 6 and 10.

mod bucket_width;
mod deletion;
mod distributed;
mod extent;
mod length;
mod operators;
mod path_tree;
mod paths;
mod pointer_jumping;
mod saved;

pub use distributed::RankTree;
pub(crate) use extent::Extent;
pub use length::Length;
use meerkat_runtime::dynamic::Answer;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
pub use operators::improve;
pub use path_tree::PathTree;
pub(crate) use path_tree::{check_source, out_of_order_at_first};
pub use paths::{PathTreeBuffers, PathTreeRef};

/// The distance, and the parent, of a vertex that the source does not reach.
pub const UNREACHED: u32 = u32::MAX;

/// A vertex's place in a shortest-path tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceStruct)]
#[repr(C)]
pub struct TreeNode {
    /// An in-neighbour on a shortest path; the source is its own.
    pub parent: u32,
    /// How far from the source, or [`UNREACHED`].
    pub distance: u32,
}

#[device]
impl Answer for TreeNode {
    fn differs(self, other: TreeNode) -> bool {
        self.parent != other.parent || self.distance != other.distance
    }
}

impl TreeNode {
    /// Outside the tree.
    pub const OUTSIDE: TreeNode = TreeNode { parent: UNREACHED, distance: UNREACHED };
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    let mut kernels = operators::kernels();
    kernels.extend(pointer_jumping::kernels());
    kernels.extend(distributed::kernels());
    kernels
}
