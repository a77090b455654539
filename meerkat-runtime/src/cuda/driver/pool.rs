//! The device's pool of memory: allocations in stream order, some of which it keeps.

use cudarc::driver::sys;

use super::check;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How much memory that is free the pool keeps for the next allocations.
const KEPT: u64 = 1 << 30;
/// After how many bytes, allocated or freed, the pool is set anew.
const STEP: u64 = 1 << 27;

/// The device's default pool. CUDA gives back what is free at every synchronisation as long as
/// the pool holds more than its threshold, *counting what is in use*. So the threshold goes
/// with that: under a constant one every batch on a large graph would map its memory again.
#[derive(Debug)]
pub(super) struct MemoryPool {
    handle: sys::CUmemoryPool,
    /// Bytes in use by this context.
    used: AtomicU64,
    /// Bytes that were in use when the threshold was set.
    set_at: AtomicU64,
}

impl MemoryPool {
    /// The default pool of a device that has pools; `None` if it cannot be set.
    pub(super) fn of(device: sys::CUdevice) -> Option<Self> {
        let mut handle = std::ptr::null_mut();
        // SAFETY: `device` came from `cuDeviceGet`; the pointer is to a live handle.
        let code = unsafe { sys::cuDeviceGetDefaultMemPool(&mut handle, device) };
        check("cuDeviceGetDefaultMemPool", code).ok()?;
        let pool = MemoryPool { handle, used: AtomicU64::new(0), set_at: AtomicU64::new(0) };
        pool.set_threshold(0).then_some(pool)
    }

    /// Counts memory that was taken from the pool.
    pub(super) fn count_taken(&self, bytes: usize) {
        self.follow(self.used.fetch_add(bytes as u64, Relaxed) + bytes as u64);
    }

    /// Counts memory that goes back to the pool.
    pub(super) fn count_freed(&self, bytes: usize) {
        self.follow(self.used.fetch_sub(bytes as u64, Relaxed) - bytes as u64);
    }

    fn follow(&self, used: u64) {
        if used.abs_diff(self.set_at.load(Relaxed)) >= STEP {
            self.set_at.store(used, Relaxed);
            self.set_threshold(used);
        }
    }

    /// Sets what the pool holds on to; returns whether it could.
    fn set_threshold(&self, used: u64) -> bool {
        let mut bytes = threshold(used);
        let which = sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        // SAFETY: the pool is the device's default one, which is never destroyed; this
        // attribute is 64 bits, as the value pointed to.
        let code =
            unsafe { sys::cuMemPoolSetAttribute(self.handle, which, (&raw mut bytes).cast()) };
        code == sys::CUresult::CUDA_SUCCESS
    }

    /// Gives back all that is free.
    pub(super) fn trim(&self) {
        // SAFETY: the pool is the device's default one, which is never destroyed. A failure
        // leaves it as it was, and the allocation that follows reports what is missing.
        unsafe { sys::cuMemPoolTrimTo(self.handle, 0) };
    }
}

/// What the pool holds on to while this much is in use.
fn threshold(used: u64) -> u64 {
    used.saturating_add(KEPT)
}

#[cfg(test)]
mod tests {
    use super::super::super::test_support;
    use super::*;

    /// With 2 GiB in use and a threshold of 1, each batch of a large graph took 1 ms longer.
    #[test]
    fn the_threshold_of_the_pool_goes_with_what_is_in_use() {
        let Some(context) = test_support::context() else {
            return;
        };
        let Some(pool) = context.pool() else {
            return;
        };
        let memory = context.allocate(2 << 30).expect("memory");
        assert_eq!(pool.set_at.load(Relaxed), pool.used.load(Relaxed));
        assert!(pool.used.load(Relaxed) >= 2 << 30);
        drop(memory);
        assert_eq!(pool.set_at.load(Relaxed), pool.used.load(Relaxed));
        assert!(pool.used.load(Relaxed) < 2 << 30);
    }
}
