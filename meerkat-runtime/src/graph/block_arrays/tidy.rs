//! Lists tidied of which a fourth or more was deleted: their keys close up, in a smaller block if they
//! fit in one.

use super::edges::BlockEdges;
use super::layout::*;
use super::take::*;
use super::view::Blocks;
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, block_enqueue_frontier, lane_enqueue_frontier};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::schedule::BLOCK_THREADS;
use crate::view::Atomic;
use crate::{Error, Vertex, Weight};
use meerkat_macros::{device, kernel};
use std::ops::Range;

/// A warp tidies a list of so many keys, and a block one of more.
const MOST_OF_WARP: u32 = 2048;

/// Whether a noted list is to be tidied now, and by whom; it is not noted any more then.
#[device]
fn take_note<W: Weight>(graph: &Blocks<W>, vertex: u32, is_long: bool) -> bool {
    let used: u32 = load_record(graph, vertex, USED);
    let mut is_own = false;
    if (used > MOST_OF_WARP) == is_long {
        let before = graph.records[vertex / 8].word(vertex % 8 * 4 + DEAD).fetch_and(KEY);
        is_own = before & NOTED != 0;
    }
    is_own
}

/// The block that a list goes to: that which it has, if it is the smallest; [`NO_BLOCK`] where none
/// is left, and of a list without keys.
#[device]
fn smaller_site<W: Weight>(graph: &Blocks<W>, from: Site, live: u32) -> Site {
    let class: u32 = class_of(live, graph.least);
    let mut to: Site = from;
    if live == 0 {
        to = Site { first: NO_BLOCK, places: 0 };
    } else if places_of(class, graph.least) != from.places {
        to = Site { first: take_block(graph, class), places: places_of(class, graph.least) };
    }
    to
}

/// Ends the tidying of a list: its record says what it is now. Where there was no block, it is noted
/// again.
#[device]
fn end_tidying<W: Weight>(
    graph: &Blocks<W>,
    released: &Frontier<Released>,
    vertex: u32,
    from: Site,
    used: u32,
    to: Site,
    live: u32,
) {
    if to.first == NO_BLOCK && live != 0 {
        graph.records[vertex / 8].word(vertex % 8 * 4 + DEAD).fetch_or(NOTED);
    } else {
        if live != 0 {
            end_list(graph, to.first, live);
        }
        store_record(graph, vertex, FIRST, to.first);
        store_record(graph, vertex, USED, live);
        store_record(graph, vertex, DEAD, 0);
        let left = Released { first: from.first, class: class_of(used, graph.least) };
        lane_enqueue_frontier(released, left, to.first != from.first);
    }
}

/// Tidies the lists that are noted, a warp each.
#[kernel]
fn tidy_by_warps<W: Weight>(graph: &Blocks<W>, count: u32, released: &Frontier<Released>) {
    let me = lane_id();
    let i = global_warp_id();
    let mut is_own = false;
    if i < count && me == 0 {
        is_own = take_note(graph, noted_list(graph, i), false);
    }
    if warp_broadcast(is_own, 0) {
        let vertex = warp_broadcast(noted_list(graph, i), 0);
        let record: [u32; 4] = record_of(graph, vertex);
        let used = warp_broadcast(record[1], 0);
        let live = used - warp_broadcast(record[2] & KEY, 0);
        let from: Site = site_of(record[0], used, graph.least);
        let mut to: Site = from;
        if me == 0 {
            to = smaller_site(graph, from, live);
        }
        let first = warp_broadcast(to.first, 0);
        let places = warp_broadcast(to.places, 0);
        let to = Site { first, places };
        let mut base = 0u32;
        let mut kept = 0u32;
        while base < used && first != NO_BLOCK {
            let mut word = EMPTY;
            let mut bits = 0u32;
            if base + me < used {
                word = load_word(graph.blocks, from.first, base + me);
                if W::IS_WEIGHTED {
                    bits = load_word(graph.blocks, from.first, from.places + base + me);
                }
            }
            let votes = warp_ballot(word < GONE);
            // In place: all have read.
            warp_barrier();
            let place = kept + (votes & lanes_below()).count_ones();
            if word < GONE {
                store_word(graph.blocks, to.first, place, word);
                if W::IS_WEIGHTED {
                    store_word(graph.blocks, to.first, to.places + place, bits);
                }
            }
            warp_barrier();
            kept += votes.count_ones();
            base += 32;
        }
        if me == 0 {
            end_tidying(graph, released, vertex, from, used, to, live);
        }
    }
}

/// Puts a key that is there to a place of its list; how many keys that is.
#[device]
fn keep_key<W: Weight>(graph: &Blocks<W>, to: Site, place: u32, word: u32, bits: u32) -> u32 {
    if word < GONE {
        store_word(graph.blocks, to.first, place, word);
        if W::IS_WEIGHTED {
            store_word(graph.blocks, to.first, to.places + place, bits);
        }
    }
    (word < GONE) as u32
}

