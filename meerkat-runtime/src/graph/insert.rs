//! Insertion in the language itself (Awad et al., algorithm 1, with tiles of 8
//! lanes in place of warps).

use super::layout::{
    EMPTY_KEY, Edge, Graph, LOCKED_SLAB, NEXT_LANE, NO_ITEM, NULL_SLAB, TOMBSTONE_KEY, item_of_tile,
};
use super::pool::take_slab;
use super::search::{arc_and_list, words_with};
use crate::scalar::*;
use crate::{TileUniform, Weight, device, kernel};

/// The edge was not there and is now.
pub const INSERTED: u32 = 0;
/// The edge was there; its weight, if it has one, is the new one.
pub const PRESENT: u32 = 1;
/// There was no slab left for the edge.
pub const POOL_EXHAUSTED: u32 = 2;

/// Inserts an edge once, however many tiles try; a weight is overwritten.
/// Returns [`INSERTED`], [`PRESENT`] or [`POOL_EXHAUSTED`]. Collective of the
/// tile.
#[device]
pub fn insert_edge<W: Weight>(
    graph: &Graph<W>,
    head: TileUniform<8, u32>,
    dst: TileUniform<8, u32>,
    weight: TileUniform<8, W>,
) -> TileUniform<8, u32> {
    let part = tile::<8>().lane_id();
    let mut slab = head;
    loop {
        let words = graph.slabs[slab].quad(part);
        let same = words_with(graph, words, part, dst);
        let empty = words_with(graph, words, part, EMPTY_KEY);
        let empties = tile::<8>().ballot(empty != 0);
        if tile::<8>().any(same != 0) {
            if W::IS_WEIGHTED && same != 0 {
                let place = part * 4 + same.trailing_zeros();
                graph.slabs[slab].word(place + 1).store(weight.to_bits());
            }
            return PRESENT;
        }
        // Keys fill a slab from the front, so two tiles with one key meet at
        // the same place and the loser reads the slab again.
        if empties != 0 {
            let lane = empties.trailing_zeros();
            let mut seen = EMPTY_KEY;
            if part == lane {
                let place = part * 4 + empty.trailing_zeros();
                seen = claim(graph, slab, place, dst, weight);
            }
            if tile::<8>().broadcast(seen, lane) == EMPTY_KEY {
                return INSERTED;
            }
        } else {
            let mut next = words[3];
            if part == 7 && next == NULL_SLAB {
                next = extend_slab_list(graph, slab);
            }
            let linked = tile::<8>().broadcast(next, 7);
            if linked == NULL_SLAB {
                return POOL_EXHAUSTED;
            }
            if linked != LOCKED_SLAB {
                slab = linked;
            }
        }
    }
}

/// Puts a key into an empty place; returns what was there before.
#[device]
fn claim<W: Weight>(graph: &Graph<W>, slab: u32, place: u32, dst: u32, weight: W) -> u32 {
    if W::IS_WEIGHTED {
        // Key and weight appear together.
        let empty: u64 = (EMPTY_KEY as u64) << 32 | EMPTY_KEY as u64;
        let pair: u64 = (weight.to_bits() as u64) << 32 | dst as u64;
        graph.slabs[slab].pair(place).compare_and_swap(empty, pair) as u32
    } else {
        graph.slabs[slab].word(place).compare_and_swap(EMPTY_KEY, dst)
    }
}

/// Links a slab from the pool behind a full one. Returns the next slab,
/// [`LOCKED_SLAB`] if another lane is at it, [`NULL_SLAB`] if the pool is
/// exhausted.
#[device]
fn extend_slab_list<W: Weight>(graph: &Graph<W>, slab: u32) -> u32 {
    // The lock keeps a slab from being taken and then not linked.
    let mut next = graph.slabs[slab].word(NEXT_LANE).compare_and_swap(NULL_SLAB, LOCKED_SLAB);
    if next == NULL_SLAB {
        next = take_slab(graph);
        graph.slabs[slab].word(NEXT_LANE).store(next);
    }
    next
}

