//! The operators of trusses: items are numbers of edges, and edges of the graph weigh their number.

use meerkat_runtime::frontier::block_enqueue_frontier;
use meerkat_runtime::graph::{NOT_FOUND, about_out_degree, find_edge_alone};
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// The round of an edge that is not to be removed.
pub(super) const STAYS: u32 = u32::MAX;
/// The same, as far as is known, of an edge that may enter a truss.
pub(super) const CANDIDATE: u32 = STAYS - 1;

/// What is measured of the edges that stay, each with its place: their least support, and how many
/// they are.
pub(super) const LEAST: u32 = 0;
pub(super) const COUNT: u32 = 1;

/// Edges by their number.
#[device_view(EdgeBuffers)]
pub(super) struct EdgesRef {
    /// The ends of each, in any order.
    pub ends: &[Edge],
    /// How many triangles it is in.
    pub support: &[Atomic<u32>],
    /// The round in which it is removed, [`STAYS`] or [`CANDIDATE`].
    pub removed: &[Atomic<u32>],
}

/// The ends of an edge as the graph is now: first the one whose neighbours cost less to walk. Each edge of a new
/// hub would walk the whole hub else.
#[device]
pub(super) fn cheaper_end_first<G: Neighbors<Carried = u32>>(
    graph: &G,
    edges: &EdgesRef,
    e: u32,
) -> (u32, u32) {
    let Edge { src, dst, .. } = edges.ends[e];
    let (degree, other) = (about_out_degree(graph, src), about_out_degree(graph, dst));
    let is_swapped = other < degree;
    (select(is_swapped, dst, src), select(is_swapped, src, dst))
}

#[device]
impl EdgesRef {
    /// Takes a triangle from an edge that stays in this round. Whether it is the one that leaves it
    /// less than `needed`: it goes in the next round.
    fn take_triangle(self, e: u32, needed: u32, round: u32) -> bool {
        let falls = self.support[e].fetch_sub(1) == needed;
        if falls {
            self.removed[e].store(round + 1);
        }
        falls
    }
}

/// Numbers the edges of a list, from `first`.
#[edge_operator]
pub(super) fn number_edges(edge: Edge, at: Place, first: u32, numbered: &mut [Edge<u32>]) {
    numbered[at] = Edge::<u32> { src: edge.src, dst: edge.dst, weight: first + at };
}

/// Notes the ends and the triangles of the edges of a list, which weigh their number from then on:
/// their place.
#[vertex_operator]
pub(super) fn take_support(
    e: Vertex,
    listed: &mut [Edge<u32>],
    ends: &mut [Edge],
    support: &[Atomic<u32>],
) {
    let Edge { src, dst, weight } = listed[e];
    ends[e] = Edge::<()> { src, dst, weight: () };
    support[e].store(weight);
    listed[e] = Edge::<u32> { src, dst, weight: e };
}

/// Notes the ends of the edges of a list, by their numbers from `first`.
#[vertex_operator]
pub(super) fn note_ends(e: Vertex, edges: &[Edge], first: u32, ends: &mut [Edge]) {
    ends[e] = edges[e - first];
}

/// Takes the triangles of `e`, which is removed in this round, from their other edges. Enqueues
/// those that then have less than `needed`.
#[vertex_operator]
pub(super) fn remove_edge<G: Neighbors<Carried = u32>>(
    e: Vertex,
    graph: &G,
    edges: &EdgesRef,
    needed: u32,
    round: u32,
    next: &Frontier<Vertex>,
) {
    let (src, dst): (u32, u32) = cheaper_end_first(graph, edges, e);
    for_each_neighbor(graph, src, true, |w, first| {
        let mut second = first;
        let mut first_falls = false;
        let mut second_falls = false;
        let first_round = edges.removed[first].load();
        // Without the first edge the triangle is gone already.
        if first_round >= round {
            let found: u64 = find_edge_alone(graph, dst, w);
            if found != NOT_FOUND {
                second = found as u32;
                // Of edges that go in one round the smallest takes the triangle, for all of them.
                let second_round = edges.removed[second].load();
                let first_defers = first_round > round || e < first;
                let second_defers = second_round > round || e < second;
                if second_round >= round && first_defers && second_defers {
                    first_falls = first_round > round && edges.take_triangle(first, needed, round);
                    second_falls =
                        second_round > round && edges.take_triangle(second, needed, round);
                }
            }
        }
        warp_enqueue_frontier(next, first, first_falls);
        warp_enqueue_frontier(next, second, second_falls);
    });
}

