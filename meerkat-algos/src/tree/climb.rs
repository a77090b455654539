//! What hangs below vertices that lost their path, however deep: found by climbing,
//! all vertices at once and ever faster (pointer jumping), and moved as it hangs.
//!
//! A vertex whose path is gone may have another through a neighbour that kept its own,
//! which is longer by its *rise*. All that hangs below it may go that way, too, so the
//! least rise among its ancestors and itself bounds what a vertex's distance grows by;
//! for most of them it is that.

use super::{Length, PathTreeBuffers, PathTreeRef, TreeNode, UNREACHED, way_through};
use meerkat_runtime::frontier::block_enqueue_frontier;
use meerkat_runtime::launch::HostArg;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use meerkat_runtime::{VertexItems, frontier::NextFrontier};

/// How far a climb has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceStruct)]
#[repr(C)]
pub struct Climb {
    /// An ancestor; where the climb ends, the vertex itself.
    pub ancestor: u32,
    /// The least rise from the vertex up to below that ancestor.
    pub rise: u32,
}

/// Begins the climb of `v`, which ends at invalid vertices and at roots.
#[vertex_operator]
pub fn begin_climb(v: Vertex, tree: &PathTreeRef, climbs: &[Atomic<Climb>]) {
    let parent: u32 = tree.nodes[v].load().parent;
    let ends = parent == UNREACHED || tree.is_invalid(v);
    climbs[v].store(Climb { ancestor: select(ends, v, parent), rise: UNREACHED });
}

/// Some steps of the climb of `v`, each as far as the ancestor has come by then. (Both
/// parts of a climb are one word, so that whatever is read of others is true.)
#[vertex_operator]
pub fn climb(v: Vertex, climbs: &[Atomic<Climb>], has_moved: &[Atomic<u32>]) {
    let before: Climb = climbs[v].load();
    let mut own: Climb = before;
    for _ in 0..STEPS {
        let above: Climb = climbs[own.ancestor].load();
        own = Climb { ancestor: above.ancestor, rise: own.rise.min(above.rise) };
    }
    let moves = own.ancestor != before.ancestor || own.rise != before.rise;
    if moves {
        climbs[v].store(own);
    }
    if moves && has_moved[0].load() == 0 {
        has_moved[0].store(1);
    }
}

/// Steps of a climb in one pass over the vertices.
const STEPS: u32 = 4;

/// Lists the vertices whose climb has ended at an invalid one, and makes them invalid.
/// For as many threads as vertices.
#[kernel]
pub fn list_fallen(tree: &PathTreeRef, climbs: &[Atomic<Climb>], fallen: &Frontier<Vertex>) {
    let v = thread_id();
    let mut has_fallen = false;
    if v < climbs.len() {
        has_fallen = tree.is_invalid(climbs[v].load().ancestor);
    }
    if has_fallen {
        tree.invalid[v].store(tree.epoch);
    }
    block_enqueue_frontier(fallen, v, has_fallen);
}

/// The best place below a valid in-neighbour for `v`, which is invalid, and by how much
/// its distance would rise there; it begins to climb among its invalid ancestors.
#[vertex_operator]
pub fn find_rise<W: Weight, L: Length<W>>(
    v: Vertex,
    in_edges: &Graph<W>,
    tree: &PathTreeRef,
    climbs: &[Atomic<Climb>],
    offers: &mut [TreeNode],
) {
    let mut best = u64::MAX;
    for_each_neighbor(in_edges, v, true, |u, weight| {
        let way: u64 = way_through::<W, L>(u, weight, tree);
        best = best.min(way);
    });
    let now: TreeNode = tree.nodes[v].load();
    let offer = TreeNode { parent: best as u32, distance: (best >> 32) as u32 };
    let rise = select(best == u64::MAX, UNREACHED, offer.distance - now.distance);
    let ancestor = select(now.parent == UNREACHED, v, now.parent);
    offers[v] = offer;
    climbs[v].store(Climb { ancestor, rise });
}

/// Puts an invalid vertex as much farther as it rises, below its parent or where its
/// offer says; out of the tree, if nobody above has an offer.
#[vertex_operator]
pub fn rise(
    v: Vertex,
    tree: &PathTreeRef,
    climbs: &[Atomic<Climb>],
    offers: &[TreeNode],
    next: &Frontier<Vertex>,
) {
    let by: u32 = climbs[v].load().rise;
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

/// Memory for climbs: 16 bytes a vertex.
#[derive(Debug)]
pub(super) struct Climbs {
    pub(super) climbs: DeviceBuffer<Atomic<Climb>>,
    pub(super) offers: DeviceBuffer<TreeNode>,
    has_moved: DeviceBuffer<Atomic<u32>>,
}

impl Climbs {
    pub(super) fn new(device: &Device, vertices: usize) -> Result<Self, Error> {
        Ok(Climbs {
            climbs: DeviceBuffer::zeroed(device, vertices)?,
            offers: DeviceBuffer::zeroed(device, vertices)?,
            has_moved: DeviceBuffer::zeroed(device, 1)?,
        })
    }

    /// Lists all that hangs below an invalid vertex, and it, too. Synchronises once a
    /// pass, of which there are about as many as the depth has bits, or fewer.
    pub(super) fn list_fallen(
        &mut self,
        tree: PathTreeBuffers<'_>,
        fallen: NextFrontier<'_, Vertex>,
    ) -> Result<(), Error> {
        let (device, vertices) = (tree.nodes.device(), tree.nodes.len() as u32);
        begin_climb::launch(device, 0..vertices, tree, &self.climbs)?;
        self.climb(device, 0..vertices)?;
        list_fallen::launch(device, vertices, tree, &self.climbs, fallen)
    }

    /// Climbs until nobody gets farther. Synchronises once a pass.
    pub(super) fn climb(
        &mut self,
        device: &Device,
        items: impl HostArg<VertexItems> + Clone,
    ) -> Result<(), Error> {
        loop {
            self.has_moved.fill(0)?;
            climb::launch(device, items.clone(), &self.climbs, &self.has_moved)?;
            if self.has_moved.read(0, 1)?[0] == 0 {
                return Ok(());
            }
        }
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        begin_climb::info(),
        climb::info(),
        list_fallen::info(),
        find_rise::info::<(), ()>(),
        find_rise::info::<u32, u32>(),
        find_rise::info::<u32, ()>(),
        rise::info(),
    ]
}
