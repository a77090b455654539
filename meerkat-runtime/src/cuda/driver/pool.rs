//! The device's pool of memory: allocations in stream order, some of which it keeps.

use cudarc::driver::sys;

use super::check;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How much memory that is free the pool keeps for the next allocations, after a trim.
const KEPT: u64 = 1 << 30;

/// The device's default pool. Left to itself, CUDA gives back what is free at every
/// synchronisation as long as the pool holds more than a threshold, *what is in use and what
/// lies between it* included. Beside a graph of more than that, every batch then maps its memory
/// again: 1 ms instead of 0.1 on an H200. So there is no threshold, and the pool is trimmed at an
/// allocation once [`KEPT`] bytes have been freed since the last time.
#[derive(Debug)]
pub(super) struct MemoryPool {
    handle: sys::CUmemoryPool,
    /// Bytes in use by this context and those beside it.
    used: AtomicU64,
    /// Bytes freed since the last trim.
    freed: AtomicU64,
}

impl MemoryPool {
    /// The default pool of a device that has pools; `None` if it cannot be set.
    pub(super) fn of(device: sys::CUdevice) -> Option<Self> {
        let mut handle = std::ptr::null_mut();
        // SAFETY: `device` came from `cuDeviceGet`; the pointer is to a live handle.
        let code = unsafe { sys::cuDeviceGetDefaultMemPool(&mut handle, device) };
        check("cuDeviceGetDefaultMemPool", code).ok()?;
        let mut none = u64::MAX;
        let which = sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        // SAFETY: the pool was just found; this attribute is 64 bits, as the value pointed to.
        let code = unsafe { sys::cuMemPoolSetAttribute(handle, which, (&raw mut none).cast()) };
        check("cuMemPoolSetAttribute", code).ok()?;
        Some(MemoryPool { handle, used: AtomicU64::new(0), freed: AtomicU64::new(0) })
    }

    /// Counts memory that was taken, and trims the pool if it is time to.
    pub(super) fn count_taken(&self, bytes: usize) {
        let used = self.used.fetch_add(bytes as u64, Relaxed) + bytes as u64;
        if self.freed.load(Relaxed) >= KEPT {
            self.freed.store(0, Relaxed);
            self.trim_to(used.saturating_add(KEPT));
        }
    }

    /// Counts memory that goes back to the pool.
    pub(super) fn count_freed(&self, bytes: usize) {
        self.used.fetch_sub(bytes as u64, Relaxed);
        self.freed.fetch_add(bytes as u64, Relaxed);
    }

    /// Gives back all that is free.
    pub(super) fn trim(&self) {
        self.trim_to(0);
    }

    /// Gives back what is free, as long as the pool holds more than so many bytes.
    fn trim_to(&self, bytes: u64) {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        // SAFETY: the pool is the device's default one, which is never destroyed. A failure
        // leaves it as it was, and the allocation that follows reports what is missing.
        unsafe { sys::cuMemPoolTrimTo(self.handle, bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::test_support;
    use super::*;

    #[test]
    fn the_pool_gives_back_what_is_freed_once_that_is_much() {
        let Some(context) = test_support::context() else {
            return;
        };
        let Some(pool) = context.pool() else {
            return;
        };
        let memory = context.allocate(3 << 30).expect("memory");
        assert_eq!(pool.used.load(Relaxed), 3 << 30);
        drop(memory);
        context.synchronize().expect("an idle stream");
        assert_eq!((pool.used.load(Relaxed), pool.freed.load(Relaxed)), (0, 3 << 30));
        let _next = context.allocate(1 << 20).expect("memory");
        assert_eq!(pool.freed.load(Relaxed), 0, "trimmed");
    }
}
