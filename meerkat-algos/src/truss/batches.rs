//! The operators of a truss that follows batches: edges that go, and candidates to enter it.
//!
//! The state of an edge is its round: [`STAYS`] in the truss, [`CANDIDATE`], or one of earlier
//! rounds outside.

use super::operators::{CANDIDATE, EdgesRef, STAYS, cheaper_end_first};
use meerkat_runtime::graph::{NOT_FOUND, find_edge_alone, has_edge};
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

#[device]
impl EdgesRef {
    /// Whether this lane is the first to find an edge outside the truss in this round.
    fn is_discovered(self, e: u32, round: u32) -> bool {
        self.removed[e].load() < round && self.removed[e].fetch_max(round) < round
    }
}

/// Whether the edge `other` of this state leaves a triangle to the candidate `e`: of the candidates
/// in a triangle the smallest gives it to edges of the truss.
#[device]
fn defers(other: u32, state: u32, e: u32) -> bool {
    state == STAYS || e < other
}

/// Lists an edge that goes with its number, once of its two arcs. If it is of the truss, it is
/// removed in this round.
#[edge_operator]
pub(super) fn remove_from_truss<G: Neighbors<Carried = u32>>(
    edge: Edge,
    graph: &G,
    edges: &EdgesRef,
    round: u32,
    gone: &Frontier<Edge<u32>>,
    next: &Frontier<Vertex>,
) {
    let mut e = 0u32;
    let mut is_there = false;
    let mut is_of_truss = false;
    if edge.src < edge.dst {
        let found: u64 = find_edge_alone(graph, edge.src, edge.dst);
        is_there = found != NOT_FOUND;
        if is_there {
            e = found as u32;
            is_of_truss = edges.removed[e].load() == STAYS;
        }
        if is_of_truss {
            edges.removed[e].store(round);
        }
    }
    let numbered = Edge::<u32> { src: edge.src, dst: edge.dst, weight: e };
    warp_enqueue_frontier(gone, numbered, is_there);
    warp_enqueue_frontier(next, e, is_of_truss);
}

/// Lists an edge that comes, once of its two arcs.
#[edge_operator]
pub(super) fn list_ascending(edge: Edge, listed: &Frontier<Edge>) {
    warp_enqueue_frontier(listed, edge, edge.src < edge.dst);
}

/// Makes `e` a candidate, if all its triangles are enough; else it is out in this round.
#[vertex_operator]
pub(super) fn choose_candidate<G: Neighbors<Carried = u32>>(
    e: Vertex,
    graph: &G,
    edges: &EdgesRef,
    needed: u32,
    round: u32,
    candidates: &Frontier<Vertex>,
) {
    let (src, dst): (u32, u32) = cheaper_end_first(graph, edges, e);
    let mut found = 0u32;
    for_each_neighbor(graph, src, true, |w| {
        if has_edge(graph, dst, w) {
            found += 1;
        }
    });
    let is_enough = found >= needed;
    edges.removed[e].store(select(is_enough, CANDIDATE, round));
    warp_enqueue_frontier(candidates, e, is_enough);
}

/// Enqueues the edges outside the truss that share a triangle with the candidate `e`, each the
/// first time that it is found.
#[vertex_operator]
pub(super) fn discover_edges<G: Neighbors<Carried = u32>>(
    e: Vertex,
    graph: &G,
    edges: &EdgesRef,
    round: u32,
    next: &Frontier<Vertex>,
) {
    let (src, dst): (u32, u32) = cheaper_end_first(graph, edges, e);
    for_each_neighbor(graph, src, true, |w, first| {
        let mut second = first;
        let mut first_is_new = false;
        let mut second_is_new = false;
        let found: u64 = find_edge_alone(graph, dst, w);
        if found != NOT_FOUND {
            second = found as u32;
            first_is_new = edges.is_discovered(first, round);
            second_is_new = edges.is_discovered(second, round);
        }
        warp_enqueue_frontier(next, first, first_is_new);
        warp_enqueue_frontier(next, second, second_is_new);
    });
}

/// Counts the triangles of the candidate `e` with edges of the truss and candidates. Gives those
/// that it is the smallest candidate of to their edges of the truss.
#[vertex_operator]
pub(super) fn give_triangles<G: Neighbors<Carried = u32>>(e: Vertex, graph: &G, edges: &EdgesRef) {
    let (src, dst): (u32, u32) = cheaper_end_first(graph, edges, e);
    let mut counted = 0u32;
    for_each_neighbor(graph, src, true, |w, first| {
        let first_state = edges.removed[first].load();
        if first_state >= CANDIDATE {
            let found: u64 = find_edge_alone(graph, dst, w);
            if found != NOT_FOUND {
                let second = found as u32;
                let second_state = edges.removed[second].load();
                if second_state >= CANDIDATE {
                    counted += 1;
                    let is_smallest =
                        defers(first, first_state, e) && defers(second, second_state, e);
                    if is_smallest && first_state == STAYS {
                        edges.support[first].fetch_add(1);
                    }
                    if is_smallest && second_state == STAYS {
                        edges.support[second].fetch_add(1);
                    }
                }
            }
        }
    });
    edges.support[e].store(counted);
}

/// Removes the candidate `e` in this round, if it has less than `needed` triangles.
#[vertex_operator]
pub(super) fn reject_candidate(
    e: Vertex,
    edges: &EdgesRef,
    needed: u32,
    round: u32,
    next: &Frontier<Vertex>,
) {
    let support = edges.support[e].load();
    let is_weak = support < needed;
    if is_weak {
        edges.removed[e].store(round);
    }
    // It takes nothing from others if it has no triangles.
    warp_enqueue_frontier(next, e, is_weak && support != 0);
}

/// Makes `e` an edge of the truss, if it is a candidate still.
#[vertex_operator]
pub(super) fn accept_candidate(e: Vertex, edges: &EdgesRef) {
    if edges.removed[e].load() == CANDIDATE {
        edges.removed[e].store(STAYS);
    }
}

/// Puts an edge, which weighs its triangles, into the truss, and counts those that the graph has.
#[edge_operator]
pub(super) fn restore_edge<G: Neighbors<Carried = u32>>(
    edge: Edge<u32>,
    graph: &G,
    edges: &EdgesRef,
    restored: &[Atomic<u32>],
) {
    let found: u64 = find_edge_alone(graph, edge.src, edge.dst);
    if found != NOT_FOUND {
        let e = found as u32;
        edges.support[e].store(edge.weight);
        edges.removed[e].store(STAYS);
        restored[0].fetch_add_aggregated(1);
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    let each = |schedule| {
        [
            choose_candidate::info_with::<Compact<u32>>(schedule),
            discover_edges::info_with::<Compact<u32>>(schedule),
            give_triangles::info_with::<Compact<u32>>(schedule),
        ]
    };
    let mut kernels: Vec<_> = Schedule::ALL.into_iter().flat_map(each).collect();
    kernels.extend([
        remove_from_truss::info::<Compact<u32>>(),
        list_ascending::info(),
        reject_candidate::info(),
        accept_candidate::info(),
        restore_edge::info::<Compact<u32>>(),
    ]);
    kernels
}
