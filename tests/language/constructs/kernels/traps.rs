//! What the CPU back end traps and a GPU would get wrong silently.

#![allow(unsafe_code)]

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

#[kernel]
pub fn reads_past_end(a: &[u32], out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = a[i + 5];
    }
}

#[kernel]
pub fn writes_past_end(out: &mut [u32]) {
    let i = thread_id();
    out[i] = 1;
}

#[kernel]
pub fn atomic_past_end(cells: &[Atomic<u64>]) {
    let i = thread_id();
    cells[i * 3].fetch_add(1);
}

#[device]
fn element(a: &[u32], at: u32) -> u32 {
    a[at]
}

#[kernel]
pub fn calls_past_end(a: &[u32], out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = element(a, i * 2);
    }
}

#[kernel]
pub fn divides(divisors: &[u32], out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = 100 / divisors[i];
    }
}

/// Assertions of both forms; the third lane breaks one of them.
#[kernel]
pub fn asserts(limit: u32, out: &mut [u32]) {
    let i = thread_id();
    assert!(limit > 0, "a limit");
    if i < out.len() {
        out[i] = i;
        assert_ne!(out[i], limit);
        debug_assert_eq!(i * 2 / 2, i);
    }
}

#[kernel]
pub fn takes_remainder(divisors: &[i64], out: &mut [i64]) {
    let i = thread_id();
    if i < out.len() {
        out[i] %= divisors[i];
    }
}

#[kernel]
pub fn dequeues_nothing(out: &mut [u32]) {
    let i = thread_id();
    let mut work = warp_ballot(i == 1000);
    let lane = warp_dequeue(&mut work);
    if i < out.len() {
        out[i] = lane;
    }
}

#[kernel]
pub fn shuffles_outside(out: &mut [u32]) {
    let i = thread_id();
    let x = warp_shuffle(i, i + 1);
    if i < out.len() {
        out[i] = x;
    }
}

#[kernel]
pub fn broadcasts_outside(out: &mut [u32]) {
    let i = thread_id();
    let x = warp_broadcast(i, out.len() - 8);
    if i < out.len() {
        out[i] = x;
    }
}

#[kernel]
pub fn shuffles_xor_outside(out: &mut [u32]) {
    let i = thread_id();
    let x = warp_shuffle_xor(i, out.len() - 8);
    if i < out.len() {
        out[i] = x;
    }
}

#[kernel]
pub fn shuffles_up_outside(out: &mut [u32]) {
    let i = thread_id();
    let x = warp_shuffle_up(i, out.len() - 8);
    if i < out.len() {
        out[i] = x;
    }
}

#[kernel]
pub fn shuffles_down_outside(out: &mut [u32]) {
    let i = thread_id();
    let x = warp_shuffle_down(i, out.len() - 8);
    if i < out.len() {
        out[i] = x;
    }
}

#[kernel]
pub fn tile_dequeues_nothing(out: &mut [u32]) {
    let i = thread_id();
    let mut work = tile::<8>().ballot(i == 1000);
    let lane = tile::<8>().dequeue(&mut work);
    if i < out.len() {
        out[i] = lane;
    }
}

#[kernel]
pub fn tile_broadcasts_outside(out: &mut [u32]) {
    let i = thread_id();
    let x = tile::<4>().broadcast(i, out.len() - 36);
    if i < out.len() {
        out[i] = x;
    }
}

// Collectives that half of the lanes reach: the author vouched wrongly.

#[kernel]
pub fn partial_ballot(out: &mut [u32]) {
    let i = thread_id();
    if lane_id() < 16 {
        // SAFETY: none; this is the mistake that the test is about.
        out[i] = unsafe { warp_ballot(lane_id() == 3) };
    }
}

#[kernel]
pub fn partial_any(out: &mut [u32]) {
    let i = thread_id();
    if lane_id() < 16 {
        // SAFETY: none; this is the mistake that the test is about.
        out[i] = unsafe { warp_any(lane_id() == 3) as u32 };
    }
}

#[kernel]
pub fn partial_all(out: &mut [u32]) {
    let i = thread_id();
    if lane_id() < 16 {
        // SAFETY: none; this is the mistake that the test is about.
        out[i] = unsafe { warp_all(lane_id() == 3) as u32 };
    }
}

