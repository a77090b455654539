//! Search and insertion, in the language itself, a warp for each edge (Awad et
//! al., algorithms 1 and 2).

use super::layout::{EMPTY_KEY, Edge, Graph, LOCKED_SLAB, NEXT_LANE, NULL_SLAB, TOMBSTONE_KEY};
use crate::scalar::*;
use crate::{Uniform, Weight, device, kernel};

/// The edge was not there and is now.
pub const INSERTED: u32 = 0;
/// The edge was there; its weight, if it has one, is the new one.
pub const PRESENT: u32 = 1;
/// There was no slab left for the edge.
pub const POOL_EXHAUSTED: u32 = 2;

/// The first slab of the list that holds a key: multiplicative hashing, scaled
/// to the number of lists.
#[device]
pub fn slab_list_of<W: Weight>(
    graph: &Graph<W>,
    vertex: Uniform<u32>,
    key: Uniform<u32>,
) -> Uniform<u32> {
    let lists = graph.vertices[vertex];
    let hash: u32 = key * 2654435769;
    let bucket: u64 = (hash as u64 * lists.buckets as u64) >> 32;
    lists.first + bucket as u32
}

/// This lane's word of a slab.
#[device]
pub fn slab_word<W: Weight>(graph: &Graph<W>, slab: Uniform<u32>) -> u32 {
    graph.slabs[slab].word(lane_id()).load()
}

/// The slab after the one whose words the lanes hold. Collective.
#[device]
pub fn next_slab<W: Weight>(_graph: &Graph<W>, word: u32) -> Uniform<u32> {
    warp_broadcast(word, NEXT_LANE)
}

/// Whether the word at a place of a slab is a neighbour: not empty, deleted, a
/// weight or the link.
#[device]
pub fn is_neighbor<W: Weight>(_graph: &Graph<W>, place: u32, key: u32) -> bool {
    (W::KEY_LANES >> place) & 1 == 1 && key < TOMBSTONE_KEY
}

/// The weight that these bits of a slab are.
#[device]
pub fn edge_weight<W: Weight>(_graph: &Graph<W>, bits: u32) -> W {
    W::from_bits(bits)
}

/// Whether the edge is in the graph. Collective.
#[device]
pub fn search_edge<W: Weight>(
    graph: &Graph<W>,
    src: Uniform<u32>,
    dst: Uniform<u32>,
) -> Uniform<bool> {
    let mut slab: Uniform<u32> = slab_list_of(graph, src, dst);
    while slab != NULL_SLAB {
        let word = slab_word(graph, slab);
        if warp_ballot(word == dst) & W::KEY_LANES != 0 {
            return true;
        }
        slab = next_slab(graph, word);
    }
    false
}

/// Inserts an edge once, however many warps try; a weight is overwritten.
/// Returns [`INSERTED`], [`PRESENT`] or [`POOL_EXHAUSTED`]. Collective.
#[device]
pub fn insert_edge<W: Weight>(
    graph: &Graph<W>,
    src: Uniform<u32>,
    dst: Uniform<u32>,
    weight: Uniform<W>,
) -> Uniform<u32> {
    let mut slab: Uniform<u32> = slab_list_of(graph, src, dst);
    loop {
        let word = slab_word(graph, slab);
        let found = warp_ballot(word == dst) & W::KEY_LANES;
        if found != 0 {
            if W::IS_WEIGHTED && lane_id() == found.trailing_zeros() {
                graph.slabs[slab].word(lane_id() + 1).store(weight.to_bits());
            }
            return PRESENT;
        }
        // Keys fill a slab from the front, so two warps with one key meet at
        // the same place and the loser reads the slab again.
        let empty = warp_ballot(word == EMPTY_KEY) & W::KEY_LANES;
        if empty != 0 {
            let seen: Uniform<u32> = claim(graph, slab, empty.trailing_zeros(), dst, weight);
            if seen == EMPTY_KEY {
                return INSERTED;
            }
        } else {
            let mut next: Uniform<u32> = warp_broadcast(word, NEXT_LANE);
            if next == NULL_SLAB {
                next = extend_slab_list(graph, slab);
                if next == NULL_SLAB {
                    return POOL_EXHAUSTED;
                }
            }
            if next != LOCKED_SLAB {
                slab = next;
            }
        }
    }
}

