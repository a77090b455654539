//! The operators of PageRank: ranks in either precision, lists of affected vertices, the
//! measures of a step.

use super::model::{Bounds, ENDS_MEASURED, ENDS_NEVER, Model};
use meerkat_runtime::frontier::block_enqueue_frontier;
use meerkat_runtime::graph::out_degree;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use meerkat_runtime::{VertexItems, item_count, vertex_item};

/// What a step is measured by, each with its place among the measures: the
/// change's L1 norm, its L-infinity norm, the rank of dead ends, and how many vertices
/// changed by more than may stay unpropagated.
pub(super) const L1: u32 = 0;
pub(super) const L_INFINITY: u32 = 1;
pub(super) const DEAD: u32 = 2;
pub(super) const ABOVE: u32 = 3;
/// How many measures there are.
pub(super) const MEASURES: u32 = 4;

/// The ranks before a step and after it. While a batch is followed locally, the ranks before
/// are those that were propagated to the out-neighbours.
#[device_view(StepBuffers)]
pub(super) struct StepRef<R: Float> {
    /// Before.
    pub ranks: &[R],
    /// After, of those who take part.
    pub next: &[R],
}

#[device]
impl<R: Float> StepRef<R> {
    /// How much the rank of `v` changes.
    pub fn change(self, v: Vertex) -> f64 {
        (self.next[v].to_f64() - self.ranks[v].to_f64()).abs()
    }

    /// The larger of both.
    pub fn larger(self, v: Vertex) -> f64 {
        self.ranks[v].to_f64().max(self.next[v].to_f64())
    }

    /// Whether the change of `v` is too large to stay unpropagated.
    pub fn is_above(self, v: Vertex, bounds: Bounds) -> bool {
        is_above(self.ranks[v].to_f64(), self.next[v].to_f64(), bounds)
    }

    /// Whether the change of `v` is propagated to its out-neighbours.
    pub fn is_propagated(self, v: Vertex, bounds: Bounds, end: &EndRef) -> bool {
        is_propagated(self.ranks[v].to_f64(), self.next[v].to_f64(), bounds, end)
    }
}

/// What says that all changes may stay unpropagated.
#[device_view(End)]
pub(super) struct EndRef {
    /// Of the step, if it is measured.
    pub measures: &[Atomic<f64>],
    /// The last two rounds that changed somebody by more than may stay unpropagated, the even one first.
    pub above: &[Atomic<u32>],
}

#[device]
impl EndRef {
    /// Whether changes that may stay unpropagated are propagated.
    fn is_open(self, bounds: Bounds) -> bool {
        let before = bounds.round - 1;
        let is_above_before = self.above[before % 2].load() == before;
        let is_above = self.measures[ABOVE].load() != 0.0;
        bounds.ends == ENDS_NEVER || select(bounds.ends == ENDS_MEASURED, is_above, is_above_before)
    }
}

/// Whether a change is propagated to out-neighbours. What may stay unpropagated is not, once
/// everything may.
#[device]
fn is_propagated(before: f64, after: f64, bounds: Bounds, end: &EndRef) -> bool {
    let rank: f64 = before.max(after);
    let allowed: f64 = (bounds.frontier_tolerance * rank).min(bounds.most_residual);
    let is_large = (after - before).abs() > allowed.max(bounds.rounding * rank);
    is_large && (end.is_open(bounds) || is_above(before, after, bounds))
}

/// Whether a change is too large to stay unpropagated.
#[device]
fn is_above(before: f64, after: f64, bounds: Bounds) -> bool {
    let rank: f64 = before.max(after);
    let allowed: f64 = (bounds.residual * rank).min(bounds.most_residual);
    (after - before).abs() > allowed.max(bounds.rounding * rank)
}

/// Gives `v` this rank, before any step.
#[vertex_operator]
pub(super) fn begin<R: Float>(v: Vertex, rank: R, ranks: &mut [R], next: &mut [R]) {
    ranks[v] = R::ZERO;
    next[v] = rank;
}

/// Multiplies the rank of `v`.
#[vertex_operator]
pub(super) fn rescale<R: Float>(v: Vertex, factor: R, ranks: &[R], next: &mut [R]) {
    next[v] = ranks[v] * factor;
}

