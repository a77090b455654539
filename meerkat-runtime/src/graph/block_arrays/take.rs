//! How lanes take blocks and give them back, and note lists for the host.
//!
//! Blocks of a class that are not in use are on its shelf: a stack of those that lists have left,
//! and a row of those that nobody had yet. During a launch lanes only take; what lists leave is
//! listed, and goes onto the shelves when the launch is over.

use super::layout::*;
use super::view::Blocks;
use crate::Weight;
use crate::frontier::Frontier;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use meerkat_macros::{device, kernel};

/// Words of a shelf: 128 bytes.
pub(super) const STRIDE: u32 = 32;
/// Of a shelf: how many blocks were asked for since it was last counted.
pub(super) const TAKEN: u32 = 0;
/// How many blocks the stack has.
pub(super) const HELD: u32 = 1;
/// Where the stack begins in the table of free blocks.
pub(super) const START: u32 = 2;
/// How many blocks it has room for.
pub(super) const ROOM: u32 = 3;
/// The first of the blocks that nobody had, and how many there are.
pub(super) const FRESH: u32 = 4;
pub(super) const COUNT: u32 = 5;
/// How many blocks were asked for in vain.
pub(super) const MISSING: u32 = 6;

/// Behind the shelves: whether a lane found no block.
pub(super) const EXHAUSTED: u32 = CLASSES * STRIDE;
/// The most keys of a list.
pub(super) const LONGEST: u32 = EXHAUSTED + 1;
/// How many lists are noted, to be tidied.
pub(super) const NOTES: u32 = EXHAUSTED + 2;

/// Takes a block of a class off its shelf: its first 16 bytes, or [`NO_BLOCK`].
#[device]
pub(super) fn take_block<W: Weight>(graph: &Blocks<W>, class: u32) -> u32 {
    let shelf = class * STRIDE;
    let slot = graph.shelves[shelf + TAKEN].fetch_add_aggregated(1);
    // Nobody changes the other words of a shelf in this launch, so they are read through the cache.
    let held = graph.stock[shelf + HELD];
    let mut block = NO_BLOCK;
    if slot < held {
        block = graph.free[graph.stock[shelf + START] + (held - 1 - slot)].load();
    } else if slot - held < graph.stock[shelf + COUNT] {
        let bits: u32 = quad_bits::<W>(class, graph.least);
        block = graph.stock[shelf + FRESH] + ((slot - held) << bits);
    } else {
        graph.shelves[EXHAUSTED].store(1);
    }
    block
}

/// Counts what was taken off the shelves: a thread for each.
#[kernel]
pub(super) fn count_taken<W: Weight>(graph: &Blocks<W>) {
    let class = thread_id();
    if class < CLASSES {
        let shelf = class * STRIDE;
        let taken = graph.shelves[shelf + TAKEN].load();
        let held = graph.shelves[shelf + HELD].load();
        let count = graph.shelves[shelf + COUNT].load();
        let of_stack = taken.min(held);
        let of_fresh = (taken - of_stack).min(count);
        let bits: u32 = quad_bits::<W>(class, graph.least);
        let fresh = graph.shelves[shelf + FRESH].load();
        graph.shelves[shelf + TAKEN].store(0);
        graph.shelves[shelf + HELD].store(held - of_stack);
        graph.shelves[shelf + COUNT].store(count - of_fresh);
        graph.shelves[shelf + FRESH].store(fresh + (of_fresh << bits));
        let missing = graph.shelves[shelf + MISSING].load();
        graph.shelves[shelf + MISSING].store(missing.saturating_add(taken - of_stack - of_fresh));
    }
}

/// Forgets what was asked for in vain: a thread for each class.
#[kernel]
pub(super) fn forget_missing<W: Weight>(graph: &Blocks<W>) {
    let class = thread_id();
    if class < CLASSES {
        graph.shelves[class * STRIDE + MISSING].store(0);
    }
}

/// Puts blocks that lists have left onto the shelves. Where a stack is full they are lost until the
/// graph is compacted: half of all blocks of this size are in it.
#[kernel]
pub(super) fn put_back<W: Weight>(graph: &Blocks<W>, released: &Frontier<Released>) {
    let all = warp_broadcast(released.length[0].load().min(released.items.len()), 0);
    let mut i = thread_id();
    while i < all {
        let own: Released = released.items[i];
        let shelf = own.class * STRIDE;
        let slot = graph.shelves[shelf + HELD].fetch_add_aggregated(1);
        if slot < graph.shelves[shelf + ROOM].load() {
            graph.free[graph.shelves[shelf + START].load() + slot].store(own.first);
        } else {
            graph.shelves[shelf + HELD].fetch_sub(1);
        }
        i += block_count() * block_size();
    }
}

/// Moves a stack to another table, and what is left of the blocks that nobody had onto it.
#[kernel]
pub(super) fn move_stack<W: Weight>(
    graph: &Blocks<W>,
    class: u32,
    to: &[Atomic<u32>],
    start: u32,
    room: u32,
) {
    let i = thread_id();
    let shelf = class * STRIDE;
    let held = graph.shelves[shelf + HELD].load();
    let count = graph.shelves[shelf + COUNT].load();
    if i < room {
        if i < held {
            to[start + i].store(graph.free[graph.shelves[shelf + START].load() + i].load());
        } else if i - held < count {
            let bits: u32 = quad_bits::<W>(class, graph.least);
            to[start + i].store(graph.shelves[shelf + FRESH].load() + ((i - held) << bits));
        }
    }
}

/// A vertex that is noted.
#[device]
pub(super) fn noted_list<W: Weight>(graph: &Blocks<W>, i: u32) -> u32 {
    graph.noted.items[i]
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        count_taken::info::<()>(),
        forget_missing::info::<()>(),
        move_stack::info::<()>(),
        put_back::info::<()>(),
    ]
}
