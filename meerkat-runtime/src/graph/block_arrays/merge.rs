//! New keys merged into lists that are not long: by a lane, by a tile of 8, or by a warp.
//!
//! A lane has its list in registers. A tile or a warp merges in place from the end, or into a new
//! block if the keys do not fit.

use super::few::*;
use super::insert::*;
use super::layout::*;
use super::round::*;
use super::take::{LONGEST, take_block};
use super::view::Blocks;
use crate::frontier::{block_enqueue_frontier, lane_enqueue_frontier};
use crate::graph::layout::Edge;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::{TileUniform, Weight};
use meerkat_macros::{device, kernel};

/// The block that a list of `used` keys in `from` goes to with `more`: the same, another, or
/// [`NO_BLOCK`].
#[device]
pub(super) fn next_site<W: Weight>(graph: &Blocks<W>, from: Site, used: u32, more: u32) -> Site {
    let class: u32 = class_of(used + more, graph.least);
    let mut to: Site = from;
    if used == 0 || places_of(class, graph.least) != from.places {
        to = Site { first: take_block(graph, class), places: places_of(class, graph.least) };
    }
    to
}

/// A list has moved to another block, or got more keys; or there was no block, and it waits for
/// nothing more. Whether it has left the block that it had.
#[device]
pub(super) fn settle_list<W: Weight>(
    graph: &Blocks<W>,
    vertex: u32,
    from: Site,
    to: Site,
    used: u32,
    more: u32,
) -> bool {
    store_record(graph, vertex, WAITING, 0);
    if to.first != NO_BLOCK {
        end_list(graph, to.first, used + more);
        let words: u64 = ((used + more) as u64) << 32 | to.first as u64;
        graph.records[vertex / 8].pair(vertex % 8 * 4 + FIRST).store(words);
    }
    used != 0 && to.first != NO_BLOCK && to.first != from.first
}

/// Merges the new keys of tiny lists, a lane each.
#[kernel]
pub(super) fn merge_tiny<W: Weight>(
    graph: &Blocks<W>,
    edges: &[Edge<W>],
    from: u32,
    round: &Round,
) {
    let mut length = 0u32;
    if block_thread_id() == 0 {
        length = round.tiny.length[0].load();
    }
    let all = block_broadcast(length, 0);
    let mut before: u32 = block_id() * block_size();
    while before < all {
        let i = before + block_thread_id();
        let mut left = Released { first: NO_BLOCK, class: 0 };
        let mut has_left = false;
        if i < all {
            let own: Arrivals = round.tiny.items[i];
            let used = own.used;
            let site: Site = site_of(own.first, used, graph.least);
            let mut few: Few = load_few::<W>(graph.blocks, site, used);
            let mut more = 0u32;
            // Below this place nothing changes.
            let mut least = used;
            for j in 0..own.count {
                let item = round.items[own.start + j].load();
                if has_key(few, key_of(item)) {
                    round.outcomes[item as u32].store(NOTHING);
                } else {
                    least = least.min(keys_below(few, key_of(item)));
                    few = with_key::<W>(few, key_of(item), bits_of(edges, from, item));
                    more += 1;
                }
            }
            let to: Site = next_site(graph, site, used, more);
            if to.first != NO_BLOCK {
                let first = select(to.first == site.first, least, 0);
                store_few::<W>(graph.blocks, to, few, first, used + more);
            } else {
                for j in 0..own.count {
                    round.outcomes[round.items[own.start + j].load() as u32].store(NOTHING);
                }
            }
            has_left = settle_list(graph, own.vertex, site, to, used, more);
            left = Released { first: site.first, class: class_of(used, graph.least) };
        }
        block_enqueue_frontier(&round.released, left, has_left);
        before += block_count() * block_size();
    }
}