/// Counts the out-edges of `v`. Not every container has their number at hand, and steps ask for
/// it each time.
#[vertex_operator]
pub(super) fn count_out_edges<G: Neighbors>(v: Vertex, graph: &G, out_edges: &mut [u32]) {
    out_edges[v] = out_degree(graph, v);
}

/// What a vertex with this rank passes on along each of its out-edges.
#[device]
fn share<R: Float>(out_edges: u32, model: Model, rank: R) -> R {
    let ways = out_edges + model.self_loops;
    select(ways == 0, R::ZERO, rank / R::from_u32(ways))
}

/// The rank of a vertex that receives this from its in-neighbours.
#[device]
fn rank_of(received: f64, out_edges: u32, model: Model, dead: f64) -> f64 {
    let mut rank = model.base + model.dead_weight * dead + model.damping * received;
    if model.self_loops != 0 {
        // What it passes to itself comes back at once, and again: the limit of that is a factor.
        rank = rank / (1.0 - model.damping / (out_edges + 1) as f64);
    }
    rank
}

/// The rank that `v` gets from its in-neighbours, each of which passes
/// on its own in equal shares, and the share that `v` will pass on of it. The
/// rank itself is kept where a change is measured from it or to it, and
/// of dead ends.
#[vertex_operator]
pub(super) fn pull<R: Float, G: Neighbors>(
    v: Vertex,
    in_edges: &G,
    model: Model,
    keeps: bool,
    measures: &[Atomic<f64>],
    out_edges: &[u32],
    shares: &[R],
    next: &mut [R],
    next_shares: &mut [R],
) {
    let mut received = 0.0f64;
    for_each_neighbor(in_edges, v, true, |src| {
        // In single precision the sum of many equal shares is too far off.
        received += shares[src].to_f64();
    });
    let rank: f64 = rank_of(received, out_edges[v], model, measures[DEAD].load());
    if keeps || out_edges[v] == 0 {
        next[v] = R::from_f64(rank);
    }
    next_shares[v] = share(out_edges[v], model, R::from_f64(rank));
}

/// [`pull`], where a lane adds up thousands of shares. Those of a star are equal, and what is lost of one is lost of
/// each: of 20,000 it is more than the tolerance. Rounded to 2^-52 of `most`, a power of two that they do not exceed
/// together, they add up without an error; what that leaves of each is small.
#[vertex_operator]
pub(super) fn pull_exactly<R: Float, G: Neighbors>(
    v: Vertex,
    in_edges: &G,
    model: Model,
    most: f64,
    keeps: bool,
    measures: &[Atomic<f64>],
    out_edges: &[u32],
    shares: &[R],
    next: &mut [R],
    next_shares: &mut [R],
) {
    let mut received = 0.0f64;
    let mut rest = 0.0f64;
    for_each_neighbor(in_edges, v, true, |src| {
        let share: f64 = shares[src].to_f64();
        let rounded = share + most - most;
        received += rounded;
        rest += share - rounded;
    });
    let rank: f64 = rank_of(received + rest, out_edges[v], model, measures[DEAD].load());
    if keeps || out_edges[v] == 0 {
        next[v] = R::from_f64(rank);
    }
    next_shares[v] = share(out_edges[v], model, R::from_f64(rank));
}

/// What the step changes, and the rank of dead ends; each block for its vertices.
#[kernel]
pub(super) fn measure<R: Float>(
    vertices: &VertexItems,
    out_edges: &[u32],
    bounds: Bounds,
    step: &StepRef<R>,
    of_blocks: &[Atomic<f64>],
) {
    let blocks = of_blocks.len() / MEASURES;
    let block = block_id();
    let count: Uniform<u32> = item_count(vertices);
    let mut l1 = 0.0f64;
    let mut most = 0.0f64;
    let mut dead = 0.0f64;
    let mut above = 0.0f64;
    let mut i = select(block < blocks, thread_id(), count);
    while i < count {
        let v = vertex_item(vertices, i);
        let change = step.change(v);
        l1 += change;
        most = most.max(change);
        above += select(step.is_above(v, bounds), 1.0, 0.0);
        if out_edges[v] == 0 {
            dead += step.next[v].to_f64();
        }
        i += blocks * block_size();
    }
    let l1 = block_reduce_sum(l1);
    let most = block_reduce_max(most);
    let dead = block_reduce_sum(dead);
    let above = block_reduce_sum(above);
    if block_thread_id() == 0 && block < blocks {
        of_blocks[L1 * blocks + block].store(l1);
        of_blocks[L_INFINITY * blocks + block].store(most);
        of_blocks[DEAD * blocks + block].store(dead);
        of_blocks[ABOVE * blocks + block].store(above);
    }
}

