//! Blocks: their words, their memory, their barrier.

use meerkat::prelude::*;
use meerkat::runtime::key_set::{KeySet, NO_PLACE, clear_set, find_key, find_keys, insert_key};
use meerkat::runtime::program::KernelInfo;

/// How many bins the histogram has.
const BINS: u32 = 16;

/// Who a thread is in its block.
#[kernel]
pub fn places(out: &mut [u32]) {
    let i = thread_id();
    let consistent = block_id() * block_size() + block_thread_id() == i
        && block_warp_id() == block_thread_id() / 32
        && block_warp_count() * 32 == block_size()
        && block_count() * block_warp_count() == warp_count();
    if i < out.len() {
        out[i] = consistent as u32;
    }
}

/// A histogram in the memory of each block, then in that of the device.
#[kernel]
pub fn histogram(values: &[u32], bins: &[Atomic<u32>]) {
    let own = block_shared::<u32, BINS>();
    let i = thread_id();
    if i < values.len() {
        own[values[i] % BINS].fetch_add(1);
    }
    block_barrier();
    let bin = block_thread_id();
    if bin < BINS {
        bins[bin].fetch_add(own[bin].load());
    }
}

/// A tally that is zero again in each round, though a warp may be late to read the last.
#[kernel]
pub fn rounds(out: &mut [u32]) {
    let i = thread_id();
    let mut right = true;
    for round in 1..9u32 {
        let tally = block_shared::<u32, 1>();
        tally[0].fetch_add(round);
        block_barrier();
        right &= tally[0].load() == round * block_size();
    }
    if i < out.len() {
        out[i] = right as u32;
    }
}

/// Each thread reads what another warp of its block wrote before the barrier.
#[kernel]
pub fn mirrored(values: &[u32], out: &mut [u32]) {
    let shared = block_shared::<u64, 1024>();
    let i = thread_id();
    let me = block_thread_id();
    shared[me].store(values[i % values.len()] as u64);
    block_barrier();
    let other = shared[block_size() - 1 - me].load() as u32;
    if i < out.len() {
        out[i] = other;
    }
}

/// What a block tells of its threads' values.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Summary {
    pub sum: u32,
    pub least: i32,
    pub most: f32,
    pub bits: u32,
    pub last: u32,
    pub votes: u32,
    pub size: u32,
}

/// Reductions, votes and a broadcast, under a condition of the whole block.
#[kernel]
pub fn summaries(values: &[u32], out: &mut [Summary]) {
    let i = thread_id();
    let x = values[i % values.len()];
    let mut sum = 0u32;
    if block_any(x < 1_000_000) {
        sum = block_reduce_sum(x);
    }
    let least = block_reduce_min(x as i32);
    let most = block_reduce_max(x as f32);
    let bits = block_reduce_or(x);
    let last = block_broadcast(x, block_size() - 1);
    let votes = (block_any(x == 7) as u32) | (block_all(x < 500) as u32) << 1;
    if i < out.len() {
        out[i] = Summary { sum, least, most, bits, last, votes, size: block_size() };
    }
}

/// The sum of the values of the threads below.
#[kernel]
pub fn scans(values: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let below = block_scan_sum(values[i % values.len()]);
    if i < out.len() {
        out[i] = below;
    }
}

/// A device function of the block, and one of the warp in a loop of warps.
#[device]
fn ordered_sum(shared: &[Atomic<u32>], x: u32) -> Uniform<u32> {
    let of_warp = warp_reduce_sum(x);
    if lane_id() == 0 {
        shared[0].fetch_add(of_warp / 32);
    }
    block_barrier();
    warp_broadcast(shared[0].load(), 0)
}

/// Calls of a function that is collective of the block.
#[kernel]
pub fn called(out: &mut [u32]) {
    let shared = block_shared::<u32, 1>();
    let total: Uniform<u32> = ordered_sum(&shared, 5);
    let i = thread_id();
    if i < out.len() {
        out[i] = total / block_warp_count();
    }
}

/// Each lane reads what another of its warp wrote before the warp's barrier.
#[kernel]
pub fn mirrored_in_warps(values: &[u32], out: &mut [u32]) {
    let shared = block_shared::<u32, 1024>();
    let i = thread_id();
    let own = block_warp_id() * 32;
    shared[own + lane_id()].store(values[i % values.len()]);
    warp_barrier();
    let other = shared[own + 31 - lane_id()].load_shared();
    if i < out.len() {
        out[i] = other;
    }
}

/// Which numbers are among the keys: a set of the block finds each and the next three.
#[kernel]
pub fn known_to_blocks(keys: &[u32], numbers: &[u32], out: &mut [u32]) {
    let places = block_shared::<u32, 1024>();
    let set = KeySet::with_room(0, 1024, keys.len());
    clear_set(set, &places, block_thread_id(), block_size());
    block_barrier();
    let mut at = block_thread_id();
    while at < keys.len() {
        insert_key(set, &places, keys[at]);
        at += block_size();
    }
    block_barrier();
    let i = thread_id();
    if i < out.len() {
        let x = numbers[i];
        let four: [u32; 4] = find_keys(set, &places, [x, x + 1, x + 2, x + 3]);
        let mut known = (find_key(set, &places, x) != NO_PLACE) as u32;
        for k in 0..4u32 {
            known = known << 1 | (four[k] != NO_PLACE) as u32;
        }
        out[i] = known;
    }
}

/// Which numbers are among the keys: each warp has a set of its own.
#[kernel]
pub fn known_to_warps(keys: &[u32], numbers: &[u32], out: &mut [u32]) {
    let places = block_shared::<u32, 1024>();
    let set = KeySet::with_room(block_warp_id() * 128, 128, keys.len());
    clear_set(set, &places, lane_id(), 32);
    warp_barrier();
    let mut at = lane_id();
    while at < keys.len() {
        insert_key(set, &places, keys[at]);
        at += 32;
    }
    warp_barrier();
    let i = thread_id();
    if i < out.len() {
        let place = find_key(set, &places, numbers[i]);
        out[i] = (place != NO_PLACE && places[place].load() == numbers[i]) as u32;
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    vec![
        mirrored_in_warps::info(),
        known_to_blocks::info(),
        known_to_warps::info(),
        places::info(),
        histogram::info(),
        rounds::info(),
        mirrored::info(),
        summaries::info(),
        scans::info(),
        called::info(),
    ]
}