/// Tidies the long lists that are noted, a block each and four keys a thread: a list of a million
/// took 4 ms where each thread had one (NVIDIA H200).
#[kernel]
fn tidy_by_blocks<W: Weight>(graph: &Blocks<W>, count: u32, released: &Frontier<Released>) {
    let me = block_thread_id();
    let mut i = block_broadcast(block_id(), 0);
    while i < count {
        let mut is_own = false;
        if me == 0 {
            is_own = take_note(graph, noted_list(graph, i), true);
        }
        if block_broadcast(is_own, 0) {
            let vertex: u32 = noted_list(graph, i);
            let record: [u32; 4] = record_of(graph, vertex);
            let used = block_broadcast(record[1], 0);
            let live = used - block_broadcast(record[2] & KEY, 0);
            let from: Site = site_of(record[0], used, graph.least);
            let mut to: Site = from;
            if me == 0 {
                to = smaller_site(graph, from, live);
            }
            let first = block_broadcast(to.first, 0);
            let places = block_broadcast(to.places, 0);
            let to = Site { first, places };
            let mut base = block_broadcast(0u32, 0);
            let mut kept = block_broadcast(0u32, 0);
            while base < used && first != NO_BLOCK {
                let mut words: [u32; 4] = [EMPTY; 4];
                let mut bits: [u32; 4] = [0; 4];
                let at = base + me * 4;
                // Behind the last key there is `EMPTY`, up to a multiple of four.
                if at < used {
                    words = quad_at(graph.blocks, from.first, at);
                    if W::IS_WEIGHTED {
                        bits = quad_at(graph.blocks, from.first, from.places + at);
                    }
                }
                let first_two = (words[0] < GONE) as u32 + (words[1] < GONE) as u32;
                let own = first_two + (words[2] < GONE) as u32 + (words[3] < GONE) as u32;
                let below = block_scan_sum(own);
                let all = block_reduce_sum(own);
                // In place: all have read.
                block_barrier();
                let mut place: u32 = kept + below;
                place += keep_key(graph, to, place, words[0], bits[0]);
                place += keep_key(graph, to, place, words[1], bits[1]);
                place += keep_key(graph, to, place, words[2], bits[2]);
                keep_key(graph, to, place, words[3], bits[3]);
                block_barrier();
                kept = block_broadcast(kept + all, 0);
                base = block_broadcast(base + block_size() * 4, 0);
            }
            if me == 0 {
                end_tidying(graph, released, vertex, from, used, to, live);
            }
        }
        i = block_broadcast(i + block_count(), 0);
    }
}

/// Notes the lists of some vertices of which a fourth was deleted: there was no room when they were
/// to be noted.
#[kernel]
fn note_untidy<W: Weight>(graph: &Blocks<W>, first: Vertex, count: u32) {
    let i = thread_id();
    let mut is_untidy = false;
    if i < count {
        let used: u32 = load_record(graph, first + i, USED);
        let dead: u32 = load_record(graph, first + i, DEAD) & KEY;
        is_untidy = dead != 0 && dead as u64 * 4 >= used as u64;
        if is_untidy {
            let word = (first + i) % 8 * 4 + DEAD;
            graph.records[(first + i) / 8].word(word).fetch_or(NOTED);
        }
    }
    block_enqueue_frontier(&graph.noted, first + i, is_untidy);
}

/// No list is noted any more.
#[kernel]
fn forget_notes<W: Weight>(graph: &Blocks<W>, count: u32) {
    let i = thread_id();
    if i < count {
        let v: u32 = noted_list(graph, i);
        graph.records[v / 8].word(v % 8 * 4 + DEAD).fetch_and(KEY);
    }
}

impl<W: Weight> BlockEdges<W> {
    /// Tidies the lists of some vertices of which a fourth was deleted: how many. Synchronises.
    pub(super) fn sweep_vertices(&mut self, vertices: Range<Vertex>) -> Result<usize, Error> {
        let (first, count) = (vertices.start, vertices.len() as u32);
        note_untidy::launch(&self.device, count, &*self, first, count)?;
        let noted = self.pool.count_noted()?;
        if noted > 0 {
            self.tidy_noted()?;
        }
        Ok(noted as usize)
    }

    /// Tidies the lists that deletions noted. Where there is no memory for smaller blocks, lists stay
    /// as they are. Synchronises.
    pub(super) fn tidy_noted(&mut self) -> Result<(), Error> {
        self.has_long_lists = false;
        let (device, count) = (self.device.clone(), self.pool.count_noted()?);
        let released = DeviceBuffer::zeroed(&device, count as usize)?;
        let mut length = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 1)?;
        let list = Frontier { items: released.view(), length: length.view() };
        let (warps, blocks) = (count.saturating_mul(32), count.saturating_mul(BLOCK_THREADS));
        let most = (device.threads_at_once() as u32).min(blocks);
        let has_long = self.most_lists > MOST_OF_WARP / 32;
        let mut is_tidy = false;
        while !is_tidy {
            tidy_by_warps::launch(&device, warps, &*self, count, list)?;
            if has_long {
                tidy_by_blocks::launch(&device, most, &*self, count, list)?;
            }
            self.put_back(list, count)?;
            length.write(0, &[0])?;
            is_tidy = !self.pool.is_exhausted()? || self.grow(false).is_err();
        }
        self.forget_exhaustion()?;
        forget_notes::launch(&device, count, &*self, count)?;
        self.pool.forget_notes()
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        tidy_by_warps::info::<()>(),
        tidy_by_warps::info::<u32>(),
        tidy_by_blocks::info::<()>(),
        tidy_by_blocks::info::<u32>(),
        forget_notes::info::<()>(),
        note_untidy::info::<()>(),
        note_untidy::info::<u32>(),
    ]
}
