//! New keys of long lists: a block sorts them, and many warps move the list to another block, a piece
//! each, so that no list waits for one warp.

use super::build::move_key;
use super::insert::*;
use super::layout::*;
use super::merge::settle_list;
use super::round::*;
use super::sort::sort_items;
use super::take::{EXHAUSTED, LONGEST, take_block};
use super::view::Blocks;
use crate::Weight;
use crate::graph::layout::Edge;
use crate::program::KernelInfo;
use crate::scalar::*;
use meerkat_macros::{device, kernel};

/// Sorts the new keys of long lists, a block each, and takes the blocks that these are to have.
#[kernel]
pub(super) fn prepare_long<W: Weight>(graph: &Blocks<W>, round: &Round) {
    let me = block_thread_id();
    let all = block_broadcast(round.long.length[0].load(), 0);
    let mut e = block_broadcast(block_id(), 0);
    while e < all {
        let own: Arrivals = round.long.items[e];
        let start = block_broadcast(own.start, 0);
        let count = block_broadcast(own.count, 0);
        let vertex = block_broadcast(own.vertex, 0);
        let padded = block_broadcast(1u32 << (32 - (count - 1).leading_zeros()), 0);
        let mut i = count + me;
        while i < padded {
            round.items[start + i].store(u64::MAX);
            i += block_size();
        }
        block_barrier();
        sort_items(round, start, padded);
        let more = block_broadcast(keep_first(round, start, count), 0);
        let used = block_broadcast(load_record(graph, vertex, USED), 0);
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
        while k < more && is_placed {
            round.outcomes[round.items[start + k].load() as u32].store(NEW);
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
        if piece.arrivals != NO_PIECE {
            let own: Arrivals = round.long.items[piece.arrivals];
            let moved: Move = round.moves[piece.arrivals].load();
            let record: [u32; 4] = record_of(graph, own.vertex);
            let used = record[1];
            let site: Site = site_of(record[0], used, graph.least);
            let to: Site = site_of(moved.to, used + moved.count, graph.least);
            let end = ((piece.part + 1) * PIECE).min(used + moved.count);
            let mut t = piece.part * PIECE + me;
            while t < end {
                if t < used {
                    let word: u32 = load_word(graph.blocks, site.first, t);
                    let below: u32 = items_below(round, own.start, moved.count, word & KEY);
                    move_key(graph, site, t, to, t + below);
                } else {
                    let item = round.items[own.start + (t - used)].load();
                    let list = BlockList { first: site.first, used };
                    let (place, _word): (u32, u32) =
                        place_in(graph.blocks, list, key_of(item), false);
                    put_item(graph, edges, from, item, to, place + (t - used));
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

/// How many of a list's new keys are below a key.
#[device]
fn items_below(round: &Round, start: u32, count: u32, key: u32) -> u32 {
    let mut low = 0u32;
    let mut high = count;
    while low < high {
        let middle = low + (high - low) / 2;
        if key_of(round.items[start + middle].load()) < key {
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
    let i = thread_id();
    if i < round.long.length[0].load() {
        let own: Arrivals = round.long.items[i];
        let moved: Move = round.moves[i].load();
        let record: [u32; 4] = record_of(graph, own.vertex);
        let used = record[1];
        let site: Site = site_of(record[0], used, graph.least);
        let to: Site = site_of(moved.to, used + moved.count, graph.least);
        settle_list(graph, round, own.vertex, site, to, used, moved.count);
        if moved.to != NO_BLOCK {
            graph.shelves[LONGEST].fetch_max(used + moved.count);
        }
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
