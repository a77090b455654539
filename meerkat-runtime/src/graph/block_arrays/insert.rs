//! Insertion, a round of edges at a time: what is new is gathered list by list, and merged.
//!
//! ```text
//! edges --insert_alone--> those that are left
//!   --claim_places--> those that are new --part_arrivals, gather_arrivals--> new keys by list
//!   --merge (tiny, short, medium, long lists)--> lists --list_new--> what was new
//! ```

use super::few::FEW;
use super::layout::*;
use super::round::*;
use super::search::arc_of_round;
use super::view::Blocks;
use crate::Weight;
use crate::frontier::{Frontier, block_enqueue_frontier};
use crate::graph::layout::{Edge, arc_at, as_listed};
use crate::program::KernelInfo;
use crate::scalar::*;
use meerkat_macros::{device, kernel};

/// An edge that is there, or is none, or again, or found no block: nothing changes by it.
pub(super) const NOTHING: u32 = u32::MAX;
/// An edge that is there again, or that a lane has inserted alone.
pub(super) const NEW: u32 = u32::MAX - 1;
/// A tile inserts up to 8 keys, into a list of so many.
const SHORT: u32 = 64;
/// A warp inserts up to 32 keys, into a list of so many.
const MEDIUM: u32 = 2048;

/// Looks for the edges of a round that are left, from the edge `from` on. One that is there gets the
/// weight; one that was deleted and has its place still is there again; another is counted at its
/// list.
#[kernel]
pub(super) fn claim_places<W: Weight>(
    graph: &Blocks<W>,
    edges: &[Edge<W>],
    reversed: bool,
    from: u32,
    round: &Round,
) {
    let i = thread_id();
    if i < round.lengths.len() {
        round.lengths[i].store(0);
    }
    if i < round.lengths_next.len() {
        round.lengths_next[i].store(0);
    }
    let all = warp_broadcast(round.left.length[0].load(), 0);
    let mut at = i;
    while at < all {
        let e = round.left.items[at];
        let (outcome, place): (u32, u32) = claim_place(graph, arc_at(edges, from + e, reversed));
        round.places[e].store(place);
        round.outcomes[e].store(outcome);
        at += block_count() * block_size();
    }
}

/// Forgets what a round that was not queued to its end has counted for itself and for the next.
#[kernel]
pub(super) fn clear_turns(round: &Round) {
    let i = thread_id();
    if i < round.lengths_next.len() {
        round.lengths_next[i].store(0);
    }
    if i == 0 {
        round.left.length[0].store(0);
        round.released.length[0].store(0);
    }
}

/// What becomes of an arc: [`NOTHING`], [`NEW`], or its number among the new keys of its list; and its
/// place there.
#[device]
fn claim_place<W: Weight>(graph: &Blocks<W>, arc: Edge<W>) -> (u32, u32) {
    let record: [u32; 4] = record_of(graph, arc.src);
    let list = BlockList { first: record[0], used: record[1] };
    let (place, word): (u32, u32) = place_in(graph.blocks, list, arc.dst);
    if word & KEY != arc.dst {
        let waiting = arc.src % 8 * 4 + WAITING;
        let before = graph.records[arc.src / 8].word(waiting).fetch_add(1);
        return (before & ARRIVALS, place);
    }
    if W::IS_WEIGHTED {
        let own: Site = site_of(list.first, list.used, graph.least);
        store_word(graph.blocks, list.first, own.places + place, arc.weight.to_bits());
    }
    let is_new: bool = revive(graph, arc.src, list.first + place / 4, place % 4, arc.dst);
    (select(is_new, NEW, NOTHING), place)
}

/// Makes a key that was deleted one of its list again; whether it was deleted.
#[device]
pub(super) fn revive<W: Weight>(
    graph: &Blocks<W>,
    vertex: u32,
    quad: u32,
    place: u32,
    key: u32,
) -> bool {
    let gone = key | GONE;
    let seen = graph.blocks[quad / 8].word(quad % 8 * 4 + place).compare_and_swap(gone, key);
    if seen == gone {
        graph.records[vertex / 8].word(vertex % 8 * 4 + DEAD).fetch_sub(1);
    }
    seen == gone
}

