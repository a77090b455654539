//! Blocks: one warp each on the CPU, which keeps kernels honest about their
//! size, with memory of their own.

use super::{Lanes, Warp};
use crate::atomics::weak;
use crate::device_type::DeviceType;
use crate::ops::{Arithmetic, Integer, Order};
use crate::view::{Atomic, DeviceSlice};
use std::cell::RefCell;

/// The shared memory of a block; it is there until the block ends.
#[derive(Debug, Default)]
pub(super) struct SharedMemory {
    /// Words of 64 bits, so that every element is aligned. Not boxes: to move a box says that
    /// nobody else has its address.
    arrays: RefCell<Vec<Vec<u64>>>,
}

impl SharedMemory {
    fn address_of_zeroed(&self, bytes: usize) -> u64 {
        let mut array = vec![0u64; bytes.div_ceil(8)];
        let address = array.as_mut_ptr().expose_provenance() as u64;
        weak::forget(address as usize..address as usize + bytes);
        self.arrays.borrow_mut().push(array);
        address
    }
}

impl Warp {
    /// The number of the block in the launch.
    #[inline(always)]
    pub fn block_id(&self) -> u32 {
        self.id
    }

    /// How many blocks the launch has.
    #[inline(always)]
    pub fn block_count(&self) -> u32 {
        self.count
    }

    /// How many threads a block has.
    #[inline(always)]
    pub fn block_size(&self) -> u32 {
        32
    }

    /// The number of the warp in its block.
    #[inline(always)]
    pub fn block_warp_id(&self) -> u32 {
        0
    }

    /// How many warps a block has.
    #[inline(always)]
    pub fn block_warp_count(&self) -> u32 {
        1
    }

    /// Atomics in the memory of the block, all zero.
    #[track_caller]
    pub fn block_shared<T: DeviceType>(&self, mask: u32, length: usize) -> DeviceSlice<Atomic<T>> {
        const { Atomic::<T>::IS_WORD };
        self.converged(mask, "block_shared");
        let address = self.shared.address_of_zeroed(length * size_of::<T>());
        DeviceSlice::from_raw(address, length)
    }

    /// Waits for all threads of the block.
    #[track_caller]
    #[inline(always)]
    pub fn block_barrier(&self, mask: u32) {
        self.converged(mask, "block_barrier");
    }

    /// Whether the predicate holds in any thread of the block.
    #[track_caller]
    #[inline(always)]
    pub fn block_any(&self, mask: u32, votes: u32) -> bool {
        self.converged(mask, "block_any");
        votes != 0
    }

    /// Whether the predicate holds in every thread of the block.
    #[track_caller]
    #[inline(always)]
    pub fn block_all(&self, mask: u32, votes: u32) -> bool {
        self.converged(mask, "block_all");
        votes == super::FULL
    }

    /// The sum over the block.
    #[track_caller]
    pub fn block_reduce_sum<T: DeviceType + Arithmetic>(&self, mask: u32, values: Lanes<T>) -> T {
        self.converged(mask, "block_reduce_sum");
        Self::butterfly(values, T::add)
    }

    /// The sum over the threads below each.
    #[track_caller]
    pub fn block_scan_sum<T: DeviceType + Arithmetic>(
        &self,
        mask: u32,
        values: Lanes<T>,
    ) -> Lanes<T> {
        self.converged(mask, "block_scan_sum");
        let mut sums = Lanes::zeroed();
        for lane in 1..32 {
            sums[lane] = T::add(sums[lane - 1], values[lane - 1]);
        }
        sums
    }

    /// The smallest over the block.
    #[track_caller]
    pub fn block_reduce_min<T: DeviceType + Order>(&self, mask: u32, values: Lanes<T>) -> T {
        self.converged(mask, "block_reduce_min");
        Self::butterfly(values, T::smaller)
    }

    /// The largest over the block.
    #[track_caller]
    pub fn block_reduce_max<T: DeviceType + Order>(&self, mask: u32, values: Lanes<T>) -> T {
        self.converged(mask, "block_reduce_max");
        Self::butterfly(values, T::larger)
    }

    /// The bits set in any thread of the block.
    #[track_caller]
    pub fn block_reduce_or<T: DeviceType + Integer>(&self, mask: u32, values: Lanes<T>) -> T {
        self.converged(mask, "block_reduce_or");
        Self::butterfly(values, |a, b| a | b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Under Miri this fails where a later array takes the memory of an earlier one away.
    #[test]
    fn an_array_of_a_block_is_there_after_others_are_made() {
        let shared = SharedMemory::default();
        let array = || DeviceSlice::<Atomic<u64>>::from_raw(shared.address_of_zeroed(24), 3);
        let arrays: Vec<_> = (0..9).map(|_| array()).collect();
        for (value, array) in (1..).zip(&arrays) {
            array.at(2).store(value);
        }
        let values = arrays.iter().map(|array| array.at(2).load() + array.at(0).load());
        assert_eq!(values.collect::<Vec<_>>(), (1..10).collect::<Vec<u64>>());
    }
}