/// Merges the new keys of short lists, up to 8 of them: a tile each.
#[kernel]
pub(super) fn merge_short<W: Weight>(
    graph: &Blocks<W>,
    edges: &[Edge<W>],
    from: u32,
    round: &Round,
) {
    let me = tile::<8>().lane_id();
    let mut i = tile::<8>().broadcast(thread_id() / 8, 0);
    let all = warp_broadcast(round.short.length[0].load(), 0);
    while i < all {
        let own: Arrivals = round.short.items[i];
        let count = tile::<8>().broadcast(own.count, 0);
        let used = tile::<8>().broadcast(own.used, 0);
        let site: Site = site_of(own.first, used, graph.least);
        let mut item = u64::MAX;
        let mut place = u32::MAX;
        if me < count {
            item = round.items[own.start + me].load();
            place = round.places[item as u32].load();
        }
        // Which of them are the first of their key; and how many of these are below.
        let mut key: u32 = key_of(item);
        let mut is_again = me >= count;
        for j in 0..count {
            let other = tile::<8>().broadcast(key, j);
            is_again = is_again || (j < me && other == key);
        }
        let more = tile::<8>().ballot(!is_again).count_ones();
        key = select(is_again, u32::MAX, key);
        let mut below = 0u32;
        for j in 0..count {
            below += (tile::<8>().broadcast(key, j) < key) as u32;
        }
        let mut to: Site = site;
        if me == 0 {
            to = next_site(graph, site, used, more);
        }
        let first = tile::<8>().broadcast(to.first, 0);
        let places = tile::<8>().broadcast(to.places, 0);
        to = Site { first, places };
        if first != NO_BLOCK {
            // Their places, ascending by lanes.
            let mut from_lane = 0u32;
            let rank = select(is_again, 8, below);
            for j in 0..count {
                from_lane = select(tile::<8>().broadcast(rank, j) == me, j, from_lane);
            }
            let sorted = tile::<8>().shuffle(place, from_lane);
            move_by_tile(graph, site, used, to, more, select(me < more, sorted, u32::MAX));
            if !is_again {
                put_item(graph, edges, from, item, to, place + below);
            }
        }
        if me < count && (is_again || first == NO_BLOCK) {
            round.outcomes[item as u32].store(NOTHING);
        }
        if me == 0 {
            let has_left: bool = settle_list(graph, own.vertex, site, to, used, more);
            let left = Released { first: site.first, class: class_of(used, graph.least) };
            lane_enqueue_frontier(&round.released, left, has_left);
        }
        i += tile::<8>().broadcast(warp_count() * 4, 0);
    }
}

