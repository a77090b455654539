//! Orphaned subtrees of any depth: found by pointer jumping, in which every vertex jumps to
//! the ancestor of its ancestor until none moves.
//!
//! A vertex that lost its path may have another through a neighbour that kept its own,
//! which is longer by its *increase*. Its whole subtree may go that way, too. So the least
//! increase among a vertex and its ancestors bounds what its distance grows by; for most
//! vertices it is that.

use super::operators::way_through;
use super::{Length, PathTreeBuffers, PathTreeRef, TreeNode, UNREACHED};
use meerkat_runtime::frontier::block_enqueue_frontier;
use meerkat_runtime::launch::HostArg;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use meerkat_runtime::{VertexItems, frontier::NextFrontier};

/// How far a vertex has jumped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceStruct)]
#[repr(C)]
pub(super) struct Jump {
    /// An ancestor. A vertex that jumps no further is its own.
    pub ancestor: u32,
    /// The least increase from the vertex up to just below that ancestor.
    pub increase: u32,
}

/// Starts `v` at its parent. Jumps end at invalid vertices and at roots.
#[vertex_operator]
pub(super) fn begin_jumps(v: Vertex, tree: &PathTreeRef, jumps: &[Atomic<Jump>]) {
    let parent: u32 = tree.nodes[v].load().parent;
    let ends = parent == UNREACHED || tree.is_invalid(v);
    jumps[v].store(Jump { ancestor: select(ends, v, parent), increase: UNREACHED });
}

/// Some jumps of `v`, each to where its ancestor has come by then. (Both fields share one
/// word, so what is read of other vertices is consistent.)
#[vertex_operator]
pub(super) fn jump(v: Vertex, jumps: &[Atomic<Jump>], has_moved: &[Atomic<u32>]) {
    let before: Jump = jumps[v].load();
    let mut own: Jump = before;
    for _ in 0..STEPS {
        let above: Jump = jumps[own.ancestor].load();
        own = Jump { ancestor: above.ancestor, increase: own.increase.min(above.increase) };
    }
    let moves = own.ancestor != before.ancestor || own.increase != before.increase;
    if moves {
        jumps[v].store(own);
    }
    if moves && has_moved[0].load() == 0 {
        has_moved[0].store(1);
    }
}

/// Jumps in one pass over the vertices.
const STEPS: u32 = 4;

/// Invalidates and lists the vertices that have an invalid ancestor, or are invalid. For as
/// many threads as vertices.
#[kernel]
pub(super) fn list_orphaned(
    tree: &PathTreeRef,
    jumps: &[Atomic<Jump>],
    orphaned: &Frontier<Vertex>,
) {
    let v = thread_id();
    let mut is_orphaned = false;
    if v < jumps.len() {
        is_orphaned = tree.is_invalid(jumps[v].load().ancestor);
    }
    if is_orphaned {
        tree.invalid[v].store(tree.epoch);
    }
    block_enqueue_frontier(orphaned, v, is_orphaned);
}

/// The best parent among the valid in-neighbours of `v`, which is invalid, and by how much
/// its distance would grow there. `v` starts to jump among its invalid ancestors.
#[vertex_operator]
pub(super) fn find_increase<W: Weight, L: Length<W>, G: Neighbors<Carried = W>>(
    v: Vertex,
    in_edges: &G,
    tree: &PathTreeRef,
    jumps: &[Atomic<Jump>],
    offers: &mut [TreeNode],
) {
    let mut best = u64::MAX;
    for_each_neighbor(in_edges, v, true, |u, weight| {
        let way: u64 = way_through::<W, L>(u, weight, tree);
        best = best.min(way);
    });
    let now: TreeNode = tree.nodes[v].load();
    let offer = TreeNode { parent: best as u32, distance: (best >> 32) as u32 };
    let increase = select(best == u64::MAX, UNREACHED, offer.distance - now.distance);
    let ancestor = select(now.parent == UNREACHED, v, now.parent);
    offers[v] = offer;
    jumps[v].store(Jump { ancestor, increase });
}

/// Adds its increase to the distance of an invalid vertex. It keeps its parent or takes the
/// one it was offered; it leaves the tree if no ancestor was offered any.
#[vertex_operator]
pub(super) fn increase_distance(
    v: Vertex,
    tree: &PathTreeRef,
    jumps: &[Atomic<Jump>],
    offers: &[TreeNode],
    next: &Frontier<Vertex>,
) {
    let by: u32 = jumps[v].load().increase;
    let before: TreeNode = tree.nodes[v].load();
    let offer: TreeNode = offers[v];
    let farther: u32 = before.distance.saturating_add(by).min(UNREACHED - 1);
    let parent = select(offer.distance == farther, offer.parent, before.parent);
    let is_reached = by != UNREACHED;
    let distance = select(is_reached, farther, UNREACHED);
    tree.nodes[v].store(TreeNode { parent: select(is_reached, parent, UNREACHED), distance });
    if is_reached {
        tree.queued[v].store(tree.round);
    }
    warp_enqueue_frontier(next, v, is_reached);
}

/// Memory for pointer jumping: 16 bytes a vertex.
#[derive(Debug)]
pub(super) struct PointerJumping {
    pub(super) jumps: DeviceBuffer<Atomic<Jump>>,
    pub(super) offers: DeviceBuffer<TreeNode>,
    has_moved: DeviceBuffer<Atomic<u32>>,
}

impl PointerJumping {
    pub(super) fn new(device: &Device, vertices: usize) -> Result<Self, Error> {
        Ok(PointerJumping {
            jumps: DeviceBuffer::zeroed(device, vertices)?,
            offers: DeviceBuffer::zeroed(device, vertices)?,
            has_moved: DeviceBuffer::zeroed(device, 1)?,
        })
    }

    /// Lists the invalid vertices and their subtrees. Synchronises once a pass; there are
    /// at most about as many passes as the depth has bits.
    pub(super) fn list_orphaned(
        &mut self,
        tree: PathTreeBuffers<'_>,
        orphaned: NextFrontier<'_, Vertex>,
    ) -> Result<(), Error> {
        let (device, vertices) = (tree.nodes.device(), tree.nodes.len() as u32);
        begin_jumps::launch(device, 0..vertices, tree, &self.jumps)?;
        self.jump(device, 0..vertices)?;
        list_orphaned::launch(device, vertices, tree, &self.jumps, orphaned)
    }

    /// Jumps until no vertex moves. Synchronises once a pass.
    pub(super) fn jump(
        &mut self,
        device: &Device,
        items: impl HostArg<VertexItems> + Clone,
    ) -> Result<(), Error> {
        loop {
            self.has_moved.fill(0)?;
            jump::launch(device, items.clone(), &self.jumps, &self.has_moved)?;
            if self.has_moved.read(0, 1)?[0] == 0 {
                return Ok(());
            }
        }
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        begin_jumps::info(),
        jump::info(),
        list_orphaned::info(),
        find_increase::info::<(), (), Graph>(),
        find_increase::info::<u32, u32, Graph<u32>>(),
        find_increase::info::<u32, (), Graph<u32>>(),
        increase_distance::info(),
    ]
}