/// Gives each list that gets new keys a part of the items, with the first in it, and whom it is
/// served by.
#[kernel]
pub(super) fn part_arrivals<W: Weight>(
    graph: &Blocks<W>,
    edges: &[Edge<W>],
    reversed: bool,
    from: u32,
    round: &Round,
) {
    let mut length = 0u32;
    if block_thread_id() == 0 {
        length = round.left.length[0].load();
    }
    let all = block_broadcast(length, 0);
    let mut before: u32 = block_id() * block_size();
    while before < all {
        let at = before + block_thread_id();
        let mut own = Arrivals { vertex: 0, start: 0, count: 0, first: NO_BLOCK, used: 0 };
        let mut key = 0u32;
        let mut i = 0u32;
        if at < all {
            i = round.left.items[at];
            if round.outcomes[i].load() == 0 {
                // The first of them speaks for all.
                let arc: Edge<W> = arc_at(edges, from + i, reversed);
                let record: [u32; 4] = record_of(graph, arc.src);
                own.vertex = arc.src;
                own.count = record[3] & ARRIVALS;
                own.first = record[0];
                own.used = record[1];
                key = arc.dst;
            }
        }
        let used = own.used;
        let is_one = own.count != 0;
        let is_tiny = is_one && used + own.count <= FEW;
        let is_short = is_one && !is_tiny && own.count <= 8 && used <= SHORT;
        let is_long = own.count > 32 || (is_one && used > MEDIUM);
        let mut items = own.count;
        if is_long && own.count > 1 {
            // They are sorted as a power of two.
            items = 1u32 << (32 - (own.count - 1).leading_zeros());
        }
        let below = block_scan_sum(items);
        let sum = block_reduce_sum(items);
        let mut first = 0u32;
        if block_thread_id() == 0 && sum != 0 {
            first = round.cursor[0].fetch_add(sum);
        }
        own.start = block_broadcast(first, 0) + below;
        if is_one {
            round.items[own.start].store((key as u64) << 32 | i as u64);
            if own.count > 1 {
                store_record(graph, own.vertex, WAITING, own.start);
            }
        }
        block_enqueue_frontier(&round.tiny, own, is_tiny);
        block_enqueue_frontier(&round.short, own, is_short);
        block_enqueue_frontier(&round.medium, own, is_one && !is_tiny && !is_short && !is_long);
        block_enqueue_frontier(&round.long, own, is_long);
        before += block_count() * block_size();
    }
}

/// Brings the other new keys of each list there.
#[kernel]
pub(super) fn gather_arrivals<W: Weight>(
    graph: &Blocks<W>,
    edges: &[Edge<W>],
    reversed: bool,
    from: u32,
    round: &Round,
) {
    let all = warp_broadcast(round.left.length[0].load(), 0);
    let mut at = thread_id();
    while at < all {
        let i = round.left.items[at];
        let number = round.outcomes[i].load();
        if number != 0 && number < NEW {
            let arc: Edge<W> = arc_at(edges, from + i, reversed);
            let to = load_record(graph, arc.src, WAITING) + number;
            round.items[to].store((arc.dst as u64) << 32 | i as u64);
        }
        at += block_count() * block_size();
    }
}

/// Lists the arcs of a round that are new: as they lie in the lists if `mirrored`, else as the list
/// of edges has them.
#[kernel]
pub(super) fn list_new<W: Weight>(
    graph: &Blocks<W>,
    edges: &[Edge<W>],
    reversed: bool,
    mirrored: bool,
    from: u32,
    round: &Round,
    new: &Frontier<Edge<W>>,
) {
    let i = thread_id();
    let mut is_new = false;
    let mut arc: Edge<W> = Edge { src: 0, dst: 0, weight: W::ZERO };
    if i < round.outcomes.len() && round.outcomes[i].load() != NOTHING {
        is_new = true;
        arc = arc_of_round(graph, edges, edges.len(), reversed, from);
    }
    block_enqueue_frontier(new, as_listed(arc, reversed && !mirrored), is_new);
}

/// The key of an item.
#[device]
pub(super) fn key_of(item: u64) -> u32 {
    (item >> 32) as u32
}

/// Writes a new key to its place, and its weight.
#[device]
pub(super) fn put_item<W: Weight>(
    graph: &Blocks<W>,
    edges: &[Edge<W>],
    from: u32,
    item: u64,
    to: Site,
    place: u32,
) {
    store_word(graph.blocks, to.first, place, key_of(item));
    if W::IS_WEIGHTED {
        let weight: W = edges[from + item as u32].weight;
        store_word(graph.blocks, to.first, to.places + place, weight.to_bits());
    }
}

/// The bits of an item's weight.
#[device]
pub(super) fn bits_of<W: Weight>(edges: &[Edge<W>], from: u32, item: u64) -> u32 {
    let mut bits = 0u32;
    if W::IS_WEIGHTED {
        let weight: W = edges[from + item as u32].weight;
        bits = weight.to_bits();
    }
    bits
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        claim_places::info::<()>(),
        claim_places::info::<f32>(),
        part_arrivals::info::<()>(),
        gather_arrivals::info::<()>(),
        list_new::info::<()>(),
        clear_turns::info(),
    ]
}
