//! Inserting an arc, by a lane alone.
//!
//! A key is put into an empty place by one atomic, so a list has it once, however many lanes
//! bring it. Where there is no place, a lane locks the last one, puts the key that was there and
//! its own into a new slab, and then links that:
//!
//! ```text
//! lock: key -> LOCKED     claim: slab[0] = key, slab[1] = own     link: LOCKED -> link
//! ```
//!
//! Nothing orders these for a lane that follows the link, and nothing has to: the new slab's
//! places are claimed, too. A lane that still sees one empty cannot claim it, and looks again.

use super::cursor::*;
use super::layout::*;
use super::pool::{NONE, give_up, note_list, take_slab};
use super::search::is_inside;
use super::view::Compact;
use crate::Weight;
use crate::graph::layout::{Edge, arc_at};
use crate::program::KernelInfo;
use crate::scalar::*;
use meerkat_macros::{device, kernel};

/// The edge was there.
pub(super) const PRESENT: u32 = 0;
/// The edge was not there and is now.
pub(super) const INSERTED: u32 = 1;
/// There is no slab left, or no place before the list is laid out again.
pub(super) const REFUSED: u32 = 2;

/// After this number of buckets, a hub is noted as full.
const MANY_PROBES: u32 = 6;
/// After this number of buckets, an insertion into a crowded hub gives up.
const MOST_PROBES: u32 = 32;
/// An insertion goes this many of the largest slabs on, at most.
const DEEPEST: u32 = 32;

/// Puts a key into an empty place of the pool or, `in_record`, of the records; returns what was
/// there before. `word` is the place's number among all words there.
#[device]
fn claim<W: Weight>(
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

/// Puts a key into a new slab; whether its place was empty. It is claimed, but by tests of what a
/// plain store would lose.
#[device]
fn put<W: Weight>(graph: &Compact<W>, quad: u32, place: u32, arc: Edge<W>, claims: bool) -> bool {
    if claims || W::IS_WEIGHTED {
        return claim(graph, false, quad, place, arc) == EMPTY;
    }
    graph.pool[quad / 8].word(quad % 8 * 4 + place).store(arc.dst);
    true
}

/// Goes on after the last place of a list, where `last` are the words at its end: whether the
/// arc is in a new slab, or [`REFUSED`] as there is none, or [`PRESENT`] if another lane was here
/// before.
#[device]
fn extend<W: Weight>(
    graph: &Compact<W>,
    at: Cursor,
    last: [u32; 4],
    arc: Edge<W>,
    claims: bool,
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
        return PRESENT;
    }
    // From the record to 16 bytes, and then to twice as many as before.
    let class = select(at.in_record == 1, 0, (at.class + 1).min(LARGEST));
    let slab: u32 = take_slab(graph, class);
    if slab == NONE {
        if W::IS_WEIGHTED {
            slabs[end / 8].pair(word).store((last[3] as u64) << 32 | key as u64);
        } else {
            slabs[end / 8].word(word).store(key);
        }
        return REFUSED;
    }
    let quad = slab << class;
    let mut place = 0u32;
    let mut are_there = true;
    if key < NO_KEY {
        let moved: Edge<W> = Edge { src: arc.src, dst: key, weight: W::from_bits(last[3]) };
        are_there = put(graph, quad, 0, moved, claims);
        place = if W::IS_WEIGHTED { 2u32 } else { 1u32 };
    }
    are_there &= put(graph, quad, place, arc, claims);
    // They always are; the link waits for the answer.
    if are_there {
        slabs[end / 8].word(word).store(link_to(class, slab));
    } else {
        slabs[end / 8].word(word).store(key);
    }
    if class == LARGEST && at.class == LARGEST {
        note_list(graph, arc.src);
    }
    INSERTED
}

