//! Inserting an arc, by a lane alone.
//!
//! A key is put into an empty place by one atomic, so a list has it once, however many lanes
//! bring it. Where there is no place, a lane locks the last one, puts the key that was there and
//! its own into a new slab, and then links that:
//!
//! ```text
//! lock: key -> LOCKED     claim: slab[0..2] = key, own     link: LOCKED -> link
//! ```
//!
//! Nothing orders these for a lane that follows the link, and nothing has to: the new slab's
//! places are claimed, too. A lane that still sees one empty cannot claim it, and looks again.

use super::cursor::*;
use super::layout::*;
use super::search::{arc_of_thread, is_inside};
use super::take::{NONE, NOTED, give_up, most_noted, note_list, take_slab};
use super::view::Compact;
use crate::Weight;
use crate::frontier::{Frontier, block_enqueue_frontier};
use crate::graph::layout::{Edge, as_listed, taken};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use meerkat_macros::{device, kernel};

/// The edge was there.
pub(super) const PRESENT: u32 = 0;
/// The edge was not there and is now.
pub(super) const INSERTED: u32 = 1;
/// There is no slab left, or no place before the list is laid out again.
pub(super) const REFUSED: u32 = 2;
/// The lane goes on.
const UNDER_WAY: u32 = 3;

/// From this number of buckets on, not every key looks whether there are many.
const LARGE_HUB: u32 = 32;
/// After this number of buckets, an insertion into a crowded hub gives up.
const MOST_PROBES: u32 = 32;
/// An insertion goes this many of the largest slabs on, at most.
const DEEPEST: u32 = 32;

/// A lane of a batch gives up in a list, which then is laid out for all that comes, once others were
/// faster so many times, or it saw so often that one puts a new slab there. Without that each of ten
/// thousand lanes tries all places of a list that is no hub yet.
pub(super) const PATIENCE: u32 = 96;

/// Puts a key into an empty place of the pool or, `in_record`, of the records; returns what was
/// there before. `word` is the place's number among all words there.
#[device]
pub(super) fn claim<W: Weight>(
    graph: &Compact<W>,
    in_record: bool,
    quad: u32,
    place: u32,
    arc: Edge<W>,
) -> u32 {
    let slabs = select(in_record, graph.records, graph.pool);
    let word = quad % 8 * 4 + place;
    if W::IS_WEIGHTED {
        // Key and weight appear together.
        let empty: u64 = (EMPTY as u64) << 32 | EMPTY as u64;
        let pair: u64 = (arc.weight.to_bits() as u64) << 32 | arc.dst as u64;
        slabs[quad / 8].pair(word).compare_and_swap(empty, pair) as u32
    } else {
        slabs[quad / 8].word(word).compare_and_swap(EMPTY, arc.dst)
    }
}

/// Gives an edge that is there the weight; whether it was still where it was found.
#[device]
fn overwrite<W: Weight>(graph: &Compact<W>, at: Cursor, place: u32, arc: Edge<W>) -> bool {
    let slabs = select(at.in_record == 1, graph.records, graph.pool);
    let (slab, word) = (at.quad / 8, at.quad % 8 * 4 + place);
    let bits: u32 = arc.weight.to_bits();
    let old = slabs[slab].word(word + 1).load();
    let before: u64 = (old as u64) << 32 | arc.dst as u64;
    let after: u64 = (bits as u64) << 32 | arc.dst as u64;
    // Another lane may be moving it to a new slab.
    slabs[slab].pair(word).compare_and_swap(before, after) == before
}

/// Puts one or two keys into a new slab; whether its places were empty, as they always are. They
/// are claimed, unless tests store them: what is stored can be lost.
#[device]
fn fill_new<W: Weight>(
    graph: &Compact<W>,
    quad: u32,
    first: Edge<W>,
    second: Edge<W>,
    stores: bool,
) -> bool {
    let (slab, word) = (quad / 8, quad % 8 * 4);
    if W::IS_WEIGHTED {
        let is_first = claim(graph, false, quad, 0, first) == EMPTY;
        let is_second = second.dst == EMPTY || claim(graph, false, quad, 2, second) == EMPTY;
        return is_first && is_second;
    }
    if stores {
        graph.pool[slab].word(word).store(first.dst);
        graph.pool[slab].word(word + 1).store(second.dst);
        return true;
    }
    let empty: u64 = (EMPTY as u64) << 32 | EMPTY as u64;
    let both: u64 = (second.dst as u64) << 32 | first.dst as u64;
    graph.pool[slab].pair(word).compare_and_swap(empty, both) == empty
}

