//! The operators of breadth-first search: each once for levels, once for a tree.

use crate::tree::{TreeNode, UNREACHED};
use meerkat_runtime::frontier::block_enqueue_frontier;
use meerkat_runtime::graph::out_degree;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

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

/// [`visit`] without a list: all who write, write the same.
#[vertex_operator]
pub fn visit_unlisted<W: Weight>(v: Vertex, graph: &Graph<W>, level: u32, levels: &[Atomic<u32>]) {
    for_each_neighbor(graph, v, true, |dst| {
        if levels[dst].load() == UNREACHED {
            levels[dst].store(level);
        }
    });
}

/// [`adopt`] without a list: any of the parents on the level above will do.
#[vertex_operator]
pub fn adopt_unlisted<W: Weight>(
    v: Vertex,
    graph: &Graph<W>,
    level: u32,
    tree: &[Atomic<TreeNode>],
) {
    for_each_neighbor(graph, v, true, |dst| {
        if tree[dst].load().distance == UNREACHED {
            tree[dst].store(TreeNode { parent: v, distance: level });
        }
    });
}

/// Gives `v` the level if it has none and an in-neighbour is one level above.
#[vertex_operator]
pub fn look_up<W: Weight>(v: Vertex, in_edges: &Graph<W>, level: u32, levels: &[Atomic<u32>]) {
    let is_waiting = levels[v].load() == UNREACHED;
    let mut found = false;
    for_each_neighbor(in_edges, v, is_waiting, |src| {
        found |= levels[src].load() == level - 1;
    });
    if found {
        levels[v].store(level);
    }
}

/// Hangs `v`, if it is in no tree yet, below an in-neighbour one level above.
#[vertex_operator]
pub fn find_parent<W: Weight>(
    v: Vertex,
    in_edges: &Graph<W>,
    level: u32,
    tree: &[Atomic<TreeNode>],
) {
    let is_waiting = tree[v].load().distance == UNREACHED;
    let mut parent: u32 = UNREACHED;
    for_each_neighbor(in_edges, v, is_waiting, |src| {
        let is_above = tree[src].load().distance == level - 1;
        parent = parent.min(select(is_above, src, UNREACHED));
    });
    if parent != UNREACHED {
        tree[v].store(TreeNode { parent, distance: level });
    }
}

/// Where the sums of [`list_level`] are: the out-edges of the level, and of
/// whoever has none yet.
pub(super) const OF_LEVEL: u32 = 0;
pub(super) const OF_UNREACHED: u32 = 1;

/// Lists `v` if it is on the level, and adds its out-edges to a sum. Collective of
/// the block.
#[device]
fn list<W: Weight>(
    graph: &Graph<W>,
    v: Vertex,
    is_listed: bool,
    is_unreached: bool,
    listed: &Frontier<Vertex>,
    arcs: &[Atomic<u64>],
) {
    block_enqueue_frontier(listed, v, is_listed);
    let mut degree = 0u64;
    if is_listed || is_unreached {
        degree = out_degree(graph, v) as u64;
    }
    let of_level = block_reduce_sum(select(is_listed, degree, 0u64));
    let of_unreached = block_reduce_sum(select(is_unreached, degree, 0u64));
    if block_thread_id() == 0 {
        arcs[OF_LEVEL].fetch_add(of_level);
        arcs[OF_UNREACHED].fetch_add(of_unreached);
    }
}

/// Lists the vertices of a level, and sums up the out-edges of these and of those
/// that have no level. For as many threads as vertices.
#[kernel]
pub fn list_level<W: Weight>(
    graph: &Graph<W>,
    level: u32,
    levels: &[Atomic<u32>],
    listed: &Frontier<Vertex>,
    arcs: &[Atomic<u64>],
) {
    let v = thread_id();
    let mut own = UNREACHED - 1;
    if v < levels.len() {
        own = levels[v].load();
    }
    list(graph, v, own == level, own == UNREACHED, listed, arcs);
}

/// [`list_level`] of a tree.
#[kernel]
pub fn list_generation<W: Weight>(
    graph: &Graph<W>,
    level: u32,
    tree: &[Atomic<TreeNode>],
    listed: &Frontier<Vertex>,
    arcs: &[Atomic<u64>],
) {
    let v = thread_id();
    let mut own = UNREACHED - 1;
    if v < tree.len() {
        own = tree[v].load().distance;
    }
    list(graph, v, own == level, own == UNREACHED, listed, arcs);
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    let each = |schedule| {
        [
            visit::info_with::<()>(schedule),
            adopt::info_with::<()>(schedule),
            visit_unlisted::info_with::<()>(schedule),
            adopt_unlisted::info_with::<()>(schedule),
            look_up::info_with::<()>(schedule),
            find_parent::info_with::<()>(schedule),
        ]
    };
    let mut kernels: Vec<_> = Schedule::ALL.into_iter().flat_map(each).collect();
    kernels.extend([list_level::info::<()>(), list_generation::info::<()>()]);
    kernels
}