/// Says that a hub is getting full, once.
#[device]
fn note_hub<W: Weight>(graph: &Compact<W>, vertex: u32) {
    let end: u32 = end_of_record(graph.record, vertex);
    let word = end % 8 * 4 + noted_place::<W>();
    if graph.records[end / 8].word(word).load() != 1 {
        if graph.records[end / 8].word(word).swap(1) != 1 {
            note_list(graph, vertex);
        }
    }
}

/// Whether so many places of a hub are taken that a walk over all its buckets is not worth while:
/// seven eighths, tombstones left out.
#[device]
fn is_crowded<W: Weight>(graph: &Compact<W>, vertex: u32, buckets: u32) -> bool {
    let end: u32 = end_of_record(graph.record, vertex);
    let degree = graph.records[end / 8].word(end % 8 * 4 + HUB_DEGREE).load();
    let places: u64 = buckets as u64 * if W::IS_WEIGHTED { 8u64 } else { 16u64 };
    degree as u64 * 8 >= places * 7
}

/// Inserts an arc; one that is there gets the weight. The keys of a new slab are claimed, but by
/// tests.
#[device]
pub(super) fn insert_arc<W: Weight>(graph: &Compact<W>, arc: Edge<W>, claims: bool) -> u32 {
    let mut at: Cursor = record_of(graph.record, arc.src);
    loop {
        let slabs = select(at.in_record == 1, graph.records, graph.pool);
        let words: Words = read_at(slabs, at);
        let last: [u32; 4] = last_quad(at, words);
        let link: u32 = link_at::<W>(at, last);
        if leads_to_hub(at, link) {
            at = enter_hub(last, link, arc.dst);
            continue;
        }
        let own: u32 = place_of::<W>(words, arc.dst);
        if own < NOWHERE {
            if !W::IS_WEIGHTED {
                return PRESENT;
            }
            if overwrite(graph, at, own, arc) {
                return PRESENT;
            }
            continue;
        }
        let empty: u32 = place_of::<W>(words, EMPTY);
        if empty < NOWHERE {
            if claim(graph, at.in_record == 1, at.quad, empty, arc) == EMPTY {
                if at.buckets != 0 {
                    let end: u32 = end_of_record(graph.record, arc.src);
                    graph.records[end / 8].word(end % 8 * 4 + HUB_DEGREE).fetch_add(1);
                }
                return INSERTED;
            }
            // Another lane was faster: perhaps with this key.
            continue;
        }
        if at.buckets != 0 {
            at = next_bucket(at);
            if at.probes == MANY_PROBES {
                note_hub(graph, arc.src);
            }
            let is_long = at.probes == MOST_PROBES && is_crowded(graph, arc.src, at.buckets);
            if is_long || at.probes >= at.buckets {
                // Whether it is noted or the list of these is full: one of them is, at least.
                note_list(graph, arc.src);
                give_up(graph);
                return REFUSED;
            }
        } else if at.left > 4 {
            at = rest_of_slab(at);
        } else if is_link(link) {
            at = follow(at, link);
            if at.depth > DEEPEST {
                note_list(graph, arc.src);
                give_up(graph);
                return REFUSED;
            }
        } else if link != LOCKED {
            let extended: u32 = extend(graph, at, last, arc, claims);
            if extended != PRESENT {
                return extended;
            }
        }
    }
}

/// Inserts a list of edges once each, however many lanes try; a weight is overwritten.
/// `reversed`, into the lists of their destinations.
#[kernel]
pub(super) fn insert_arcs<W: Weight>(graph: &Compact<W>, edges: &[Edge<W>], reversed: bool) {
    let i = thread_id();
    if i < edges.len() {
        let arc: Edge<W> = arc_at(edges, i, reversed);
        if is_inside(graph, arc) && W::is_ordered(arc.weight) {
            insert_arc(graph, arc, true);
        }
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![insert_arcs::info::<()>(), insert_arcs::info::<u32>()]
}

#[cfg(all(test, feature = "weak-memory"))]
mod tests;
