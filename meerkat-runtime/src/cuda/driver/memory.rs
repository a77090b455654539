//! Device memory: allocation, copies and fills.
//!
//! Sizes and offsets are in bytes. Every range is checked on the host before the driver is
//! called, and an allocation outlives the work queued on it, so nothing here is unsafe. What a
//! kernel does to memory is the business of `Context::launch`.

use std::fmt;
use std::sync::{Arc, OnceLock};

use cudarc::driver::sys;

use super::super::calls::{Call, timed};
use super::super::error::CudaError;
use super::{Context, Event, check};

mod copies;
mod growable;

use growable::Mapping;

/// An allocation on a device, with unspecified contents until written.
///
/// There are whole multiples of 128 bytes, so kernels may read up to the end of the last slab.
/// It goes in the order of the context's stream, so queued work never sees freed memory; where
/// the device has no memory pools, dropping it synchronises.
pub struct Memory {
    context: Arc<Context>,
    /// 0 when `len` is 0, unless it can grow: CUDA makes no empty allocation.
    address: sys::CUdeviceptr,
    len: usize,
    /// Where the memory was mapped to reserved addresses.
    mapping: Option<Mapping>,
}

impl Memory {
    /// The device address of the first byte, aligned to 256 bytes; 0 when empty.
    pub fn ptr(&self) -> u64 {
        self.address
    }

    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The context that owns the memory.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// The same memory in the order of another context's stream: what was queued before is done
    /// there before what comes, and it goes back in that order. Queued; nothing is copied.
    ///
    /// # Errors
    /// [`CudaError::WrongContext`] unless one context was made [beside](Context::beside) the
    /// other, or [`CudaError::Driver`]; then the memory is given back.
    pub fn moved_to(mut self, to: &Arc<Context>) -> Result<Memory, CudaError> {
        if !self.context.is_beside(to) {
            return Err(CudaError::WrongContext { what: "an allocation" });
        }
        if !Arc::ptr_eq(&self.context, to) {
            let before = Event::new(&self.context)?;
            before.record()?;
            before.join_on(to)?;
            self.context = Arc::clone(to);
        }
        Ok(self)
    }

    /// The address of byte `offset`, when `len` bytes from there are inside.
    fn address_of(&self, offset: usize, len: usize) -> Result<sys::CUdeviceptr, CudaError> {
        match offset.checked_add(len) {
            Some(end) if end <= self.len => Ok(self.address + offset as u64),
            _ => Err(CudaError::OutOfBounds { offset, len, size: self.len }),
        }
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Memory({:#x}, {} bytes)", self.address, self.len)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.len == 0 && self.mapping.is_none() {
            return;
        }
        if self.context.bind().is_err() {
            return;
        }
        if is_poisoned() && self.mapping.is_none() {
            let _ = self.context.fill_u8(self, 0..self.len, FREED);
        }
        match (&mut self.mapping, self.context.pool()) {
            (Some(mapping), _) => {
                self.context.quiesce();
                mapping.release();
            }
            (None, Some(pool)) => {
                pool.count_freed(self.len);
                // SAFETY: the address came from `cuMemAllocAsync` and is freed once, after all
                // work that uses it, which is on the same stream. A failure means that the
                // context is lost, and its memory with it.
                unsafe { sys::cuMemFreeAsync(self.address, self.context.stream().handle()) };
            }
            (None, None) => {
                self.context.quiesce();
                // SAFETY: the address came from `cuMemAlloc` in this context, which is current,
                // and is freed once; the stream is idle. A failure is as above.
                unsafe { sys::cuMemFree_v2(self.address) };
            }
        }
    }
}

impl Context {
    /// Allocates `bytes` bytes of device memory; 0 is allowed. In stream order, or where the
    /// device has no memory pools it may synchronise the device.
    ///
    /// # Errors
    /// [`CudaError::OutOfMemory`], or [`CudaError::Driver`].
    pub fn allocate(self: &Arc<Self>, bytes: usize) -> Result<Memory, CudaError> {
        self.allocate_on(bytes, self.stream().handle())
    }

    /// Memory in the order of the stream of copies, which is freed in that of the other.
    pub(super) fn allocate_for_copies(self: &Arc<Self>, bytes: usize) -> Result<Memory, CudaError> {
        self.allocate_on(bytes, self.copies())
    }