#[kernel]
pub fn partial_broadcast(out: &mut [u32]) {
    let i = thread_id();
    if lane_id() < 16 {
        // SAFETY: none; this is the mistake that the test is about.
        out[i] = unsafe { warp_broadcast(lane_id(), 3) };
    }
}

#[kernel]
pub fn partial_shuffle(out: &mut [u32]) {
    let i = thread_id();
    if lane_id() < 16 {
        // SAFETY: none; this is the mistake that the test is about.
        out[i] = unsafe { warp_shuffle(lane_id(), 3) };
    }
}

#[kernel]
pub fn partial_xor(out: &mut [u32]) {
    let i = thread_id();
    if lane_id() < 16 {
        // SAFETY: none; this is the mistake that the test is about.
        out[i] = unsafe { warp_shuffle_xor(lane_id(), 3) };
    }
}

#[kernel]
pub fn partial_up(out: &mut [u32]) {
    let i = thread_id();
    if lane_id() < 16 {
        // SAFETY: none; this is the mistake that the test is about.
        out[i] = unsafe { warp_shuffle_up(lane_id(), 3) };
    }
}

#[kernel]
pub fn partial_down(out: &mut [u32]) {
    let i = thread_id();
    if lane_id() < 16 {
        // SAFETY: none; this is the mistake that the test is about.
        out[i] = unsafe { warp_shuffle_down(lane_id(), 3) };
    }
}

#[kernel]
pub fn partial_sum(out: &mut [u32]) {
    let i = thread_id();
    if lane_id() < 16 {
        // SAFETY: none; this is the mistake that the test is about.
        out[i] = unsafe { warp_reduce_sum(lane_id()) };
    }
}

#[kernel]
pub fn partial_min(out: &mut [u32]) {
    let i = thread_id();
    if lane_id() < 16 {
        // SAFETY: none; this is the mistake that the test is about.
        out[i] = unsafe { warp_reduce_min(lane_id()) };
    }
}

#[kernel]
pub fn partial_max(out: &mut [u32]) {
    let i = thread_id();
    if lane_id() < 16 {
        // SAFETY: none; this is the mistake that the test is about.
        out[i] = unsafe { warp_reduce_max(lane_id()) };
    }
}

#[kernel]
pub fn partial_or(out: &mut [u32]) {
    let i = thread_id();
    if lane_id() < 16 {
        // SAFETY: none; this is the mistake that the test is about.
        out[i] = unsafe { warp_reduce_or(lane_id()) };
    }
}

#[kernel]
pub fn partial_call(out: &mut [u32]) {
    let i = thread_id();
    if lane_id() < 16 {
        // SAFETY: none; this is the mistake that the test is about.
        out[i] = unsafe { votes(lane_id()) };
    }
}

#[device]
fn votes(x: u32) -> u32 {
    warp_ballot(x > 3)
}

#[kernel]
pub fn partial_enqueue(next: &Frontier<u32>) {
    if lane_id() < 16 {
        // SAFETY: none; this is the mistake that the test is about.
        unsafe { warp_enqueue_frontier(next, lane_id(), true) }
    }
}

/// Takes it that no thread runs beyond those that were asked for.
#[kernel]
pub fn unguarded(out: &mut [u32]) {
    let i = thread_id();
    out[i] = 1;
}

pub fn kernels() -> Vec<KernelInfo> {
    vec![
        reads_past_end::info(),
        writes_past_end::info(),
        atomic_past_end::info(),
        calls_past_end::info(),
        divides::info(),
        asserts::info(),
        takes_remainder::info(),
        dequeues_nothing::info(),
        shuffles_outside::info(),
        broadcasts_outside::info(),
        shuffles_xor_outside::info(),
        shuffles_up_outside::info(),
        shuffles_down_outside::info(),
        tile_dequeues_nothing::info(),
        tile_broadcasts_outside::info(),
        partial_ballot::info(),
        partial_any::info(),
        partial_all::info(),
        partial_broadcast::info(),
        partial_shuffle::info(),
        partial_xor::info(),
        partial_up::info(),
        partial_down::info(),
        partial_sum::info(),
        partial_min::info(),
        partial_max::info(),
        partial_or::info(),
        partial_call::info(),
        partial_enqueue::info(),
        unguarded::info(),
    ]
}
