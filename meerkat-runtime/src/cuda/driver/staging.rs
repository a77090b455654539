//! Pinned memory through which bytes of the host go to the device and back.
//!
//! A copy from memory that may be swapped is over only when the device has done all that was
//! queued before it. Through a ring of pinned memory it is queued, as soon as the host's bytes
//! have been read.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::slice::from_raw_parts_mut;

use cudarc::driver::sys;
use rayon::prelude::*;

use super::super::error::CudaError;
use super::check;

/// Bytes of the ring.
const RING: usize = 16 << 20;
/// Bytes that are copied at once: while one half of the ring is on its way, the other is filled.
pub(super) const PIECE: usize = RING / 2;
/// Bytes that a thread of the host copies at a time.
const PART: usize = 1 << 18;
/// Where pieces begin, in bytes.
const ALIGN: usize = 64;

/// A ring of pinned memory; none before it is first asked for.
pub(super) struct Staging {
    start: *mut u8,
    /// Up to here it may be in use by what is queued.
    taken: usize,
}

// SAFETY: an owned allocation, which any thread may use once it has the ring to itself.
unsafe impl Send for Staging {}

impl Staging {
    pub(super) fn new() -> Self {
        Staging { start: std::ptr::null_mut(), taken: 0 }
    }

    /// Room for a piece of up to [`PIECE`] bytes. `wait` ends what is queued, which is asked
    /// for each time the ring is full. The context is current.
    pub(super) fn room(
        &mut self,
        bytes: usize,
        wait: impl FnOnce() -> Result<(), CudaError>,
    ) -> Result<&mut [MaybeUninit<u8>], CudaError> {
        if self.start.is_null() {
            let mut start: *mut c_void = std::ptr::null_mut();
            // SAFETY: the context is current; the pointer is to a live address.
            let code = unsafe { sys::cuMemHostAlloc(&mut start, RING, 0) };
            check("cuMemHostAlloc", code)?;
            // SAFETY: the allocation is that long; then all of it is initialised.
            unsafe { start.cast::<u8>().write_bytes(0, RING) };
            self.start = start.cast();
        }
        if self.taken + bytes > RING {
            wait()?;
            self.taken = 0;
        }
        // SAFETY: `taken` and what follows it lie inside the ring.
        let room = unsafe { self.start.add(self.taken) };
        self.taken += bytes.next_multiple_of(ALIGN);
        // SAFETY: inside the ring, by the wrap above; nothing queued uses it any more.
        Ok(unsafe { from_raw_parts_mut(room.cast(), bytes) })
    }

    /// Frees the ring. The context is current and its stream idle.
    pub(super) fn free(&mut self) {
        if !self.start.is_null() {
            // SAFETY: allocated in `room` and freed once; no copy is queued.
            unsafe { sys::cuMemFreeHost(self.start.cast()) };
            self.start = std::ptr::null_mut();
        }
    }
}

/// Copies bytes of the host, large ones by several threads.
pub(super) fn copy_on_host(to: &mut [MaybeUninit<u8>], from: &[MaybeUninit<u8>]) {
    if from.len() <= 2 * PART {
        return to.copy_from_slice(from);
    }
    let parts = to.par_chunks_mut(PART).zip(from.par_chunks(PART));
    parts.for_each(|(to, from)| to.copy_from_slice(from));
}

#[cfg(test)]
mod tests {
    use super::super::super::test_support;

    /// Longer than the ring, so that it is filled again while a part of it is on its way.
    #[test]
    fn what_goes_through_the_ring_several_times_arrives_whole() {
        let Some(context) = test_support::context() else {
            return;
        };
        let length = 3 * super::RING + 12_345;
        let bytes: Vec<u8> = (0..length).map(|at| ((at * 2_654_435_761) >> 13) as u8).collect();
        let memory = context.allocate(length + 7).expect("memory");
        for _ in 0..4 {
            context.copy_to_device(&memory, 7, &bytes).expect("a copy");
        }
        let mut back = vec![0; length];
        context.copy_to_host(&mut back, &memory, 7).expect("a copy");
        assert!(back == bytes);
        for at in [0, 1, 4095, length - 8] {
            let mut few = [0; 8];
            context.copy_to_host(&mut few, &memory, 7 + at).expect("a copy");
            assert_eq!(few, bytes[at..at + 8]);
        }
    }
}
