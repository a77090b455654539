//! The operators of breadth-first search, for levels and for trees.

use super::state::BfsState;
use crate::tree::{TreeNode, UNREACHED};
use meerkat_runtime::frontier::block_enqueue_frontier;
use meerkat_runtime::graph::about_out_degree;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// Push: reaches the neighbours of `v` that are unreached.
#[vertex_operator]
pub(super) fn visit<G: Neighbors, S: BfsState>(
    v: Vertex,
    graph: &G,
    level: u32,
    states: &[Atomic<S>],
    next: &Frontier<Vertex>,
) {
    for_each_neighbor(graph, v, true, |dst| {
        let state = S::reached(level, v);
        let is_first =
            states[dst].load().is_unreached() && states[dst].fetch_min(state).is_unreached();
        warp_enqueue_frontier(next, dst, is_first);
    });
}

/// [`visit`] without a list: any parent on the level above will do.
#[vertex_operator]
pub(super) fn visit_unlisted<G: Neighbors, S: BfsState>(
    v: Vertex,
    graph: &G,
    level: u32,
    states: &[Atomic<S>],
) {
    for_each_neighbor(graph, v, true, |dst| {
        if states[dst].load().is_unreached() {
            states[dst].store(S::reached(level, v));
        }
    });
}

/// Pull: reaches `v`, if it is unreached, from an in-neighbour one level above.
#[vertex_operator]
pub(super) fn pull<G: Neighbors, S: BfsState>(
    v: Vertex,
    in_edges: &G,
    level: u32,
    states: &[Atomic<S>],
) {
    let is_unreached = states[v].load().is_unreached();
    let parent =
        find_neighbor(in_edges, v, is_unreached, |src| states[src].load().level() == level - 1);
    if parent != u32::MAX {
        states[v].store(S::reached(level, parent));
    }
}

/// Where the sums of [`list_level`] are: the out-edges of the level, and of the vertices
/// not reached yet.
pub(super) const OF_LEVEL: u32 = 0;
pub(super) const OF_UNREACHED: u32 = 1;

/// Lists `v` if it is on the level, and adds its out-edges, about, to a sum. Collective of
/// the block.
#[device]
fn list<G: Neighbors>(
    graph: &G,
    v: Vertex,
    is_listed: bool,
    is_unreached: bool,
    listed: &Frontier<Vertex>,
    arcs: &[Atomic<u64>],
) {
    block_enqueue_frontier(listed, v, is_listed);
    let mut degree = 0u64;
    if is_listed || is_unreached {
        degree = about_out_degree(graph, v) as u64;
    }
    let of_level = block_reduce_sum(select(is_listed, degree, 0u64));
    let of_unreached = block_reduce_sum(select(is_unreached, degree, 0u64));
    if block_thread_id() == 0 {
        arcs[OF_LEVEL].fetch_add(of_level);
        arcs[OF_UNREACHED].fetch_add(of_unreached);
    }
}

/// Lists the vertices of a level, and sums up the out-edges of these and of those
/// not reached yet. For as many threads as vertices.
#[kernel]
pub(super) fn list_level<G: Neighbors, S: BfsState>(
    graph: &G,
    level: u32,
    states: &[Atomic<S>],
    listed: &Frontier<Vertex>,
    arcs: &[Atomic<u64>],
) {
    let v = thread_id();
    let mut own = UNREACHED - 1;
    if v < states.len() {
        own = states[v].load().level();
    }
    list(graph, v, own == level, own == UNREACHED, listed, arcs);
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    let mut kernels = of_state::<u32>();
    kernels.extend(of_state::<TreeNode>());
    let usual = Schedule::Hybrid;
    kernels.extend([
        visit::info_with::<Compact, u32>(usual),
        visit::info_with::<Blocks, u32>(usual),
        visit::info_with::<Rows, u32>(usual),
        pull::info_with::<Compact, u32>(usual),
        pull::info_with::<Blocks, u32>(usual),
        pull::info_with::<Rows, u32>(usual),
    ]);
    kernels
}

fn of_state<S: BfsState>() -> Vec<KernelInfo> {
    let each = |schedule| {
        [
            visit::info_with::<Graph, S>(schedule),
            visit_unlisted::info_with::<Graph, S>(schedule),
            pull::info_with::<Graph, S>(schedule),
        ]
    };
    let mut kernels: Vec<_> = Schedule::ALL.into_iter().flat_map(each).collect();
    kernels.push(list_level::info::<Graph, S>());
    kernels
}