/// Moves the keys of a list apart, so that new ones have their places: lane `j` has the place in the
/// list of the new key `j`, or `u32::MAX`. From the end on, 8 at a time. Collective of the tile.
#[device]
fn move_by_tile<W: Weight>(
    graph: &Blocks<W>,
    site: Site,
    used: TileUniform<8, u32>,
    to: Site,
    more: TileUniform<8, u32>,
    place: u32,
) {
    let me = tile::<8>().lane_id();
    // In place, what is below all new keys stays.
    let moves = tile::<8>().any(to.first != site.first);
    let least = tile::<8>().broadcast(place / 8, 0);
    let end: TileUniform<8, u32> = select(moves, 0, least);
    let mut chunk: TileUniform<8, u32> = (used + 7) / 8;
    while chunk > end {
        chunk -= 1;
        let i = chunk * 8 + me;
        let mut word = 0u32;
        let mut bits = 0u32;
        if i < used {
            word = load_word(graph.blocks, site.first, i);
            if W::IS_WEIGHTED {
                bits = load_word(graph.blocks, site.first, site.places + i);
            }
        }
        // How many new keys go before.
        let mut before = 0u32;
        for j in 0..more {
            before += (tile::<8>().broadcast(place, j) <= i) as u32;
        }
        // All have read before one writes: the vote asks for what was read.
        let (has_word, has_bits) = (word != EMPTY, bits != EMPTY);
        let are_read = tile::<8>().any(has_word | has_bits);
        if i < used && are_read {
            store_word(graph.blocks, to.first, i + before, word);
            if W::IS_WEIGHTED {
                store_word(graph.blocks, to.first, to.places + i + before, bits);
            }
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
        let used = warp_broadcast(own.used, 0);
        let site: Site = site_of(own.first, used, graph.least);
        let mut item = u64::MAX;
        let mut place = u32::MAX;
        if me < count {
            item = round.items[own.start + me].load();
            place = round.places[item as u32].load();
        }
        // Which of them are the first of their key; and how many of these are below.
        let mut key: u32 = key_of(item);
        let mut is_again = me >= count;
        for j in 0..count {
            let other = warp_broadcast(key, j);
            is_again = is_again || (j < me && other == key);
        }
        let more = warp_ballot(!is_again).count_ones();
        key = select(is_again, u32::MAX, key);
        let mut below = 0u32;
        for j in 0..count {
            below += (warp_broadcast(key, j) < key) as u32;
        }
        let mut to: Site = site;
        if me == 0 {
            to = next_site(graph, site, used, more);
        }
        let first = warp_broadcast(to.first, 0);
        let places = warp_broadcast(to.places, 0);
        to = Site { first, places };
        if first != NO_BLOCK {
            // Their places, ascending by lanes.
            let mut from_lane = 0u32;
            let rank = select(is_again, 32, below);
            for j in 0..count {
                from_lane = select(warp_broadcast(rank, j) == me, j, from_lane);
            }
            let sorted = warp_shuffle(place, from_lane);
            move_by_warp(graph, site, used, to, select(me < more, sorted, u32::MAX));
            if !is_again {
                put_item(graph, edges, from, item, to, place + below);
            }
        }
        if me < count && (is_again || first == NO_BLOCK) {
            round.outcomes[item as u32].store(NOTHING);
        }
        let mut has_left = false;
        if me == 0 {
            has_left = settle_list(graph, vertex, site, to, used, more);
            if used + more > graph.shelves[LONGEST].load() && first != NO_BLOCK {
                graph.shelves[LONGEST].fetch_max(used + more);
            }
        }
        let left = Released { first: site.first, class: class_of(used, graph.least) };
        lane_enqueue_frontier(&round.released, left, has_left);
        i += warp_count();
    }
}

/// Moves the keys of a list apart, so that new ones have their places: lane `j` has the place in the
/// list of the new key `j`, or `u32::MAX`. From the end on, 128 at a time. Collective.
#[device]
fn move_by_warp<W: Weight>(
    graph: &Blocks<W>,
    site: Site,
    used: Uniform<u32>,
    to: Site,
    place: u32,
) {
    let me = lane_id();
    // In place, what is below all new keys stays.
    let moves = warp_any(to.first != site.first);
    let least: u32 = warp_broadcast(place, 0);
    let end: Uniform<u32> = select(moves, 0, warp_broadcast(least / 128, 0));
    let mut chunk: Uniform<u32> = (used + 127) / 128;
    while chunk > end {
        chunk -= 1;
        let i = chunk * 128 + me;
        let words: [u32; 4] = [
            load_before(graph, site.first, 0, i, used),
            load_before(graph, site.first, 0, i + 32, used),
            load_before(graph, site.first, 0, i + 64, used),
            load_before(graph, site.first, 0, i + 96, used),
        ];
        let mut bits: [u32; 4] = [0; 4];
        if W::IS_WEIGHTED {
            bits = [
                load_before(graph, site.first, site.places, i, used),
                load_before(graph, site.first, site.places, i + 32, used),
                load_before(graph, site.first, site.places, i + 64, used),
                load_before(graph, site.first, site.places, i + 96, used),
            ];
        }
        warp_barrier();
        move_apart(graph, to, i, used, place, words[0], bits[0]);
        move_apart(graph, to, i + 32, used, place, words[1], bits[1]);
        move_apart(graph, to, i + 64, used, place, words[2], bits[2]);
        move_apart(graph, to, i + 96, used, place, words[3], bits[3]);
        warp_barrier();
    }
}

/// The word at a place of a block behind `base`, if it is one of `used`.
#[device]
pub(super) fn load_before<W: Weight>(
    graph: &Blocks<W>,
    first: u32,
    base: u32,
    i: u32,
    used: u32,
) -> u32 {
    let mut word = 0u32;
    if i < used {
        word = load_word(graph.blocks, first, base + i);
    }
    word
}

/// Writes a key behind the new keys that go before it. Collective: the lanes have keys one after
/// another.
#[device]
fn move_apart<W: Weight>(
    graph: &Blocks<W>,
    to: Site,
    i: u32,
    used: u32,
    place: u32,
    word: u32,
    bits: u32,
) {
    let first = warp_broadcast(i, 0);
    let before_all = warp_ballot(place <= first);
    let mut before: u32 = before_all.count_ones();
    let mut others = warp_ballot(place <= first + 31) & !before_all;
    while others != 0 {
        let owner = warp_dequeue(&mut others);
        before += (warp_broadcast(place, owner) <= i) as u32;
    }
    if i < used {
        store_word(graph.blocks, to.first, i + before, word);
        if W::IS_WEIGHTED {
            store_word(graph.blocks, to.first, to.places + i + before, bits);
        }
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        merge_tiny::info::<()>(),
        merge_tiny::info::<f32>(),
        merge_short::info::<()>(),
        merge_short::info::<f32>(),
        merge_medium::info::<()>(),
        merge_medium::info::<f32>(),
    ]
}