/// Notes which vertices are dead ends, 32 to a word. For as many threads as vertices.
#[kernel]
pub(super) fn note_dead_ends(out_edges: &[u32], dead_ends: &[Atomic<u32>]) {
    let v = thread_id();
    let mut is_dead_end = false;
    if v < out_edges.len() {
        is_dead_end = out_edges[v] == 0;
    }
    let word = warp_ballot(is_dead_end);
    if lane_id() == 0 && v < out_edges.len() {
        dead_ends[v / 32].store(word);
    }
}

/// The rank of dead ends after a step, and no change; each warp for 1024 vertices, and so on.
#[kernel]
pub(super) fn measure_dead_ends<R: Float>(
    dead_ends: &[Atomic<u32>],
    next: &[R],
    of_blocks: &[Atomic<f64>],
) {
    let blocks = of_blocks.len() / MEASURES;
    let block = block_id();
    let mut dead = 0.0f64;
    let mut first = select(block < blocks, global_warp_id() * 32, dead_ends.len());
    while first < dead_ends.len() {
        let at = first + lane_id();
        let mut own = 0u32;
        if at < dead_ends.len() {
            own = dead_ends[at].load();
        }
        for k in 0..32 {
            let word: u32 = warp_broadcast(own, k);
            if (word >> lane_id()) & 1 != 0 {
                dead += next[(first + k) * 32 + lane_id()].to_f64();
            }
        }
        first += blocks * block_size();
    }
    let dead = block_reduce_sum(dead);
    if block_thread_id() == 0 && block < blocks {
        of_blocks[L1 * blocks + block].store(0.0);
        of_blocks[L_INFINITY * blocks + block].store(0.0);
        of_blocks[DEAD * blocks + block].store(dead);
        of_blocks[ABOVE * blocks + block].store(0.0);
    }
}

/// Lists `v` and its out-neighbours for the next step, if its change is propagated, and notes that it may
/// not stay unpropagated.
#[vertex_operator]
pub(super) fn expand<R: Float, G: Neighbors>(
    v: Vertex,
    out_edges: &G,
    bounds: Bounds,
    step: &StepRef<R>,
    end: &EndRef,
    marks: &[Atomic<u32>],
    affected: &Frontier<Vertex>,
) {
    let is_propagated: bool = step.is_propagated(v, bounds, end);
    if step.is_above(v, bounds) {
        end.above[bounds.round % 2].store(bounds.round);
    }
    let moves = is_propagated && step.change(v) > bounds.prune_tolerance * step.larger(v);
    let is_affected = moves && mark(marks, v, bounds.round);
    warp_enqueue_frontier(affected, v, is_affected);
    for_each_neighbor(out_edges, v, is_propagated, |dst| {
        let first = mark(marks, dst, bounds.round);
        warp_enqueue_frontier(affected, dst, first);
    });
}

/// Marks `v` and its out-neighbours for the next step, if its change is propagated.
/// Where a vertex never rests, it is marked until the steps end.
#[vertex_operator]
pub(super) fn spread<R: Float, G: Neighbors>(
    v: Vertex,
    out_edges: &G,
    bounds: Bounds,
    step: &StepRef<R>,
    end: &EndRef,
    marks: &[Atomic<u32>],
) {
    let is_propagated: bool = step.is_propagated(v, bounds, end);
    let goes_on: bool = end.is_open(bounds);
    let moves = is_propagated && step.change(v) > bounds.prune_tolerance * step.larger(v);
    if moves || bounds.prune_tolerance < 0.0 && goes_on {
        marks[v].store(bounds.round);
    }
    for_each_neighbor(out_edges, v, is_propagated, |dst| {
        if marks[dst].load() != bounds.round {
            marks[dst].store(bounds.round);
        }
    });
}

