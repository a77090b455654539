//! The operators of PageRank that need no precision: lists of affected vertices
//! and the measures of a step.

use super::precision::Rank;
use meerkat_runtime::frontier::block_enqueue_frontier;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// What a step is measured by, each with its place among the measures: the
/// change's L1 norm, its L-infinity norm, the rank of dead ends.
pub(super) const L1: u32 = 0;
pub(super) const L_INFINITY: u32 = 1;
pub(super) const DEAD: u32 = 2;
/// How many measures there are.
pub(super) const MEASURES: u32 = 3;

/// Sums up what each block measured. For one block.
#[kernel]
pub fn combine_measures(of_blocks: &[Atomic<f64>], measures: &[Atomic<f64>]) {
    let blocks = of_blocks.len() / MEASURES;
    let mut l1 = 0.0f64;
    let mut most = 0.0f64;
    let mut dead = 0.0f64;
    let mut block = block_thread_id();
    while block < blocks {
        l1 += of_blocks[L1 * blocks + block].load();
        most = most.max(of_blocks[L_INFINITY * blocks + block].load());
        dead += of_blocks[DEAD * blocks + block].load();
        block += block_size();
    }
    let l1 = block_reduce_sum(l1);
    let most = block_reduce_max(most);
    let dead = block_reduce_sum(dead);
    if block_thread_id() == 0 {
        measures[L1].store(l1);
        measures[L_INFINITY].store(most);
        measures[DEAD].store(dead);
    }
}

/// Whether the caller is the first to mark `v` in this round.
#[device]
pub(super) fn mark(marks: &[Atomic<u32>], v: Vertex, round: u32) -> bool {
    marks[v].load() != round && marks[v].swap(round) != round
}

/// Lists the source of a changed edge, and its destination as affected; the
/// source too if it has a loop, which its out-degree weakens or strengthens.
#[edge_operator]
pub fn affect_ends<W: Weight>(
    edge: Edge<W>,
    self_loops: u32,
    round: u32,
    source_marks: &[Atomic<u32>],
    marks: &[Atomic<u32>],
    sources: &Frontier<Vertex>,
    affected: &Frontier<Vertex>,
) {
    let src = edge.src;
    let dst = edge.dst;
    let new_source = mark(source_marks, src, round);
    warp_enqueue_frontier(sources, src, new_source);
    let newly_affected = mark(marks, dst, round);
    warp_enqueue_frontier(affected, dst, newly_affected);
    let affects_itself = self_loops != 0 && mark(marks, src, round);
    warp_enqueue_frontier(affected, src, affects_itself);
}

/// Lists the out-neighbours of `v` as affected.
#[vertex_operator]
pub fn affect_neighbors<W: Weight>(
    v: Vertex,
    out_edges: &Graph<W>,
    round: u32,
    marks: &[Atomic<u32>],
    affected: &Frontier<Vertex>,
) {
    for_each_neighbor(out_edges, v, true, |dst| {
        let first = mark(marks, dst, round);
        warp_enqueue_frontier(affected, dst, first);
    });
}

/// Lists the vertices that are affected, in order. For as many threads as vertices.
#[kernel]
pub fn select_affected(round: u32, marks: &[Atomic<u32>], affected: &Frontier<Vertex>) {
    let v = thread_id();
    let mut is_affected = false;
    if v < marks.len() {
        is_affected = marks[v].load() == round;
    }
    block_enqueue_frontier(affected, v, is_affected);
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    let mut kernels = vec![
        combine_measures::info(),
        affect_ends::info::<()>(),
        affect_neighbors::info::<()>(),
        select_affected::info(),
    ];
    kernels.extend(f32::kernels());
    kernels.extend(f64::kernels());
    kernels
}