/// Goes on after the last place of a list, where `last` are the words at its end: whether the
/// arc is in a new slab, or [`REFUSED`] as there is none, or [`UNDER_WAY`] if another lane was
/// here before.
#[device]
fn extend<W: Weight>(
    graph: &Compact<W>,
    at: Cursor,
    last: [u32; 4],
    arc: Edge<W>,
    stores: bool,
) -> u32 {
    let slabs = select(at.in_record == 1, graph.records, graph.pool);
    let end = at.quad + at.left.min(4) - 1;
    let word = end % 8 * 4 + link_place::<W>();
    let key: u32 = link_in::<W>(last);
    let mut was_it = false;
    if W::IS_WEIGHTED {
        let before: u64 = (last[3] as u64) << 32 | key as u64;
        let locked: u64 = LOCKED as u64;
        was_it = slabs[end / 8].pair(word).compare_and_swap(before, locked) == before;
    } else {
        was_it = slabs[end / 8].word(word).compare_and_swap(key, LOCKED) == key;
    }
    if !was_it {
        return UNDER_WAY;
    }
    // From the record to 16 bytes, and then to twice as many as before, or to what there is.
    let wanted = select(at.in_record == 1, 0, (at.class + 1).min(LARGEST));
    let link: u32 = take_slab(graph, wanted);
    if link == NONE {
        if W::IS_WEIGHTED {
            slabs[end / 8].pair(word).store((last[3] as u64) << 32 | key as u64);
        } else {
            slabs[end / 8].word(word).store(key);
        }
        return REFUSED;
    }
    // A key in the place of the link moves.
    let mut first: Edge<W> = arc;
    let mut second: Edge<W> = Edge { src: arc.src, dst: EMPTY, weight: W::ZERO };
    if key < NO_KEY {
        first = Edge::<W> { src: arc.src, dst: key, weight: W::from_bits(last[3]) };
        second = arc;
    }
    let are_there: bool = fill_new(graph, quad_of(link), first, second, stores);
    // The link waits for the answer.
    slabs[end / 8].word(word).store(select(are_there, link, key));
    // Where all slabs are large, a list of two is not long.
    if at.class == LARGEST && (at.depth != 0 || graph.open < LARGEST) {
        note_list(graph, arc.src);
    }
    INSERTED
}

/// Says that a hub is getting full, once. Where there was no room, it can be said again.
#[device]
fn note_hub<W: Weight>(graph: &Compact<W>, vertex: u32) {
    let end: u32 = end_of_record(graph.record, vertex);
    let word = end % 8 * 4 + state_place::<W>();
    if graph.records[end / 8].word(word).load() < NOTED_HUB {
        let has_room = graph.counters[NOTED].load() < most_noted(graph);
        if has_room && graph.records[end / 8].word(word).fetch_or(NOTED_HUB) < NOTED_HUB {
            let is_noted: bool = note_list(graph, vertex);
            if !is_noted {
                graph.records[end / 8].word(word).fetch_and(NOTED_HUB - 1);
            }
        }
    }
}

/// How many places of a hub are taken by tombstones.
#[device]
pub(super) fn tombstones_of<W: Weight>(graph: &Compact<W>, vertex: u32) -> u32 {
    let end: u32 = end_of_record(graph.record, vertex);
    graph.records[end / 8].word(end % 8 * 4 + state_place::<W>()).load() & (NOTED_HUB - 1)
}

/// Counts a key that a hub has got, and notes the hub if 27 of 32 places are taken, by keys or tombstones,
/// a few more than a build takes: small ones would be full before a walk gets long. In a large one a
/// sixteenth of the lanes look: who does not need not wait for the count.
#[device]
pub(super) fn count_at_hub<W: Weight>(graph: &Compact<W>, vertex: u32, buckets: u32, key: u32) {
    let end: u32 = end_of_record(graph.record, vertex);
    let (slab, word) = (end / 8, end % 8 * 4 + HUB_DEGREE);
    // Of another hash than those by which keys may come in order.
    let hash: u32 = (key ^ (key >> 15)) * 2246822519;
    if buckets >= LARGE_HUB && hash >> 28 != 0 {
        graph.records[slab].word(word).fetch_add(1);
        return;
    }
    let before = graph.records[slab].word(word).fetch_add(1);
    let taken: u64 = before as u64 + tombstones_of(graph, vertex) as u64;
    if taken >= places_of_hub::<W>(buckets) * 27 / 32 {
        note_hub(graph, vertex);
    }
}

/// Whether so many places of a hub are taken that a walk over all its buckets is not worth while:
/// seven eighths.
#[device]
fn is_crowded<W: Weight>(graph: &Compact<W>, vertex: u32, buckets: u32) -> bool {
    let end: u32 = end_of_record(graph.record, vertex);
    let degree = graph.records[end / 8].word(end % 8 * 4 + HUB_DEGREE).load();
    let taken: u64 = degree as u64 + tombstones_of(graph, vertex) as u64;
    taken * 8 >= places_of_hub::<W>(buckets) * 7
}

/// Whether a key that has come to this bucket is to give up.
#[device]
pub(super) fn is_long_walk<W: Weight>(graph: &Compact<W>, vertex: u32, at: Cursor) -> bool {
    let mut is_long = false;
    if at.probes == MOST_PROBES {
        is_long = is_crowded(graph, vertex, at.buckets);
    }
    is_long
}

