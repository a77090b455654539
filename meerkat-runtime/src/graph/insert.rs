//! Insertion in the language itself (Awad et al., algorithm 1, with tiles of 8
//! lanes in place of warps).

use super::layout::{Edge, as_listed, item_of_tile, taken};
use super::pool::{LONG_LIST, give_up, note_long_list, take_slab};
use super::search::{arc_and_list, holds, keys_of, place_of};
use crate::frontier::{Frontier, block_enqueue_frontier};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::{EMPTY_KEY, Graph, LOCKED_SLAB, NEXT_LANE, NULL_SLAB, TOMBSTONE_KEY};
use crate::view::Atomic;
use crate::{TileUniform, Uniform, Weight};
use meerkat_macros::{device, kernel};

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

/// Links a slab from the pool after a full one. Returns the next slab,
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
/// nobody searches meanwhile. Whether there was such a place. Collective of the tile.
#[device]
pub(super) fn restore_edge<W: Weight>(
    graph: &Graph<W>,
    head: TileUniform<8, u32>,
    dst: TileUniform<8, u32>,
    weight: TileUniform<8, W>,
) -> TileUniform<8, bool> {
    let part = tile::<8>().lane_id();
    let mut slab = head;
    while slab != NULL_SLAB {
        let words = graph.slabs[slab].quad(part);
        let keys = keys_of::<W>(words, part);
        let places = tile::<8>().ballot(holds(keys, TOMBSTONE_KEY));
        if places != 0 {
            let lane = places.trailing_zeros();
            let mut seen = EMPTY_KEY;
            if part == lane {
                let place = part * 4 + place_of(keys, TOMBSTONE_KEY);
                seen = graph.slabs[slab].word(place).compare_and_swap(TOMBSTONE_KEY, dst);
                if W::IS_WEIGHTED && seen == TOMBSTONE_KEY {
                    graph.slabs[slab].word(place + 1).store(weight.to_bits());
                }
            }
            if tile::<8>().broadcast(seen, lane) == TOMBSTONE_KEY {
                return true;
            }
        } else {
            slab = tile::<8>().broadcast(words[3], 7);
        }
    }
    false
}

/// Takes back the deletion of a list of edges, each of which was there: the way
/// back needs no slab. A tile takes `per_tile` edges, its lanes' in turn.
#[kernel]
pub(super) fn restore_edges<W: Weight>(
    graph: &Graph<W>,
    edges: &[Edge<W>],
    per_tile: u32,
    reversed: bool,
) {
    let me = tile::<8>().lane_id();
    let i = item_of_tile(edges.len(), per_tile);
    let (arc, head) = arc_and_list(graph, edges, i, reversed);
    let mut work = tile::<8>().ballot(head != NULL_SLAB);
    while work != 0 {
        let lane = tile::<8>().dequeue(&mut work);
        let slab = tile::<8>().broadcast(head, lane);
        let dst = tile::<8>().broadcast(arc.dst, lane);
        let weight = tile::<8>().broadcast(arc.weight, lane);
        let restored: TileUniform<8, bool> = restore_edge(graph, slab, dst, weight);
        if me == lane && restored {
            graph.degrees[arc.src].fetch_add(1);
        }
    }
}

/// The part of a vote of the warp that the lane's own tile of 8 lanes cast.
#[device]
fn of_tile(ballot: Uniform<u32>) -> u32 {
    (ballot >> (lane_id() & 24)) & 255
}

/// The votes of each tile for the lane that holds its key, whose weight is overwritten,
/// and for those that hold an empty place. Collective.
#[device]
fn find_in_slab<W: Weight>(
    graph: &Graph<W>,
    slab: u32,
    keys: [u32; 4],
    dst: u32,
    weight: W,
    busy: bool,
) -> (u32, u32) {
    let me = tile::<8>().lane_id();
    let is_same = busy && holds(keys, dst);
    let same: u32 = of_tile(warp_ballot(is_same));
    let empty: u32 = of_tile(warp_ballot(busy && holds(keys, EMPTY_KEY)));
    if W::IS_WEIGHTED && is_same {
        let place = me * 4 + place_of(keys, dst);
        graph.slabs[slab].word(place + 1).store(weight.to_bits());
    }
    (same, empty)
}

/// The slab after a tile's, `link` in its last lane, as [`extend_slab_list`] has it if
/// there is none and the tile's is full. Collective.
#[device]
fn next_slab<W: Weight>(graph: &Graph<W>, slab: u32, link: u32, is_full: bool) -> u32 {
    let me = tile::<8>().lane_id();
    let mut next = link;
    if is_full && me == 7 && next == NULL_SLAB {
        next = extend_slab_list(graph, slab);
    }
    warp_shuffle(next, lane_id() - me + 7)
}

/// Counts an edge that was inserted, or was there and had been counted before; notes its source
/// if its list is long, unless it was just laid out.
#[device]
fn count_edge<W: Weight>(
    graph: &Graph<W>,
    src: u32,
    head: u32,
    inserted: bool,
    present: bool,
    planned: bool,
    is_deep: bool,
) {
    if is_deep && !planned {
        note_long_list(graph, src, head);
    }
    if inserted {
        if !planned {
            graph.degrees[src].fetch_add(1);
        }
        if graph.updated.len() != 0 {
            graph.updated[head].store(1);
        }
    }
    if planned && present {
        graph.degrees[src].fetch_sub(1);
    }
}

