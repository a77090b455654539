//! One warp: its place in the launch, and its collectives.

use super::block::SharedMemory;
use super::{FULL, LaneValue, Lanes};
use crate::device_type::DeviceType;
use crate::ops::{Arithmetic, Integer, Order};
use crate::trap::{self, Fault};

/// A warp of a launch. Blocks are one warp on the CPU, which keeps kernels
/// honest about block size.
#[derive(Debug)]
pub struct Warp {
    pub(super) id: u32,
    pub(super) count: u32,
    pub(super) shared: SharedMemory,
}

impl Warp {
    /// Warp `id` of `count`.
    pub(crate) fn new(id: u32, count: u32) -> Self {
        Warp { id, count, shared: SharedMemory::default() }
    }

    /// The number of this thread in the launch.
    #[inline(always)]
    pub fn thread_id(&self, lane: usize) -> u32 {
        self.id.wrapping_mul(32).wrapping_add(lane as u32)
    }

    /// The number of this warp in the launch.
    #[inline(always)]
    pub fn global_warp_id(&self) -> u32 {
        self.id
    }

    /// How many warps the launch has.
    #[inline(always)]
    pub fn warp_count(&self) -> u32 {
        self.count
    }

    #[track_caller]
    #[inline(always)]
    pub(super) fn converged(&self, mask: u32, name: &'static str) {
        if mask != FULL {
            trap::raise(Fault::PartialGroup { name, mask });
        }
    }

    /// The lanes whose predicate holds, a bit each.
    #[track_caller]
    #[inline(always)]
    pub fn warp_ballot(&self, mask: u32, votes: u32) -> u32 {
        self.converged(mask, "warp_ballot");
        votes
    }

    /// Waits for all lanes of the warp.
    #[track_caller]
    #[inline(always)]
    pub fn warp_barrier(&self, mask: u32) {
        self.converged(mask, "warp_barrier");
    }

    /// Orders what this thread of the CPU reads and writes.
    #[inline(always)]
    pub fn memory_fence(&self) {
        crate::atomics::fence();
    }

    /// Whether the predicate holds in any lane.
    #[track_caller]
    #[inline(always)]
    pub fn warp_any(&self, mask: u32, votes: u32) -> bool {
        self.converged(mask, "warp_any");
        votes != 0
    }

    /// Whether the predicate holds in every lane.
    #[track_caller]
    #[inline(always)]
    pub fn warp_all(&self, mask: u32, votes: u32) -> bool {
        self.converged(mask, "warp_all");
        votes == FULL
    }

    /// Takes the lowest lane out of a ballot.
    #[track_caller]
    #[inline(always)]
    pub fn warp_dequeue(&self, mask: u32, queue: &mut u32) -> u32 {
        self.converged(mask, "warp_dequeue");
        if *queue == 0 {
            trap::raise(Fault::NoSuchLane { name: "warp_dequeue", lane: 32, lanes: 32 });
        }
        let lane = queue.trailing_zeros();
        *queue &= *queue - 1;
        lane
    }

    /// The lane that a broadcast reads, as an index.
    #[track_caller]
    #[inline(always)]
    pub fn source_lane(&self, mask: u32, lane: u32) -> usize {
        self.converged(mask, "warp_broadcast");
        self.lane("warp_broadcast", lane)
    }

    #[track_caller]
    #[inline(always)]
    pub(super) fn lane(&self, name: &'static str, lane: u32) -> usize {
        if lane >= 32 {
            trap::raise(Fault::NoSuchLane { name, lane, lanes: 32 });
        }
        lane as usize
    }

    /// Each lane's choice of another lane's value.
    #[track_caller]
    #[inline]
    pub fn warp_shuffle<T: DeviceType>(
        &self,
        mask: u32,
        values: Lanes<T>,
        from: impl LaneValue<Item = u32>,
    ) -> Lanes<T> {
        self.converged(mask, "warp_shuffle");
        let from = from.lanes();
        let mut result = values;
        for lane in 0..32 {
            result[lane] = values[self.lane("warp_shuffle", from[lane])];
        }
        result
    }

    /// The value of the lane whose number differs in the bits of `bits`.
    #[track_caller]
    #[inline]
    pub fn warp_shuffle_xor<T: DeviceType>(
        &self,
        mask: u32,
        values: Lanes<T>,
        bits: u32,
    ) -> Lanes<T> {
        self.converged(mask, "warp_shuffle_xor");
        let bits = self.lane("warp_shuffle_xor", bits);
        Lanes::dense(|lane| values[lane ^ bits])
    }

    /// The value of the lane `distance` above; the topmost keep their own.
    #[track_caller]
    #[inline]
    pub fn warp_shuffle_down<T: DeviceType>(
        &self,
        mask: u32,
        values: Lanes<T>,
        distance: u32,
    ) -> Lanes<T> {
        self.converged(mask, "warp_shuffle_down");
        let distance = self.lane("warp_shuffle_down", distance);
        Lanes::dense(
            |lane| if lane + distance < 32 { values[lane + distance] } else { values[lane] },
        )
    }

    /// The value of the lane `distance` below; the lowest keep their own.
    #[track_caller]
    #[inline]
    pub fn warp_shuffle_up<T: DeviceType>(
        &self,
        mask: u32,
        values: Lanes<T>,
        distance: u32,
    ) -> Lanes<T> {
        self.converged(mask, "warp_shuffle_up");
        let distance = self.lane("warp_shuffle_up", distance);
        Lanes::dense(|lane| if lane >= distance { values[lane - distance] } else { values[lane] })
    }

    /// Joins lanes as a GPU's butterfly of shuffles does, so that floats round
    /// alike on both back ends. Only what lane 0 ends with is worked out.
    #[inline(always)]
    pub(super) fn butterfly<T: DeviceType>(mut values: Lanes<T>, join: impl Fn(T, T) -> T) -> T {
        let mut halve = |distance: usize| {
            for lane in 0..distance {
                values.0[lane] = join(values.0[lane], values.0[lane + distance]);
            }
        };
        // One call each, so that every loop has a known length and vectorises.
        halve(16);
        halve(8);
        halve(4);
        halve(2);
        halve(1);
        values.0[0]
    }

    /// The sum over all lanes.
    #[track_caller]
    #[inline]
    pub fn warp_reduce_sum<T: DeviceType + Arithmetic>(&self, mask: u32, values: Lanes<T>) -> T {
        self.converged(mask, "warp_reduce_sum");
        Self::butterfly(values, T::add)
    }

    /// The smallest over all lanes.
    #[track_caller]
    #[inline]
    pub fn warp_reduce_min<T: DeviceType + Order>(&self, mask: u32, values: Lanes<T>) -> T {
        self.converged(mask, "warp_reduce_min");
        Self::butterfly(values, T::smaller)
    }

    /// The largest over all lanes.
    #[track_caller]
    #[inline]
    pub fn warp_reduce_max<T: DeviceType + Order>(&self, mask: u32, values: Lanes<T>) -> T {
        self.converged(mask, "warp_reduce_max");
        Self::butterfly(values, T::larger)
    }

    /// The bits set in any lane.
    #[track_caller]
    #[inline]
    pub fn warp_reduce_or<T: DeviceType + Integer>(&self, mask: u32, values: Lanes<T>) -> T {
        self.converged(mask, "warp_reduce_or");
        Self::butterfly(values, |a, b| a | b)
    }
}