/// Finds the least support of the edges that stay, and how many they are. For as many threads as
/// edges.
#[kernel]
pub(super) fn measure_left(left: &[Edge<u32>], edges: &EdgesRef, measures: &[Atomic<u32>]) {
    let i = thread_id();
    let mut support = u32::MAX;
    let mut stays = 0u32;
    if i < left.len() {
        let e = left[i].weight;
        if edges.removed[e].load() == STAYS {
            support = edges.support[e].load();
            stays = 1;
        }
    }
    let least = block_reduce_min(support);
    let count = block_reduce_sum(stays);
    if block_thread_id() == 0 && count != 0 {
        measures[LEAST].fetch_min(least);
        measures[COUNT].fetch_add(count);
    }
}

/// Removes the edges of less than `needed` triangles in this round. Those of none take nothing from
/// others, so they are not enqueued. For as many threads as edges.
#[kernel]
pub(super) fn select_below(
    left: &[Edge<u32>],
    edges: &EdgesRef,
    needed: u32,
    round: u32,
    next: &Frontier<Vertex>,
) {
    let i = thread_id();
    let mut e = 0u32;
    let mut takes = false;
    if i < left.len() {
        e = left[i].weight;
        let support = edges.support[e].load();
        if edges.removed[e].load() == STAYS && support < needed {
            edges.removed[e].store(round);
            takes = support != 0;
        }
    }
    block_enqueue_frontier(next, e, takes);
}

/// Lists the edges that stay, of those in a list. For as many threads as edges.
#[kernel]
pub(super) fn list_left(left: &[Edge<u32>], edges: &EdgesRef, listed: &Frontier<Edge<u32>>) {
    let i = thread_id();
    let mut edge = Edge::<u32> { src: 0, dst: 0, weight: 0 };
    let mut stays = false;
    if i < left.len() {
        edge = left[i];
        stays = edges.removed[edge.weight].load() == STAYS;
    }
    block_enqueue_frontier(listed, edge, stays);
}

/// Lists the edges that stay, of the first `count`, with their support. For as many threads as
/// edges.
#[kernel]
pub(super) fn list_truss(count: u32, edges: &EdgesRef, listed: &Frontier<Edge<u32>>) {
    let e = thread_id();
    let mut edge = Edge::<u32> { src: 0, dst: 0, weight: 0 };
    let mut stays = false;
    if e < count {
        let Edge { src, dst, .. } = edges.ends[e];
        stays = edges.removed[e].load() == STAYS;
        edge = Edge::<u32> { src, dst, weight: edges.support[e].load() };
    }
    block_enqueue_frontier(listed, edge, stays);
}

/// Gives each edge the trussness of those that are removed in its round.
#[edge_operator]
pub(super) fn tell_trussness(
    edge: Edge,
    at: Place,
    removed: &[Atomic<u32>],
    of_round: &[u32],
    found: &mut [Edge<u32>],
) {
    let trussness = of_round[removed[at].load()];
    found[at] = Edge::<u32> { src: edge.src, dst: edge.dst, weight: trussness };
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    let mut kernels: Vec<_> =
        Schedule::ALL.map(remove_edge::info_with::<Compact<u32>>).into_iter().collect();
    kernels.extend([
        number_edges::info(),
        take_support::info(),
        note_ends::info(),
        measure_left::info(),
        select_below::info(),
        list_left::info(),
        list_truss::info(),
        tell_trussness::info(),
    ]);
    kernels
}