/// Inserts the edges that the lanes of each tile bring, in turn: each lane's `arc` into the
/// slab list that begins at `head`, or nothing if that is [`NULL_SLAB`]. Whether the lane's own
/// was inserted, whether it was there before, and whether its list is long: it went into the first
/// words of a slab after [`LONG_LIST`] others, or into none, after `deepest` others. An edge that
/// several tiles bring is inserted once; one that is there gets the weight. Collective.
///
/// The tiles of a warp take a step together, each a slab of its own edge, so none waits for
/// another's longer list; and a tile reads for its next edge while its last claim of a place
/// is under way. An edge whose claim failed has its turn again.
#[device]
fn insert_in_turn<W: Weight>(
    graph: &Graph<W>,
    arc: Edge<W>,
    head: u32,
    deepest: u32,
) -> (bool, bool, bool) {
    let me = tile::<8>().lane_id();
    let first = lane_id() - me;
    let mut inserted = false;
    let mut present = false;
    let mut is_deep = false;
    // How many slabs of the list come before this one.
    let mut depth = 0u32;

    let is_ordered: bool = W::is_ordered(arc.weight);
    let mut work: u32 = of_tile(warp_ballot(head != NULL_SLAB && is_ordered));
    let mut busy = work != 0;
    let mut owner = work.trailing_zeros() & 7;
    work &= work - 1;
    let mut slab = warp_shuffle(head, first + owner);
    let mut words: [u32; 4] = [EMPTY_KEY; 4];
    if busy {
        words = graph.slabs[slab].quad(me);
    }
    while warp_any(busy) {
        let dst = warp_shuffle(arc.dst, first + owner);
        let weight = warp_shuffle(arc.weight, first + owner);
        let keys = keys_of::<W>(words, me);
        let (same, empty): (u32, u32) = find_in_slab(graph, slab, keys, dst, weight, busy);
        // Keys fill a slab from the front, so two tiles with one key meet at
        // the same place, and the loser finds it there.
        let claims = same == 0 && empty != 0;
        let mut seen = TOMBSTONE_KEY;
        if claims && me == empty.trailing_zeros() {
            seen = claim(graph, slab, me * 4 + place_of(keys, EMPTY_KEY), dst, weight);
        }
        let is_full = busy && (same | empty) == 0;
        let gives_up = is_full && depth >= deepest;
        let after: u32 = next_slab(graph, slab, words[3], is_full && !gives_up);
        let linked = select(gives_up, NULL_SLAB, after);
        if gives_up && me == owner {
            is_deep = true;
            give_up(graph);
        }
        if me == owner && same != 0 {
            present = true;
        }

        let before = owner;
        let begins_deep = depth >= LONG_LIST && empty & 1 == 1;
        if busy && ((same | empty) != 0 || linked == NULL_SLAB) {
            // Found, claimed, or no slab left for it: the next edge.
            busy = work != 0;
            owner = select(busy, work.trailing_zeros(), owner);
            work &= work - 1;
        }
        let other = warp_shuffle(head, first + owner);
        if busy {
            if owner != before {
                slab = other;
                depth = 0;
            } else if linked != LOCKED_SLAB {
                slab = linked;
                depth += 1;
            }
            words = graph.slabs[slab].quad(me);
        }
        let wins: u32 = of_tile(warp_ballot(seen == EMPTY_KEY));
        let won = wins != 0;
        if claims && won && me == before {
            inserted = true;
            is_deep = begins_deep;
        }
        if claims && !won {
            if busy {
                work |= 1 << before;
            } else {
                busy = true;
                words = graph.slabs[slab].quad(me);
            }
        }
    }
    (inserted, present, is_deep)
}

/// Inserts a list of edges once each, however many tiles try; a weight is overwritten.
/// `reversed`, into the lists of their destinations. Degrees count what is new;
/// `planned`, they have counted all edges and lose the repeated ones. A tile takes
/// `per_tile` edges, its lanes' in turn. After `deepest` slabs of a list, it gives up.
#[kernel]
pub(super) fn insert_edges<W: Weight>(
    graph: &Graph<W>,
    edges: &[Edge<W>],
    per_tile: u32,
    reversed: bool,
    planned: bool,
    deepest: u32,
) {
    let i = item_of_tile(edges.len(), per_tile);
    let (arc, head) = arc_and_list(graph, edges, i, reversed);
    let (inserted, present, is_deep): (bool, bool, bool) =
        insert_in_turn(graph, arc, head, deepest);
    count_edge(graph, arc.src, head, inserted, present, planned, is_deep);
}

/// Inserts the [`taken`] edges of a list, and lists the arcs that were not there before, if
/// `added` has room: as they lie in the slab lists if `mirrored`, else as the list has them. After
/// `deepest` slabs of a list, it gives up.
#[kernel]
pub(super) fn insert_and_list<W: Weight>(
    graph: &Graph<W>,
    edges: &[Edge<W>],
    limit: &[Atomic<u32>],
    whole: bool,
    per_tile: u32,
    reversed: bool,
    mirrored: bool,
    deepest: u32,
    added: &Frontier<Edge<W>>,
) {
    let count: u32 = taken(edges, limit, whole);
    let i = item_of_tile(count, per_tile);
    let (arc, head) = arc_and_list(graph, edges, i, reversed);
    let (inserted, present, is_deep): (bool, bool, bool) =
        insert_in_turn(graph, arc, head, deepest);
    count_edge(graph, arc.src, head, inserted, present, false, is_deep);
    let listed: Edge<W> = as_listed(arc, reversed && !mirrored);
    block_enqueue_frontier(added, listed, inserted && added.items.len() != 0);
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        insert_edges::info::<()>(),
        insert_edges::info::<u32>(),
        insert_and_list::info::<()>(),
        restore_edges::info::<()>(),
        restore_edges::info::<f32>(),
    ]
}