/// Puts a key into an empty place; returns what was there before. Collective.
#[device]
fn claim<W: Weight>(
    graph: &Graph<W>,
    slab: Uniform<u32>,
    lane: Uniform<u32>,
    dst: Uniform<u32>,
    weight: Uniform<W>,
) -> Uniform<u32> {
    let mut seen = EMPTY_KEY;
    if lane_id() == lane {
        if W::IS_WEIGHTED {
            // Key and weight appear together.
            let empty: u64 = (EMPTY_KEY as u64) << 32 | EMPTY_KEY as u64;
            let pair: u64 = (weight.to_bits() as u64) << 32 | dst as u64;
            seen = graph.slabs[slab].pair(lane).compare_and_swap(empty, pair) as u32;
        } else {
            seen = graph.slabs[slab].word(lane).compare_and_swap(EMPTY_KEY, dst);
        }
    }
    warp_broadcast(seen, lane)
}

/// Links a slab from the pool behind a full one. Returns the next slab,
/// [`LOCKED_SLAB`] if another warp is at it, [`NULL_SLAB`] if the pool is
/// exhausted. Collective.
#[device]
fn extend_slab_list<W: Weight>(graph: &Graph<W>, slab: Uniform<u32>) -> Uniform<u32> {
    let mut next = NULL_SLAB;
    if lane_id() == NEXT_LANE {
        // The lock keeps a slab from being taken and then not linked.
        next = graph.slabs[slab].word(NEXT_LANE).compare_and_swap(NULL_SLAB, LOCKED_SLAB);
        if next == NULL_SLAB {
            let fresh = graph.pool[0].fetch_add(1);
            if fresh < graph.slabs.len() {
                next = fresh;
            }
            graph.slabs[slab].word(NEXT_LANE).store(next);
        }
    }
    warp_broadcast(next, NEXT_LANE)
}

/// Inserts a list of edges, each lane's in turn.
#[kernel]
pub fn insert_edges<W: Weight>(graph: &Graph<W>, edges: &[Edge<W>]) {
    let i = thread_id();
    let pending = i < edges.len();
    let mut edge: Edge<W> = Edge { src: 0, dst: 0, weight: W::ZERO };
    if pending {
        edge = edges[i];
    }
    let mut outcome = PRESENT;
    let mut work = warp_ballot(pending);
    while work != 0 {
        let lane = warp_dequeue(&mut work);
        let src = warp_broadcast(edge.src, lane);
        let dst = warp_broadcast(edge.dst, lane);
        let weight = warp_broadcast(edge.weight, lane);
        let inserted: Uniform<u32> = insert_edge(graph, src, dst, weight);
        if lane_id() == lane {
            outcome = inserted;
        }
    }
    if outcome == INSERTED {
        graph.degrees[edge.src].fetch_add(1);
    }
    if outcome == POOL_EXHAUSTED {
        graph.pool[1].fetch_add(1);
    }
}

/// Tells for each of a list of edges whether the graph has it: 1 or 0.
#[kernel]
pub fn search_edges<W: Weight>(graph: &Graph<W>, edges: &[Edge<W>], found: &mut [u32]) {
    let i = thread_id();
    let pending = i < edges.len();
    let mut edge: Edge<W> = Edge { src: 0, dst: 0, weight: W::ZERO };
    if pending {
        edge = edges[i];
    }
    let mut present = false;
    let mut work = warp_ballot(pending);
    while work != 0 {
        let lane = warp_dequeue(&mut work);
        let src = warp_broadcast(edge.src, lane);
        let dst = warp_broadcast(edge.dst, lane);
        let is_there: Uniform<bool> = search_edge(graph, src, dst);
        if lane_id() == lane {
            present = is_there;
        }
    }
    if pending {
        found[i] = present as u32;
    }
}
