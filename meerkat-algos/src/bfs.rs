//! Breadth-first search: levels, or a tree.
//!
//! Result: `levels[v]` edges from the source, or [`UNREACHED`]; in a tree also
//! `parents[v]`, an in-neighbour one level up.
//! Method: level-synchronous over a pair of vertex frontiers, pushing along
//! out-edges.
//! Encoding: a tree node keeps level and parent in one word (see
//! [`tree`](mod@crate::tree)). All edges count 1, so a parent is always nearer
//! than its child and `fetch_min` cannot close a cycle.
//! Source: Meerkat, sections 4.2 and 6.1 (vanilla and tree-based BFS).

pub use crate::tree::UNREACHED;
use crate::tree::{TreeNode, check_source};
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// A breadth-first tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Edges from the source, or [`UNREACHED`].
    pub levels: Vec<u32>,
    /// An in-neighbour one level up; the source is its own parent, and
    /// unreached vertices have [`UNREACHED`].
    pub parents: Vec<u32>,
}

/// Gives the neighbours of `v` that have no level yet the next one.
#[vertex_operator]
pub fn visit<W: Weight>(
    v: Vertex,
    graph: &Graph<W>,
    level: u32,
    levels: &[Atomic<u32>],
    next: &Frontier<Vertex>,
) {
    for_each_neighbor(graph, v, true, |dst| {
        let discovered =
            levels[dst].load() == UNREACHED && levels[dst].fetch_min(level) == UNREACHED;
        warp_enqueue_frontier(next, dst, discovered);
    });
}

/// Makes `v` the parent of its neighbours that have none yet.
#[vertex_operator]
pub fn adopt<W: Weight>(
    v: Vertex,
    graph: &Graph<W>,
    level: u32,
    tree: &[Atomic<TreeNode>],
    next: &Frontier<Vertex>,
) {
    let node = TreeNode { parent: v, distance: level };
    for_each_neighbor(graph, v, true, |dst| {
        let orphan = tree[dst].load().distance == UNREACHED;
        let adopted = orphan && tree[dst].fetch_min(node).distance == UNREACHED;
        warp_enqueue_frontier(next, dst, adopted);
    });
}

/// Levels of all vertices. Synchronises once a level.
///
/// # Errors
/// A source outside the graph; the device fails.
pub fn levels<W: Weight>(graph: &SlabGraph<W>, source: u32) -> Result<Vec<u32>, Error> {
    check_source(graph, source)?;
    let (device, count) = (graph.device(), graph.vertex_count());
    let mut levels = DeviceBuffer::<Atomic<u32>>::filled(device, count as usize, UNREACHED)?;
    levels.write(source as usize, &[0])?;
    let mut frontiers = Frontiers::new(device, count, &[source])?;
    let mut level = 0;
    while !frontiers.is_empty() {
        level += 1;
        visit::launch(device, frontiers.current(), graph, level, &levels, frontiers.next())?;
        frontiers.advance()?;
    }
    levels.to_vec()
}

/// A breadth-first tree. Synchronises once a level.
///
/// # Errors
/// A source outside the graph; the device fails.
pub fn tree<W: Weight>(graph: &SlabGraph<W>, source: u32) -> Result<Tree, Error> {
    check_source(graph, source)?;
    let (device, count) = (graph.device(), graph.vertex_count());
    let mut nodes =
        DeviceBuffer::<Atomic<TreeNode>>::filled(device, count as usize, TreeNode::OUTSIDE)?;
    nodes.write(source as usize, &[TreeNode { parent: source, distance: 0 }])?;
    let mut frontiers = Frontiers::new(device, count, &[source])?;
    let mut level = 0;
    while !frontiers.is_empty() {
        level += 1;
        adopt::launch(device, frontiers.current(), graph, level, &nodes, frontiers.next())?;
        frontiers.advance()?;
    }
    let nodes = nodes.to_vec()?;
    Ok(Tree {
        levels: nodes.iter().map(|node| node.distance).collect(),
        parents: nodes.iter().map(|node| node.parent).collect(),
    })
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    let each = |schedule| [visit::info_with::<()>(schedule), adopt::info_with::<()>(schedule)];
    Schedule::ALL.into_iter().flat_map(each).collect()
}
