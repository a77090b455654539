//! New keys of long lists: a block sorts them, and many warps move the list to another block, a piece
//! each, so that no list waits for one warp.

use super::insert::*;
use super::layout::*;
use super::merge::{load_before, settle_list};
use super::round::*;
use super::sort::{Items, SPAN, sort};
use super::take::{EXHAUSTED, LONGEST, take_block};
use super::view::Blocks;
use crate::Weight;
use crate::frontier::block_enqueue_frontier;
use crate::graph::layout::Edge;
use crate::program::KernelInfo;
use crate::scalar::*;
use meerkat_macros::{device, kernel};

/// Sorts the new keys of long lists, a block each, and takes the blocks that these are to have.
#[kernel]
pub(super) fn prepare_long<W: Weight>(graph: &Blocks<W>, round: &Round) {
    let me = block_thread_id();
    let memory = block_shared::<u64, SPAN>();
    let all = block_broadcast(round.long.length[0].load(), 0);
    let mut e = block_broadcast(block_id(), 0);
    while e < all {
        let own: Arrivals = round.long.items[e];
        let start = block_broadcast(own.start, 0);
        let count = block_broadcast(own.count, 0);
        let padded = block_broadcast(1u32 << (32 - (count - 1).leading_zeros()), 0);
        let mut i = count + me;
        while i < padded {
            round.items[start + i].store(u64::MAX);
            i += block_size();
        }
        block_barrier();
        sort(Items { items: round.items, start }, padded, &memory);
        let more = block_broadcast(keep_first(round, start, count), 0);
        let used = block_broadcast(own.used, 0);
        let mut to = NO_BLOCK;
        if me == 0 {
            let parts = (used + more + PIECE - 1) / PIECE;
            let first = round.piece_count[0].fetch_add(parts);
            if first + parts <= round.pieces.len() {
                to = take_block(graph, class_of(used + more, graph.least));
            } else {
                graph.shelves[EXHAUSTED].store(1);
            }
            for part in 0..parts {
                if to != NO_BLOCK {
                    round.pieces[first + part].store(Piece { arrivals: e, part });
                }
            }
            round.moves[e].store(Move { to, count: more });
        }
        let is_placed = block_broadcast(to, 0) != NO_BLOCK;
        let mut k = me;
        while k < more {
            let edge = round.items[start + k].load() as u32;
            round.sorted_places[start + k].store(round.places[edge].load());
            if !is_placed {
                round.outcomes[edge].store(NOTHING);
            }
            k += block_size();
        }
        e = block_broadcast(e + block_count(), 0);
    }
}

/// Of sorted items keeps the first of each key; how many. Collective of the block.
#[device]
fn keep_first(round: &Round, start: u32, count: u32) -> u32 {
    let all: u32 = block_broadcast(count, 0);
    let mut kept = block_broadcast(0u32, 0);
    let mut base = block_broadcast(0u32, 0);
    while base < all {
        let i = base + block_thread_id();
        let mut is_first = false;
        let mut item = 0u64;
        if i < all {
            item = round.items[start + i].load();
            is_first = true;
            if i > 0 {
                // What is kept so far is below, or ends with the item before.
                is_first = key_of(round.items[start + i - 1].load()) != key_of(item);
            }
            if !is_first {
                round.outcomes[item as u32].store(NOTHING);
            }
        }
        let below = block_scan_sum(is_first as u32);
        let own = block_reduce_sum(is_first as u32);
        block_barrier();
        if is_first {
            round.items[start + kept + below].store(item);
        }
        block_barrier();
        kept = block_broadcast(kept + own, 0);
        base = block_broadcast(base + block_size(), 0);
    }
    kept
}

/// Moves long lists to their blocks, with the new keys among them: a piece by a warp.
#[kernel]
pub(super) fn move_pieces<W: Weight>(
    graph: &Blocks<W>,
    edges: &[Edge<W>],
    from: u32,
    round: &Round,
) {
    let me = lane_id();
    let length = warp_broadcast(round.piece_count[0].load(), 0);
    let all = length.min(round.pieces.len());
    let mut i = global_warp_id();
    while i < all {
        let piece: Piece = round.pieces[i].load();
        let list = warp_broadcast(piece.arrivals, 0);
        if list != NO_PIECE {
            let own: Arrivals = round.long.items[list];
            let moved: Move = round.moves[list].load();
            let used = warp_broadcast(own.used, 0);
            let more = warp_broadcast(moved.count, 0);
            let start = warp_broadcast(own.start, 0);
            let site: Site = site_of(own.first, used, graph.least);
            let to: Site = site_of(moved.to, used + more, graph.least);
            let part = warp_broadcast(piece.part, 0);
            move_keys(graph, round, site, used, to, start, more, part);
            // The new keys that have these numbers behind the keys that there were.
            let mut t = part * PIECE + me;
            while t < (part * PIECE + PIECE).min(used + more) {
                if t >= used {
                    let item = round.items[start + (t - used)].load();
                    let place = round.sorted_places[start + (t - used)].load() + (t - used);
                    put_item(graph, edges, from, item, to, place);
                }
                t += 32;
            }
        }
        warp_barrier();
        if me == 0 {
            // For the next round.
            round.pieces[i].store(Piece { arrivals: NO_PIECE, part: 0 });
        }
        i += warp_count();
    }
}