/// Puts an edge into the place of a deleted one of its list; it is not there, and
/// nobody searches meanwhile. Collective of the tile.
#[device]
pub fn restore_edge<W: Weight>(
    graph: &Graph<W>,
    head: TileUniform<8, u32>,
    dst: TileUniform<8, u32>,
    weight: TileUniform<8, W>,
) -> TileUniform<8, u32> {
    let part = tile::<8>().lane_id();
    let mut slab = head;
    while slab != NULL_SLAB {
        let words = graph.slabs[slab].quad(part);
        let deleted = words_with(graph, words, part, TOMBSTONE_KEY);
        let places = tile::<8>().ballot(deleted != 0);
        if places != 0 {
            let lane = places.trailing_zeros();
            let mut seen = EMPTY_KEY;
            if part == lane {
                let place = part * 4 + deleted.trailing_zeros();
                seen = graph.slabs[slab].word(place).compare_and_swap(TOMBSTONE_KEY, dst);
                if W::IS_WEIGHTED && seen == TOMBSTONE_KEY {
                    graph.slabs[slab].word(place + 1).store(weight.to_bits());
                }
            }
            if tile::<8>().broadcast(seen, lane) == TOMBSTONE_KEY {
                return INSERTED;
            }
        } else {
            slab = tile::<8>().broadcast(words[3], 7);
        }
    }
    POOL_EXHAUSTED
}

/// Takes back the deletion of a list of edges, each of which was there: the way
/// back needs no slab. A tile takes `per_tile` edges, its lanes' in turn.
#[kernel]
pub fn restore_edges<W: Weight>(
    graph: &Graph<W>,
    edges: &[Edge<W>],
    per_tile: u32,
    reversed: bool,
) {
    let me = tile::<8>().lane_id();
    let i = item_of_tile(edges.len(), per_tile);
    let (arc, head) = arc_and_list(graph, edges, i, reversed);
    let mut work = tile::<8>().ballot(i != NO_ITEM);
    while work != 0 {
        let lane = tile::<8>().dequeue(&mut work);
        let slab = tile::<8>().broadcast(head, lane);
        let dst = tile::<8>().broadcast(arc.dst, lane);
        let weight = tile::<8>().broadcast(arc.weight, lane);
        let restored: TileUniform<8, u32> = restore_edge(graph, slab, dst, weight);
        if me == lane && restored == INSERTED {
            graph.degrees[arc.src].fetch_add(1);
        }
    }
}

/// Inserts a list of edges; `reversed`, into the lists of their destinations. A
/// tile takes `per_tile` edges, its lanes' in turn. Degrees count what is new;
/// `planned`, they have counted all edges and lose the repeated ones.
#[kernel]
pub fn insert_edges<W: Weight>(
    graph: &Graph<W>,
    edges: &[Edge<W>],
    per_tile: u32,
    reversed: bool,
    planned: bool,
) {
    let me = tile::<8>().lane_id();
    let i = item_of_tile(edges.len(), per_tile);
    let (arc, head) = arc_and_list(graph, edges, i, reversed);
    let mut outcome = PRESENT;
    let mut work = tile::<8>().ballot(i != NO_ITEM);
    while work != 0 {
        let lane = tile::<8>().dequeue(&mut work);
        let slab = tile::<8>().broadcast(head, lane);
        let dst = tile::<8>().broadcast(arc.dst, lane);
        let weight = tile::<8>().broadcast(arc.weight, lane);
        let inserted: TileUniform<8, u32> = insert_edge(graph, slab, dst, weight);
        if me == lane {
            outcome = inserted;
        }
    }
    if outcome == INSERTED {
        if !planned {
            graph.degrees[arc.src].fetch_add(1);
        }
        if graph.updated.len() != 0 {
            graph.updated[head].store(1);
        }
    }
    if planned && i != NO_ITEM && outcome == PRESENT {
        graph.degrees[arc.src].fetch_sub(1);
    }
}
