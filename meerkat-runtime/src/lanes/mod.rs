//! The CPU back end: a warp of 32 lanes in lock step.
//!
//! Generated code calls what is here. A value that varies is a [`Lanes`], a
//! vote is a `u32` with a bit for each lane, and a mask of the same form says
//! which lanes are active. Loops over all lanes vectorise.

mod block;
mod tile;
mod warp;

use crate::device_type::DeviceType;
#[doc(hidden)]
pub use crate::ops;
use crate::trap;
use crate::view::Slab;
use std::ops::{Index, IndexMut};
pub use warp::Warp;

/// The mask of a warp with all its lanes.
pub const FULL: u32 = u32::MAX;

/// A value for each of the 32 lanes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Lanes<T>([T; 32]);

/// All-zero bytes, a value of every device type.
#[allow(unsafe_code)]
pub fn zeroed<T: DeviceType>() -> T {
    // SAFETY: `DeviceType` promises that all-zero bytes are a value.
    unsafe { std::mem::zeroed() }
}

impl Slab {
    /// A word for each active lane, its own, as `word(lane_id()).load()`; 0 for the others.
    #[doc(hidden)]
    #[inline(always)]
    pub fn row(&self, mask: u32) -> Lanes<u32> {
        if mask == FULL {
            return Lanes(self.all_words());
        }
        self.prefetch_ahead();
        Lanes::active(mask, |lane| self.word(lane as u32).load())
    }
}

impl<T: DeviceType> Lanes<T> {
    /// Zero in every lane.
    #[inline]
    pub fn zeroed() -> Self {
        Lanes([zeroed(); 32])
    }

    /// One value in every lane.
    #[inline]
    pub fn splat(value: T) -> Self {
        Lanes([value; 32])
    }

    /// Computes every lane, active or not: for what cannot trap.
    #[inline(always)]
    pub fn dense(mut f: impl FnMut(usize) -> T) -> Self {
        // Not `array::from_fn`, of which rustc makes five functions for each closure, and
        // there are thousands of closures.
        let mut lanes = Lanes::zeroed();
        let mut lane = 0;
        while lane < 32 {
            lanes.0[lane] = f(lane);
            lane += 1;
        }
        lanes
    }

    /// Computes the active lanes; the others are zero.
    #[inline(always)]
    pub fn active(mask: u32, mut f: impl FnMut(usize) -> T) -> Self {
        // A whole warp is the common case, and a loop that unrolls.
        if mask == FULL {
            return Lanes::dense(f);
        }
        let mut lanes = Lanes::zeroed();
        for lane in active(mask) {
            lanes[lane] = f(lane);
        }
        lanes
    }
}

impl<T> Index<usize> for Lanes<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, lane: usize) -> &T {
        &self.0[lane & 31]
    }
}

impl<T> IndexMut<usize> for Lanes<T> {
    #[inline(always)]
    fn index_mut(&mut self, lane: usize) -> &mut T {
        &mut self.0[lane & 31]
    }
}

/// The active lanes of a mask, lowest first.
#[inline(always)]
pub fn active(mask: u32) -> Active {
    Active(mask)
}

/// Iterator of [`active`].
#[derive(Clone, Copy, Debug)]
pub struct Active(u32);

impl Iterator for Active {
    type Item = usize;
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let lane = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(lane)
    }
}

/// The lanes where a condition holds, asked of every lane.
#[inline(always)]
pub fn dense_bits(mut f: impl FnMut(usize) -> bool) -> u32 {
    // A byte for each lane first: that vectorises, and shifting bits in one by one does not.
    let mut holds = [0u8; 32];
    let mut lane = 0;
    while lane < 32 {
        holds[lane] = u8::from(f(lane));
        lane += 1;
    }
    let mut bits = 0;
    for (group, bytes) in holds.chunks_exact(8).enumerate() {
        bits |= bits_of_bytes(bytes) << (8 * group);
    }
    bits
}

/// Eight bytes, each 0 or 1, as eight bits.
#[inline(always)]
fn bits_of_bytes(bytes: &[u8]) -> u32 {
    let mut word = [0; 8];
    word.copy_from_slice(bytes);
    // Moves bit `8 * i` to bit `56 + i`; no two sums of places are the same, so none carries.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    (u64::from_le_bytes(word).wrapping_mul(GATHER) >> 56) as u32
}

/// The active lanes where a condition holds.
#[inline(always)]
pub fn active_bits(mask: u32, mut f: impl FnMut(usize) -> bool) -> u32 {
    let mut bits = 0;
    for lane in active(mask) {
        bits |= u32::from(f(lane)) << lane;
    }
    bits
}

/// A mask of the lanes below.
#[inline(always)]
pub fn lanes_below(lane: usize) -> u32 {
    (1u32 << (lane & 31)) - 1
}

/// An argument or result that may differ from lane to lane: `T` or `Lanes<T>`.
pub trait LaneValue {
    /// The lane's type.
    type Item: DeviceType;
    /// A value for each lane.
    fn lanes(self) -> Lanes<Self::Item>;
    /// Any lane's: for its type.
    fn sample(&self) -> Self::Item;
}

impl<T: DeviceType> LaneValue for T {
    type Item = T;
    #[inline(always)]
    fn lanes(self) -> Lanes<T> {
        Lanes::splat(self)
    }
    #[inline(always)]
    fn sample(&self) -> T {
        *self
    }
}

impl<T: DeviceType> LaneValue for Lanes<T> {
    type Item = T;
    #[inline(always)]
    fn lanes(self) -> Lanes<T> {
        self
    }
    #[inline(always)]
    fn sample(&self) -> T {
        self[0]
    }
}

/// A result declared `Uniform<T>`: one value for the warp.
#[derive(Clone, Copy, Debug)]
pub struct WarpValue<T>(pub T);

impl<T: DeviceType> LaneValue for WarpValue<T> {
    type Item = T;
    #[inline(always)]
    fn lanes(self) -> Lanes<T> {
        Lanes::splat(self.0)
    }
    #[inline(always)]
    fn sample(&self) -> T {
        self.0
    }
}

/// Elements of small arrays, checked as those of slices are.
#[doc(hidden)]
pub trait ArrayAt {
    type Item;
    fn at(&self, index: u32) -> &Self::Item;
    fn at_own_item(&mut self, index: u32) -> &mut Self::Item;
}

impl<T, const N: usize> ArrayAt for [T; N] {
    type Item = T;
    #[track_caller]
    #[inline(always)]
    fn at(&self, index: u32) -> &T {
        match self.get(index as usize) {
            Some(item) => item,
            None => trap::raise(trap::Fault::Index { index: index.into(), length: N as u64 }),
        }
    }
    #[track_caller]
    #[inline(always)]
    fn at_own_item(&mut self, index: u32) -> &mut T {
        match self.get_mut(index as usize) {
            Some(item) => item,
            None => trap::raise(trap::Fault::Index { index: index.into(), length: N as u64 }),
        }
    }
}
/// Stops the launch unless the condition holds.
#[doc(hidden)]
#[track_caller]
#[inline(always)]
pub fn assert(condition: bool) {
    if !condition {
        trap::raise(trap::Fault::Assertion);
    }
}