/// Copies a part of the keys of a list, 128 at a time, each behind the new keys that go before it.
/// Collective.
#[device]
fn move_keys<W: Weight>(
    graph: &Blocks<W>,
    round: &Round,
    site: Site,
    used: Uniform<u32>,
    to: Site,
    start: Uniform<u32>,
    more: Uniform<u32>,
    part: Uniform<u32>,
) {
    let me = lane_id();
    let end: Uniform<u32> = (part * PIECE + PIECE).min(used);
    let mut chunk: Uniform<u32> = part * PIECE;
    // How many new keys go before the first.
    let first = places_up_to(round, start, more, chunk);
    let mut before: Uniform<u32> = warp_broadcast(first, 0);
    while chunk < end {
        let i = chunk + me;
        let words: [u32; 4] = [
            load_before(graph, site.first, 0, i, end),
            load_before(graph, site.first, 0, i + 32, end),
            load_before(graph, site.first, 0, i + 64, end),
            load_before(graph, site.first, 0, i + 96, end),
        ];
        let mut bits: [u32; 4] = [0; 4];
        if W::IS_WEIGHTED {
            bits = [
                load_before(graph, site.first, site.places, i, end),
                load_before(graph, site.first, site.places, i + 32, end),
                load_before(graph, site.first, site.places, i + 64, end),
                load_before(graph, site.first, site.places, i + 96, end),
            ];
        }
        for k in 0..4 {
            let own = select(
                k == 0,
                words[0],
                select(k == 1, words[1], select(k == 2, words[2], words[3])),
            );
            let own_bits =
                select(k == 0, bits[0], select(k == 1, bits[1], select(k == 2, bits[2], bits[3])));
            let at = i + k * 32;
            let mut mine = before;
            let mut is_more = warp_any(true);
            while is_more {
                // The next new keys, of which some may go before keys of this chunk.
                let mut place = u32::MAX;
                if before + me < more {
                    place = round.sorted_places[start + before + me].load();
                }
                let mut votes = warp_ballot(place <= chunk + k * 32 + 31);
                let own_votes = votes.count_ones();
                while votes != 0 {
                    let owner = warp_dequeue(&mut votes);
                    mine += (warp_broadcast(place, owner) <= at) as u32;
                }
                before += own_votes;
                is_more = own_votes == 32;
            }
            if at < end {
                store_word(graph.blocks, to.first, at + mine, own);
                if W::IS_WEIGHTED {
                    store_word(graph.blocks, to.first, to.places + at + mine, own_bits);
                }
            }
        }
        chunk += 128;
    }
}

/// How many of a list's new keys go before the key at a place, or at that place.
#[device]
fn places_up_to(round: &Round, start: u32, count: u32, place: u32) -> u32 {
    let mut low = 0u32;
    let mut high = count;
    while low < high {
        let middle = low + (high - low) / 2;
        if round.sorted_places[start + middle].load() < place {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Long lists have moved: their blocks are others from now on.
#[kernel]
pub(super) fn end_long<W: Weight>(graph: &Blocks<W>, round: &Round) {
    let mut length = 0u32;
    if block_thread_id() == 0 {
        length = round.long.length[0].load();
    }
    let all = block_broadcast(length, 0);
    let mut before: u32 = block_id() * block_size();
    while before < all {
        let i = before + block_thread_id();
        let mut left = Released { first: NO_BLOCK, class: 0 };
        let mut has_left = false;
        if i < all {
            let own: Arrivals = round.long.items[i];
            let moved: Move = round.moves[i].load();
            let used = own.used;
            let site: Site = site_of(own.first, used, graph.least);
            let to: Site = site_of(moved.to, used + moved.count, graph.least);
            has_left = settle_list(graph, own.vertex, site, to, used, moved.count);
            left = Released { first: site.first, class: class_of(used, graph.least) };
            if moved.to != NO_BLOCK {
                graph.shelves[LONGEST].fetch_max(used + moved.count);
            }
        }
        block_enqueue_frontier(&round.released, left, has_left);
        before += block_count() * block_size();
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        prepare_long::info::<()>(),
        move_pieces::info::<()>(),
        move_pieces::info::<f32>(),
        end_long::info::<()>(),
    ]
}
