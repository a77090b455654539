//! New keys merged into lists that are not long: by a lane alone, or by a warp.
//!
//! In place they are merged from the end on; where the block has no room, into another.

use super::build::move_key;
use super::insert::*;
use super::layout::*;
use super::round::*;
use super::take::take_block;
use super::view::Blocks;
use crate::Weight;
use crate::frontier::lane_enqueue_frontier;
use crate::graph::layout::Edge;
use crate::program::KernelInfo;
use crate::scalar::*;
use meerkat_macros::{device, kernel};

/// The block that a list of `used` keys in `from` goes to with `more`: the same, another, or
/// [`NO_BLOCK`].
#[device]
fn next_site<W: Weight>(graph: &Blocks<W>, from: Site, used: u32, more: u32) -> Site {
    let class: u32 = class_of(used + more, graph.least);
    let mut to: Site = from;
    if used == 0 || places_of(class, graph.least) != from.places {
        to = Site { first: take_block(graph, class), places: places_of(class, graph.least) };
    }
    to
}

/// A list has moved to another block, or got more keys; or there was no block, and it waits for
/// nothing more.
#[device]
pub(super) fn settle_list<W: Weight>(
    graph: &Blocks<W>,
    round: &Round,
    vertex: u32,
    from: Site,
    to: Site,
    used: u32,
    more: u32,
) {
    store_record(graph, vertex, WAITING, 0);
    if to.first != NO_BLOCK {
        end_list(graph, to.first, used + more);
        if to.first != from.first {
            store_record(graph, vertex, FIRST, to.first);
        }
        store_record(graph, vertex, USED, used + more);
        let class: u32 = class_of(used, graph.least);
        let left = Released { first: from.first, class };
        lane_enqueue_frontier(&round.released, left, used != 0 && to.first != from.first);
    }
}

/// Sorts a few items, those of one key becoming one; how many are left.
#[device]
fn sort_few(round: &Round, start: u32, count: u32) -> u32 {
    let mut sorted = 0u32;
    for j in 0..count {
        let item = round.items[start + j].load();
        let mut at = sorted;
        while at > 0 && key_of(round.items[start + at - 1].load()) > key_of(item) {
            at -= 1;
        }
        let is_again = at > 0 && key_of(round.items[start + at - 1].load()) == key_of(item);
        if !is_again {
            let mut k = sorted;
            while k > at {
                round.items[start + k].store(round.items[start + k - 1].load());
                k -= 1;
            }
            round.items[start + at].store(item);
            sorted += 1;
        }
    }
    sorted
}

/// Merges the new keys of short lists, a lane each.
#[kernel]
pub(super) fn merge_short<W: Weight>(
    graph: &Blocks<W>,
    edges: &[Edge<W>],
    from: u32,
    round: &Round,
) {
    let i = thread_id();
    if i < round.short.length[0].load() {
        let own: Arrivals = round.short.items[i];
        let record: [u32; 4] = record_of(graph, own.vertex);
        let used = record[1];
        let site: Site = site_of(record[0], used, graph.least);
        let more: u32 = sort_few(round, own.start, own.count);
        let to: Site = next_site(graph, site, used, more);
        if to.first != NO_BLOCK {
            merge_by_lane(graph, edges, from, round, own.start, more, site, used, to);
        }
        settle_list(graph, round, own.vertex, site, to, used, more);
    }
}

/// Merges sorted items into a list, from the end on.
#[device]
fn merge_by_lane<W: Weight>(
    graph: &Blocks<W>,
    edges: &[Edge<W>],
    from: u32,
    round: &Round,
    start: u32,
    more: u32,
    site: Site,
    used: u32,
    to: Site,
) {
    let mut old = used;
    let mut new = more;
    // In place, what is below all new keys stays.
    while new > 0 || (old > 0 && to.first != site.first) {
        let mut item = 0u64;
        if new > 0 {
            item = round.items[start + new - 1].load();
        }
        let mut word = 0u32;
        if old > 0 {
            word = load_word(graph.blocks, site.first, old - 1);
        }
        if new == 0 || (old > 0 && word & KEY > key_of(item)) {
            move_key(graph, site, old - 1, to, old + new - 1);
            old -= 1;
        } else {
            put_item(graph, edges, from, item, to, old + new - 1);
            round.outcomes[item as u32].store(NEW);
            new -= 1;
        }
    }
}