/// Makes what the step computed for `v` what its out-neighbours get of it, if the change is
/// large enough.
#[vertex_operator]
pub(super) fn publish<R: Float>(
    v: Vertex,
    bounds: Bounds,
    end: &EndRef,
    next: &[R],
    next_shares: &[R],
    ranks: &mut [R],
    shares: &mut [R],
) {
    if is_propagated(ranks[v].to_f64(), next[v].to_f64(), bounds, end) {
        ranks[v] = next[v];
        shares[v] = next_shares[v];
    }
}

/// Divides the rank of `v` among the out-edges that there are.
#[vertex_operator]
pub(super) fn divide<R: Float>(
    v: Vertex,
    out_edges: &[u32],
    model: Model,
    ranks: &[R],
    shares: &mut [R],
) {
    shares[v] = share(out_edges[v], model, ranks[v]);
}

/// Sums up what each block measured. For one block.
#[kernel]
pub(super) fn combine_measures(of_blocks: &[Atomic<f64>], measures: &[Atomic<f64>]) {
    let blocks = of_blocks.len() / MEASURES;
    let mut l1 = 0.0f64;
    let mut most = 0.0f64;
    let mut dead = 0.0f64;
    let mut above = 0.0f64;
    let mut block = block_thread_id();
    while block < blocks {
        l1 += of_blocks[L1 * blocks + block].load();
        most = most.max(of_blocks[L_INFINITY * blocks + block].load());
        dead += of_blocks[DEAD * blocks + block].load();
        above += of_blocks[ABOVE * blocks + block].load();
        block += block_size();
    }
    let l1 = block_reduce_sum(l1);
    let most = block_reduce_max(most);
    let dead = block_reduce_sum(dead);
    let above = block_reduce_sum(above);
    if block_thread_id() == 0 {
        measures[L1].store(l1);
        measures[L_INFINITY].store(most);
        measures[DEAD].store(dead);
        measures[ABOVE].store(above);
    }
}

/// Whether the caller is the first to mark `v` in this round.
#[device]
pub(super) fn mark(marks: &[Atomic<u32>], v: Vertex, round: u32) -> bool {
    marks[v].load() != round && marks[v].swap(round) != round
}

/// Lists the source of a changed edge, and its destination as affected; the
/// source too if it has a loop, which its out-degree weakens or strengthens. Edges outside the graph are left out.
#[edge_operator]
pub(super) fn affect_ends<W: Weight>(
    edge: Edge<W>,
    self_loops: u32,
    source_round: u32,
    round: u32,
    source_marks: &[Atomic<u32>],
    marks: &[Atomic<u32>],
    sources: &Frontier<Vertex>,
    affected: &Frontier<Vertex>,
) {
    let src = edge.src;
    let dst = edge.dst;
    let is_inside = src < marks.len() && dst < marks.len();
    let new_source = is_inside && mark(source_marks, src, source_round);
    warp_enqueue_frontier(sources, src, new_source);
    let newly_affected = is_inside && mark(marks, dst, round);
    warp_enqueue_frontier(affected, dst, newly_affected);
    let affects_itself = is_inside && self_loops != 0 && mark(marks, src, round);
    warp_enqueue_frontier(affected, src, affects_itself);
}

/// Lists the out-neighbours of `v` as affected.
#[vertex_operator]
pub(super) fn affect_neighbors<G: Neighbors>(
    v: Vertex,
    out_edges: &G,
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
pub(super) fn select_affected(round: u32, marks: &[Atomic<u32>], affected: &Frontier<Vertex>) {
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
        note_dead_ends::info(),
        affect_ends::info::<()>(),
        affect_neighbors::info::<Graph>(),
        count_out_edges::info::<Graph>(),
        select_affected::info(),
    ];
    kernels.extend(of_precision::<f32>());
    kernels.extend(of_precision::<f64>());
    kernels
}

fn of_precision<R: Float>() -> Vec<KernelInfo> {
    let each = |schedule| {
        [
            pull::info_with::<R, Graph>(schedule),
            pull_exactly::info_with::<R, Graph>(schedule),
            expand::info_with::<R, Graph>(schedule),
            spread::info_with::<R, Graph>(schedule),
        ]
    };
    let mut kernels: Vec<_> = Schedule::ALL.into_iter().flat_map(each).collect();
    kernels.extend([
        begin::info::<R>(),
        rescale::info::<R>(),
        measure::info::<R>(),
        measure_dead_ends::info::<R>(),
        publish::info::<R>(),
        divide::info::<R>(),
    ]);
    kernels
}