    fn allocate_on(
        self: &Arc<Self>,
        bytes: usize,
        stream: sys::CUstream,
    ) -> Result<Memory, CudaError> {
        let address = match bytes {
            0 => 0,
            _ => self.take_or_reclaim(bytes, || self.take(padded(bytes), stream))?,
        };
        if is_poisoned() && bytes != 0 {
            // SAFETY: the allocation has whole multiples of 128 bytes, and was made in the order of
            // this stream.
            let code = unsafe { sys::cuMemsetD8Async(address, TAKEN, padded(bytes), stream) };
            // A device that fails keeps the memory: freeing it would take the stream, which the caller has.
            check("cuMemsetD8Async", code)?;
        }
        if let Some(pool) = self.pool() {
            pool.count_taken(bytes);
        }
        Ok(Memory { context: Arc::clone(self), address, len: bytes, mapping: None })
    }

    /// No memory.
    pub fn nothing(self: &Arc<Self>) -> Memory {
        Memory { context: Arc::clone(self), address: 0, len: 0, mapping: None }
    }

    /// Takes memory from the pool, or from the device.
    fn take(
        &self,
        bytes: usize,
        stream: sys::CUstream,
    ) -> Result<sys::CUdeviceptr, (&'static str, sys::CUresult)> {
        let mut address = 0;
        let (call, code) = if self.pool().is_some() {
            // SAFETY: the context is current; the pointer is to a live address.
            let code = unsafe { sys::cuMemAllocAsync(&mut address, bytes, stream) };
            ("cuMemAllocAsync", code)
        } else {
            // SAFETY: as above.
            ("cuMemAlloc", unsafe { sys::cuMemAlloc_v2(&mut address, bytes) })
        };
        if code == sys::CUresult::CUDA_SUCCESS { Ok(address) } else { Err((call, code)) }
    }

    /// Takes memory; when there is none, once more after the pool gave back what it keeps.
    fn take_or_reclaim<T>(
        &self,
        bytes: usize,
        take: impl Fn() -> Result<T, (&'static str, sys::CUresult)>,
    ) -> Result<T, CudaError> {
        const NONE_LEFT: sys::CUresult = sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY;
        let _timed = timed(Call::Allocate, bytes);
        self.bind()?;
        let taken = take().or_else(|(call, code)| match code {
            NONE_LEFT => {
                self.reclaim();
                take()
            }
            code => Err((call, code)),
        });
        taken.map_err(|(call, code)| match (code, check(call, code)) {
            (NONE_LEFT, _) | (_, Ok(())) => self.out_of_memory(bytes),
            (_, Err(error)) => error,
        })
    }

    /// The address of a range of `memory`, which must be this context's: only this stream is
    /// waited for when it is dropped.
    fn checked_address(
        &self,
        memory: &Memory,
        offset: usize,
        len: usize,
    ) -> Result<sys::CUdeviceptr, CudaError> {
        if !std::ptr::eq(self, Arc::as_ptr(&memory.context)) {
            return Err(CudaError::WrongContext { what: "an allocation" });
        }
        memory.address_of(offset, len)
    }

    pub(super) fn out_of_memory(&self, bytes: usize) -> CudaError {
        CudaError::OutOfMemory {
            bytes: bytes as u64,
            free: self.free_memory().unwrap_or(0) as u64,
            total: self.total_memory() as u64,
        }
    }
}

/// What every byte of freed memory and of new memory is, where mistakes are looked for.
const FREED: u8 = 0xa5;
const TAKEN: u8 = 0x5a;

/// Whether memory is overwritten when it is taken and when it goes, by `MEERKAT_POISON_MEMORY=1`:
/// who reads it before it was written, or after it was freed, finds nonsense. Not memory that grows in
/// place: it is filled when it is taken, and unmapped when it goes.
fn is_poisoned() -> bool {
    static IS_POISONED: OnceLock<bool> = OnceLock::new();
    *IS_POISONED
        .get_or_init(|| std::env::var_os("MEERKAT_POISON_MEMORY").is_some_and(|value| value != "0"))
}

/// How many bytes are allocated for these: whole slabs.
fn padded(bytes: usize) -> usize {
    bytes.checked_next_multiple_of(128).unwrap_or(bytes)
}

#[cfg(test)]
mod tests;