/// Merges the new keys of lists, a warp each, and up to 32 of them.
#[kernel]
pub(super) fn merge_medium<W: Weight>(
    graph: &Blocks<W>,
    edges: &[Edge<W>],
    from: u32,
    round: &Round,
) {
    let me = lane_id();
    let mut i = global_warp_id();
    let all = warp_broadcast(round.medium.length[0].load(), 0);
    while i < all {
        let own: Arrivals = round.medium.items[i];
        let vertex = warp_broadcast(own.vertex, 0);
        let count = warp_broadcast(own.count, 0);
        let start = warp_broadcast(own.start, 0);
        let record: [u32; 4] = record_of(graph, vertex);
        let used = warp_broadcast(record[1], 0);
        let first = warp_broadcast(record[0], 0);
        let site: Site = site_of(first, used, graph.least);
        let mut item = u64::MAX;
        if me < count {
            item = round.items[start + me].load();
        }
        // Which of them are the first of their key, and how many of these are below.
        let mut is_again = me >= count;
        for j in 0..count {
            let other = key_of(warp_broadcast(item, j));
            is_again = is_again || (j < me && other == key_of(item));
        }
        let mut left = warp_ballot(!is_again);
        let more = left.count_ones();
        let mut below = 0u32;
        while left != 0 {
            let owner = warp_dequeue(&mut left);
            below += (key_of(warp_broadcast(item, owner)) < key_of(item)) as u32;
        }
        let mut to: Site = site;
        if me == 0 {
            to = next_site(graph, site, used, more);
        }
        let block = warp_broadcast(to.first, 0);
        let places = warp_broadcast(to.places, 0);
        if block != NO_BLOCK {
            // Each key's place in the list that is there, ascending by lanes.
            let mut place = 0u32;
            if !is_again {
                let list = BlockList { first, used };
                let (own_place, _word): (u32, u32) =
                    place_in(graph.blocks, list, key_of(item), false);
                place = own_place;
            }
            let mut from_lane = 0u32;
            for j in 0..count {
                let other = warp_broadcast(select(is_again, 32, below), j);
                let is_mine = other == me;
                from_lane = select(is_mine, j, from_lane);
            }
            let sorted = warp_shuffle(place, from_lane);
            move_by_warp(graph, site, used, Site { first: block, places }, sorted, more);
            if !is_again {
                let to = Site { first: block, places };
                put_item(graph, edges, from, item, to, place + below);
                round.outcomes[item as u32].store(NEW);
            }
        }
        if me == 0 {
            settle_list(graph, round, vertex, site, Site { first: block, places }, used, more);
        }
        warp_barrier();
        i += warp_count();
    }
}

/// Moves the keys of a list apart, so that `more` new ones have their places: lane `j` has the
/// place in the list of the new key `j`. From the end on, 32 at a time. Collective.
#[device]
fn move_by_warp<W: Weight>(
    graph: &Blocks<W>,
    site: Site,
    used: Uniform<u32>,
    to: Site,
    place: u32,
    more: Uniform<u32>,
) {
    let me = lane_id();
    // In place, what is below all new keys stays.
    let moves = warp_any(to.first != site.first);
    let least: u32 = warp_broadcast(place, 0);
    let end: Uniform<u32> = select(moves, 0, warp_broadcast(least / 32, 0));
    let mut chunk: Uniform<u32> = (used + 31) / 32;
    while chunk > end {
        chunk -= 1;
        let i = chunk * 32 + me;
        let mut word = 0u32;
        let mut bits = 0u32;
        if i < used {
            word = load_word(graph.blocks, site.first, i);
            if W::IS_WEIGHTED {
                bits = load_word(graph.blocks, site.first, site.places + i);
            }
        }
        // How many new keys go before.
        let mut low = 0u32;
        let mut high: u32 = more;
        for _ in 0..6 {
            let middle = (low + high) / 2;
            let other = warp_shuffle(place, middle.min(31));
            let is_before = low < high && other <= i;
            high = select(low < high && !is_before, middle, high);
            low = select(is_before, middle + 1, low);
        }
        warp_barrier();
        if i < used {
            store_word(graph, to.first, i + low, word);
            if W::IS_WEIGHTED {
                store_word(graph, to.first, to.places + i + low, bits);
            }
        }
        warp_barrier();
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        merge_short::info::<()>(),
        merge_short::info::<f32>(),
        merge_medium::info::<()>(),
        merge_medium::info::<f32>(),
    ]
}