/// A step of a lane that inserts an arc and is at some words of the list: where it goes on, and
/// [`UNDER_WAY`], or what came of it. An arc that is there gets the weight. `stores`: see
/// [`fill_new`].
#[device]
fn insert_step<W: Weight>(
    graph: &Compact<W>,
    at: Cursor,
    arc: Edge<W>,
    stores: bool,
) -> (Cursor, u32) {
    let slabs = select(at.in_record == 1, graph.records, graph.pool);
    let words: Words = read_at(slabs, at, false);
    let last: [u32; 4] = last_quad(at, words);
    let link: u32 = link_at::<W>(at, last);
    if leads_to_hub(at, link) {
        return (enter_hub(last, link, arc.dst), UNDER_WAY);
    }
    let own: u32 = place_of::<W>(words, arc.dst);
    if own < NOWHERE {
        if !W::IS_WEIGHTED {
            return (at, PRESENT);
        }
        return (at, select(overwrite(graph, at, own, arc), PRESENT, UNDER_WAY));
    }
    let empty: u32 = place_of::<W>(words, EMPTY);
    if empty < NOWHERE {
        let is_own = claim(graph, at.in_record == 1, at.quad, empty, arc) == EMPTY;
        if is_own && at.buckets != 0 {
            count_at_hub(graph, arc.src, at.buckets, arc.dst);
        }
        // Else another lane was faster: perhaps with this key.
        return (at, select(is_own, INSERTED, UNDER_WAY));
    }
    if at.buckets != 0 {
        let next: Cursor = next_bucket(at);
        if is_long_walk(graph, arc.src, next) || next.probes >= next.buckets {
            // Whether it is noted or the list of these is full: one of them is, at least.
            note_list(graph, arc.src);
            give_up(graph);
            return (next, REFUSED);
        }
        return (next, UNDER_WAY);
    }
    if at.left > 4 {
        return (rest_of_slab(at), UNDER_WAY);
    }
    if is_link(link) {
        let next: Cursor = follow(at, link);
        if next.depth > DEEPEST {
            note_list(graph, arc.src);
            give_up(graph);
            return (next, REFUSED);
        }
        return (next, UNDER_WAY);
    }
    let mut outcome = UNDER_WAY;
    if link != LOCKED {
        outcome = extend(graph, at, last, arc, stores);
    }
    (at, outcome)
}

/// Inserts the arcs of a warp's lanes, unless they have none (`is_one`): what came of each. The
/// lanes take their steps together, so that those that want slabs share a count. One to which others were
/// faster more than `patience` times in a list gives up. Collective.
#[device]
fn insert_together<W: Weight>(
    graph: &Compact<W>,
    arc: Edge<W>,
    is_one: bool,
    patience: u32,
    stores: bool,
) -> u32 {
    let mut at: Cursor = record_of(graph.record, arc.src);
    let mut slower = 0u32;
    let mut outcome = select(is_one && W::is_ordered(arc.weight), UNDER_WAY, REFUSED);
    while warp_any(outcome == UNDER_WAY) {
        if outcome == UNDER_WAY {
            let (next, after): (Cursor, u32) = insert_step(graph, at, arc, stores);
            slower += (next.quad == at.quad && after == UNDER_WAY) as u32;
            at = next;
            outcome = after;
            if outcome == UNDER_WAY && slower > patience && at.buckets == 0 {
                note_list(graph, arc.src);
                give_up(graph);
                outcome = REFUSED;
            }
        }
    }
    outcome
}

/// Inserts a list of edges once each, however many lanes try; a weight is overwritten.
/// `reversed`, into the lists of their destinations. `patience`: see [`PATIENCE`].
#[kernel]
pub(super) fn insert_arcs<W: Weight>(
    graph: &Compact<W>,
    edges: &[Edge<W>],
    reversed: bool,
    patience: u32,
) {
    let arc: Edge<W> = arc_of_thread(graph, edges, edges.len(), reversed);
    insert_together(graph, arc, is_inside(graph, arc), patience, false);
}

/// Inserts the [`taken`] edges of a list, and lists the arcs that were not there before, if
/// `added` has room: as they lie in the lists if `mirrored`, else as the list of edges has them.
#[kernel]
pub(super) fn insert_listed_arcs<W: Weight>(
    graph: &Compact<W>,
    edges: &[Edge<W>],
    limit: &[Atomic<u32>],
    whole: bool,
    reversed: bool,
    mirrored: bool,
    patience: u32,
    added: &Frontier<Edge<W>>,
) {
    let arc: Edge<W> = arc_of_thread(graph, edges, taken(edges, limit, whole), reversed);
    let outcome: u32 = insert_together(graph, arc, is_inside(graph, arc), patience, false);
    let listed: Edge<W> = as_listed(arc, reversed && !mirrored);
    block_enqueue_frontier(added, listed, outcome == INSERTED && added.items.len() != 0);
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![insert_listed_arcs::info::<()>(), insert_arcs::info::<()>(), insert_arcs::info::<u32>()]
}

#[cfg(all(test, feature = "weak-memory"))]
mod tests;
