//! Frontiers: the vertices or edges that the next step visits. Here is what kernels
//! do with one; the host's side is in `host.rs` and `level_queue.rs`.
#![allow(unsafe_code)] // One write into a slot that an atomic handed out.

mod arguments;
mod host;
mod level_queue;

use crate::scalar::*;
use crate::view::{Atomic, DeviceSlice};
use crate::{DeviceType, Vertex};
pub use arguments::{CurrentFrontier, NextFrontier};
pub use host::Frontiers;
pub use level_queue::LevelQueue;
use meerkat_macros::{DeviceStruct, device};

/// A frontier as kernels see it: a list and how much of it is taken.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct Frontier<T: DeviceType> {
    pub(crate) items: DeviceSlice<T>,
    pub(crate) length: DeviceSlice<Atomic<u32>>,
}

/// Up to here a frontier counts what does not fit.
const MOST_COUNTED: u32 = 1 << 31;

/// Takes places in a frontier: the first of `count`. Of a frontier that is full by far they are
/// given back at once, so that the count never wraps, and no place is taken twice, however
/// much is enqueued; it stays above the capacity, by which the host sees it.
#[device]
fn take_slots<T: DeviceType>(frontier: &Frontier<T>, count: u32) -> u32 {
    let first = frontier.length[0].fetch_add(count);
    if first > frontier.items.len().max(MOST_COUNTED) {
        frontier.length[0].fetch_sub(count);
    }
    first
}

/// Appends the value of every lane whose predicate holds, with one atomic for
/// the warp (Meerkat, algorithm 2). What does not fit is dropped, and
/// [`Frontiers::advance`] says so. Collective.
#[device]
pub fn warp_enqueue_frontier<T: DeviceType>(frontier: &Frontier<T>, value: T, predicate: bool) {
    let votes = warp_ballot(predicate);
    if votes != 0 {
        let mut first = 0u32;
        if lane_id() == 0 {
            first = take_slots(frontier, votes.count_ones());
        }
        let slot = warp_broadcast(first, 0) + (votes & lanes_below()).count_ones();
        if predicate && slot < frontier.items.len() {
            // SAFETY: the atomic gave these slots to this warp, one to each lane.
            unsafe { frontier.items.write(slot, value) }
        }
    }
}

/// [`warp_enqueue_frontier`] for a lane on its own.
#[device]
pub fn lane_enqueue_frontier<T: DeviceType>(frontier: &Frontier<T>, value: T, predicate: bool) {
    if predicate {
        let slot: u32 = take_slots(frontier, 1);
        if slot < frontier.items.len() {
            // SAFETY: the atomic gave this slot to this lane.
            unsafe { frontier.items.write(slot, value) }
        }
    }
}

macro_rules! tile_enqueue_frontier {
    ($($name:ident $size:tt)*) => {$(
        /// [`warp_enqueue_frontier`] for the lanes of a tile. Collective of the tile.
        #[device]
        pub fn $name<T: DeviceType>(frontier: &Frontier<T>, value: T, predicate: bool) {
            let votes = tile::<$size>().ballot(predicate);
            if votes != 0 {
                let mut first = 0u32;
                let me = tile::<$size>().lane_id();
                if me == 0 {
                    first = take_slots(frontier, votes.count_ones());
                }
                let below: u32 = votes & ((1u32 << me) - 1);
                let slot = tile::<$size>().broadcast(first, 0) + below.count_ones();
                if predicate && slot < frontier.items.len() {
                    // SAFETY: the atomic gave these slots to this tile, one to each lane.
                    unsafe { frontier.items.write(slot, value) }
                }
            }
        }
    )*};
}

tile_enqueue_frontier! {
    tile4_enqueue_frontier 4
    tile8_enqueue_frontier 8
    tile16_enqueue_frontier 16
}

/// [`warp_enqueue_frontier`] with one atomic for the block: for passes over all
/// vertices, where one counter for every warp would be a queue. Appends in the
/// order of the threads. Collective of the block.
#[device]
pub fn block_enqueue_frontier<T: DeviceType>(frontier: &Frontier<T>, value: T, predicate: bool) {
    let vote = predicate as u32;
    let below = block_scan_sum(vote);
    let count = block_reduce_sum(vote);
    let mut first = 0u32;
    if block_thread_id() == 0 && count != 0 {
        first = take_slots(frontier, count);
    }
    let slot = block_broadcast(first, 0) + below;
    if predicate && slot < frontier.items.len() {
        // SAFETY: the atomic gave these slots to this block, one to each thread.
        unsafe { frontier.items.write(slot, value) }
    }
}

/// How many words of its memory a block has for what it enqueues: a counter, and
/// vertices.
#[doc(hidden)]
pub const STAGED: u32 = 1024;

/// [`tile8_enqueue_frontier`] into memory of the block; what does not fit there goes
/// to the frontier. Collective of the tile.
#[doc(hidden)]
#[device]
pub fn tile8_stage_frontier(
    frontier: &Frontier<Vertex>,
    staged: &[Atomic<u32>],
    value: u32,
    predicate: bool,
) {
    let votes = tile::<8>().ballot(predicate);
    if votes != 0 {
        let me = tile::<8>().lane_id();
        let mut first = 0u32;
        if me == 0 {
            first = staged[0].fetch_add(votes.count_ones());
        }
        let below: u32 = votes & ((1u32 << me) - 1);
        let slot = 1 + tile::<8>().broadcast(first, 0) + below.count_ones();
        let fits = slot < staged.len();
        if predicate && fits {
            staged[slot].store(value);
        }
        tile8_enqueue_frontier(frontier, value, predicate && !fits);
    }
}

/// Enqueues what a block has staged. Collective of the block.
#[doc(hidden)]
#[device]
pub fn block_flush_frontier(frontier: &Frontier<Vertex>, staged: &[Atomic<u32>]) {
    block_barrier();
    let me = block_thread_id();
    let count = block_broadcast(staged[0].load().min(staged.len() - 1), 0);
    let mut first = 0u32;
    if me == 0 && count != 0 {
        first = take_slots(frontier, count);
    }
    let first = block_broadcast(first, 0);
    let mut i = me;
    while i < count {
        let slot = first + i;
        if slot < frontier.items.len() {
            // SAFETY: the atomic gave these slots to this block, and `i` is one thread's.
            unsafe { frontier.items.write(slot, staged[1 + i].load()) }
        }
        i += block_size();
    }
}
