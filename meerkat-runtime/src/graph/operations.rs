//! Search, insertion and deletion in the language itself: a tile of 8 lanes for
//! each edge, a slab in one 16-byte load a lane (Awad et al., algorithms 1 and
//! 2, with tiles in place of warps).

use super::layout::{EMPTY_KEY, Edge, Graph, LOCKED_SLAB, NEXT_LANE, NULL_SLAB, TOMBSTONE_KEY};
use crate::scalar::*;
use crate::{TileUniform, Weight, device, kernel};

/// The edge was not there and is now.
pub const INSERTED: u32 = 0;
/// The edge was there; its weight, if it has one, is the new one.
pub const PRESENT: u32 = 1;
/// There was no slab left for the edge.
pub const POOL_EXHAUSTED: u32 = 2;
/// The edge is not there.
pub const ABSENT: u32 = 3;
/// The edge was there and is not any more.
pub const DELETED: u32 = 4;
/// No place of a slab.
const NOWHERE: u32 = 32;

/// The first slab of the list that holds a key: multiplicative hashing, scaled
/// to the number of lists.
#[device]
pub fn slab_list_of<W: Weight>(graph: &Graph<W>, vertex: u32, key: u32) -> u32 {
    let lists = graph.vertices[vertex];
    let hash: u32 = key * 2654435769;
    let bucket: u64 = (hash as u64 * lists.buckets as u64) >> 32;
    lists.first + bucket as u32
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

/// The first place of a key among this lane's four words, or [`NOWHERE`].
#[device]
fn place_of<W: Weight>(_graph: &Graph<W>, words: [u32; 4], part: u32, key: u32) -> u32 {
    let first = part * 4;
    let mut place = NOWHERE;
    if words[3] == key && (W::KEY_LANES >> (first + 3)) & 1 == 1 {
        place = first + 3;
    }
    if words[2] == key {
        place = first + 2;
    }
    if words[1] == key && !W::IS_WEIGHTED {
        place = first + 1;
    }
    if words[0] == key {
        place = first;
    }
    // The last part of a weighted slab: one pair fewer, then the link.
    select((W::KEY_LANES >> (place & 31)) & 1 == 1, place, NOWHERE)
}

/// Whether the edge is in the graph, from the slab its list starts with.
/// Collective of the tile.
#[device]
pub fn search_edge<W: Weight>(
    graph: &Graph<W>,
    head: TileUniform<8, u32>,
    dst: TileUniform<8, u32>,
) -> TileUniform<8, bool> {
    let part = tile::<8>().lane_id();
    let mut slab = head;
    while slab != NULL_SLAB {
        let words = graph.slabs[slab].quad(part);
        let place = place_of(graph, words, part, dst);
        if tile::<8>().any(place != NOWHERE) {
            return true;
        }
        slab = tile::<8>().broadcast(words[3], 7);
    }
    false
}

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
        let place = place_of(graph, words, part, dst);
        if tile::<8>().any(place != NOWHERE) {
            if W::IS_WEIGHTED && place != NOWHERE {
                graph.slabs[slab].word(place + 1).store(weight.to_bits());
            }
            return PRESENT;
        }
        // Keys fill a slab from the front, so two tiles with one key meet at
        // the same place and the loser reads the slab again.
        let empty = place_of(graph, words, part, EMPTY_KEY);
        let empties = tile::<8>().ballot(empty != NOWHERE);
        if empties != 0 {
            let lane = empties.trailing_zeros();
            let mut seen = EMPTY_KEY;
            if part == lane {
                seen = claim(graph, slab, empty, dst, weight);
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
        let fresh = graph.pool[0].fetch_add(1);
        if fresh < graph.slabs.len() {
            next = fresh;
        }
        graph.slabs[slab].word(NEXT_LANE).store(next);
    }
    next
}

/// Deletes an edge; its place stays taken until compaction. Returns [`DELETED`]
/// or [`ABSENT`]. Collective of the tile.
#[device]
pub fn delete_edge<W: Weight>(
    graph: &Graph<W>,
    head: TileUniform<8, u32>,
    dst: TileUniform<8, u32>,
) -> TileUniform<8, u32> {
    let part = tile::<8>().lane_id();
    let mut slab = head;
    while slab != NULL_SLAB {
        let words = graph.slabs[slab].quad(part);
        let place = place_of(graph, words, part, dst);
        let found = tile::<8>().ballot(place != NOWHERE);
        if found != 0 {
            let mut seen = TOMBSTONE_KEY;
            if place != NOWHERE {
                // Of several tiles that delete one edge, one succeeds.
                seen = graph.slabs[slab].word(place).compare_and_swap(dst, TOMBSTONE_KEY);
            }
            let first = tile::<8>().broadcast(seen, found.trailing_zeros()) == dst;
            return if first { DELETED } else { ABSENT };
        }
        slab = tile::<8>().broadcast(words[3], 7);
    }
    ABSENT
}

/// Inserts a list of edges, the lanes of a tile in turn.
#[kernel]
pub fn insert_edges<W: Weight>(graph: &Graph<W>, edges: &[Edge<W>]) {
    let i = thread_id();
    let pending = i < edges.len();
    let mut edge: Edge<W> = Edge { src: 0, dst: 0, weight: W::ZERO };
    let mut head = NULL_SLAB;
    if pending {
        edge = edges[i];
        head = slab_list_of(graph, edge.src, edge.dst);
    }
    let mut outcome = PRESENT;
    let mut work = tile::<8>().ballot(pending);
    while work != 0 {
        let lane = tile::<8>().dequeue(&mut work);
        let slab = tile::<8>().broadcast(head, lane);
        let dst = tile::<8>().broadcast(edge.dst, lane);
        let weight = tile::<8>().broadcast(edge.weight, lane);
        let inserted: TileUniform<8, u32> = insert_edge(graph, slab, dst, weight);
        if tile::<8>().lane_id() == lane {
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

/// Deletes a list of edges, the lanes of a tile in turn.
#[kernel]
pub fn delete_edges<W: Weight>(graph: &Graph<W>, edges: &[Edge<W>]) {
    let i = thread_id();
    let pending = i < edges.len();
    let mut edge: Edge<W> = Edge { src: 0, dst: 0, weight: W::ZERO };
    let mut head = NULL_SLAB;
    if pending {
        edge = edges[i];
        head = slab_list_of(graph, edge.src, edge.dst);
    }
    let mut outcome = ABSENT;
    let mut work = tile::<8>().ballot(pending);
    while work != 0 {
        let lane = tile::<8>().dequeue(&mut work);
        let slab = tile::<8>().broadcast(head, lane);
        let dst = tile::<8>().broadcast(edge.dst, lane);
        let deleted: TileUniform<8, u32> = delete_edge(graph, slab, dst);
        if tile::<8>().lane_id() == lane {
            outcome = deleted;
        }
    }
    if outcome == DELETED {
        graph.degrees[edge.src].fetch_sub(1);
    }
}

/// Tells for each of a list of edges whether the graph has it: 1 or 0.
#[kernel]
pub fn search_edges<W: Weight>(graph: &Graph<W>, edges: &[Edge<W>], found: &mut [u32]) {
    let i = thread_id();
    let pending = i < edges.len();
    let mut dst = EMPTY_KEY;
    let mut head = NULL_SLAB;
    if pending {
        dst = edges[i].dst;
        head = slab_list_of(graph, edges[i].src, dst);
    }
    let mut present = false;
    let mut work = tile::<8>().ballot(pending);
    while work != 0 {
        let lane = tile::<8>().dequeue(&mut work);
        let slab = tile::<8>().broadcast(head, lane);
        let key = tile::<8>().broadcast(dst, lane);
        let is_there: TileUniform<8, bool> = search_edge(graph, slab, key);
        if tile::<8>().lane_id() == lane {
            present = is_there;
        }
    }
    if pending {
        found[i] = present as u32;
    }
}
