//! Shortest-path trees: the encoding and the relaxation that every tree-based
//! search shares.
//!
//! Encoding: distance (high 32 bits) and parent (low) share one word, so that
//! one atomic operation changes both. Distances are lengths as
//! [`Weight::lengthen`] makes them: the number of edges for `()`, else sums of
//! weights, which saturate below [`UNREACHED`].
//! Zero lengths: a node changes only for a strictly smaller distance, never for
//! another parent at the same one. So a vertex never hangs below its own
//! descendant, even on a cycle of zero-length edges: the descendant is at least
//! as far, and relaxing from it improves nothing. (`fetch_min` on the word would
//! let the smaller parent win a tie and could close such a cycle.)
//! Source: Meerkat, sections 4.2 and 6.1, algorithm 2.

use meerkat_runtime::ErrorKind;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

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

impl TreeNode {
    /// Outside the tree.
    pub const OUTSIDE: TreeNode = TreeNode { parent: UNREACHED, distance: UNREACHED };
}

/// Puts `v` at `node` if that is strictly nearer than where it is.
#[device]
pub fn improve(tree: &[Atomic<TreeNode>], v: u32, node: TreeNode) -> bool {
    let mut seen = tree[v].load();
    let mut improved = false;
    while !improved && node.distance < seen.distance {
        let before = tree[v].compare_and_swap(seen, node);
        improved = before.distance == seen.distance && before.parent == seen.parent;
        seen = before;
    }
    improved
}

/// Shortens the paths of `v`'s out-neighbours through `v`. A vertex joins the
/// next frontier once a round. `L` is what counts as an edge's length: its weight
/// (`L = W`), or 1 (`L = ()`).
#[vertex_operator]
pub fn relax<W: Weight, L: Weight>(
    v: Vertex,
    graph: &Graph<W>,
    round: u32,
    tree: &[Atomic<TreeNode>],
    queued: &[Atomic<u32>],
    next: &Frontier<Vertex>,
) {
    let distance: u32 = tree[v].load().distance;
    for_each_neighbor(graph, v, true, |dst, weight| {
        let through: u32 = L::lengthen(distance, L::from_bits(weight.to_bits()));
        let improved: bool = improve(tree, dst, TreeNode { parent: v, distance: through });
        let first = improved && queued[dst].swap(round) != round;
        warp_enqueue_frontier(next, dst, first);
    });
}

pub(crate) fn check_source<W: Weight>(graph: &SlabGraph<W>, source: u32) -> Result<(), Error> {
    let count = graph.vertex_count();
    if source < count {
        return Ok(());
    }
    Err(ErrorKind::NoSuchVertex { vertex: source, count }.into())
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    let mut kernels: Vec<_> = Schedule::ALL.into_iter().map(relax::info_with::<u32, u32>).collect();
    kernels.extend([
        relax::info::<(), ()>(),
        relax::info::<u32, ()>(),
        relax::info::<i32, i32>(),
        relax::info::<f32, f32>(),
    ]);
    kernels
}
