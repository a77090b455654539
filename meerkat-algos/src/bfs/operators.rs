//! The operators of breadth-first search, for levels and for trees.

use super::mark::Mark;
use crate::tree::{TreeNode, UNREACHED};
use meerkat_runtime::frontier::block_enqueue_frontier;
use meerkat_runtime::graph::out_degree;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// Reaches the neighbours of `v` that nobody has reached yet.
#[vertex_operator]
pub fn visit<W: Weight, M: Mark>(
    v: Vertex,
    graph: &Graph<W>,
    level: u32,
    marks: &[Atomic<M>],
    next: &Frontier<Vertex>,
) {
    for_each_neighbor(graph, v, true, |dst| {
        let mark = M::reached(level, v);
        let is_first = marks[dst].load().is_free() && marks[dst].fetch_min(mark).is_free();
        warp_enqueue_frontier(next, dst, is_first);
    });
}

/// [`visit`] without a list: any of the parents on the level above will do.
#[vertex_operator]
pub fn visit_unlisted<W: Weight, M: Mark>(
    v: Vertex,
    graph: &Graph<W>,
    level: u32,
    marks: &[Atomic<M>],
) {
    for_each_neighbor(graph, v, true, |dst| {
        if marks[dst].load().is_free() {
            marks[dst].store(M::reached(level, v));
        }
    });
}

/// Reaches `v`, if nobody has, from an in-neighbour one level above.
#[vertex_operator]
pub fn look_up<W: Weight, M: Mark>(
    v: Vertex,
    in_edges: &Graph<W>,
    level: u32,
    marks: &[Atomic<M>],
) {
    let is_free = marks[v].load().is_free();
    let parent = find_neighbor(in_edges, v, is_free, |src| marks[src].load().level() == level - 1);
    if parent != u32::MAX {
        marks[v].store(M::reached(level, parent));
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
/// that nobody has reached. For as many threads as vertices.
#[kernel]
pub fn list_level<W: Weight, M: Mark>(
    graph: &Graph<W>,
    level: u32,
    marks: &[Atomic<M>],
    listed: &Frontier<Vertex>,
    arcs: &[Atomic<u64>],
) {
    let v = thread_id();
    let mut own = UNREACHED - 1;
    if v < marks.len() {
        own = marks[v].load().level();
    }
    list(graph, v, own == level, own == UNREACHED, listed, arcs);
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    let mut kernels = of_mark::<u32>();
    kernels.extend(of_mark::<TreeNode>());
    kernels
}

fn of_mark<M: Mark>() -> Vec<KernelInfo> {
    let each = |schedule| {
        [
            visit::info_with::<(), M>(schedule),
            visit_unlisted::info_with::<(), M>(schedule),
            look_up::info_with::<(), M>(schedule),
        ]
    };
    let mut kernels: Vec<_> = Schedule::ALL.into_iter().flat_map(each).collect();
    kernels.push(list_level::info::<(), M>());
    kernels
}
