//! Pinned memory through which bytes of the host go to the device and back.
//!
//! A copy from memory that may be swapped is over only when the device has done all that was
//! queued before it. Through a ring of pinned memory it is queued, as soon as the host's bytes
//! have been read.

use std::ffi::{c_uint, c_void};
use std::mem::MaybeUninit;
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::sync::Arc;

use cudarc::driver::sys;

use super::super::error::CudaError;
use super::check;
use super::copiers::Copiers;

/// Bytes that are copied through the ring in one go.
pub(super) const PIECE: usize = 8 << 20;
/// How many pieces the ring has: while one is on its way, the next is filled.
const PIECES: usize = 3;
/// Bytes of the ring.
const RING: usize = PIECE * PIECES;
/// Where copies begin, in bytes.
const ALIGN: usize = 64;

/// A ring of pinned memory; none before it is first asked for.
pub(super) struct Staging {
    start: *mut u8,
    /// The piece that is being filled.
    piece: usize,
    /// Up to here that piece may be in use by what is queued.
    taken: usize,
    /// For each piece an event after the last copy that used it.
    used: [sys::CUevent; PIECES],
    /// Who fills the ring.
    copiers: Arc<Copiers>,
}

// SAFETY: an owned allocation and handles of the driver, which any thread may use once it has
// the ring to itself.
unsafe impl Send for Staging {}

impl Staging {
    pub(super) fn new(copiers: &Arc<Copiers>) -> Self {
        let none = std::ptr::null_mut();
        Staging {
            start: std::ptr::null_mut(),
            piece: 0,
            taken: 0,
            used: [none; PIECES],
            copiers: Arc::clone(copiers),
        }
    }

    /// Room for a copy of up to [`PIECE`] bytes, which the stream then makes. Waits where the
    /// ring is full, for the copies of its oldest piece. The context is current.
    pub(super) fn room(
        &mut self,
        bytes: usize,
        stream: sys::CUstream,
    ) -> Result<&mut [MaybeUninit<u8>], CudaError> {
        assert!(bytes <= PIECE, "a copy is one piece at most");
        if self.start.is_null() {
            self.allocate()?;
        }
        if self.taken + bytes > PIECE {
            self.next_piece(stream)?;
        }
        // SAFETY: the piece, and what is taken of it, lie inside the ring.
        let room = unsafe { self.start.add(self.piece * PIECE + self.taken) };
        self.taken += bytes.next_multiple_of(ALIGN);
        // SAFETY: inside the piece, by the check above; nothing queued uses it any more.
        Ok(unsafe { from_raw_parts_mut(room.cast(), bytes) })
    }

    fn allocate(&mut self) -> Result<(), CudaError> {
        for event in &mut self.used {
            if event.is_null() {
                let flags = sys::CUevent_flags::CU_EVENT_DISABLE_TIMING as c_uint;
                // SAFETY: the context is current; the pointer is to a live handle.
                let code = unsafe { sys::cuEventCreate(event, flags) };
                check("cuEventCreate", code)?;
            }
        }
        let mut start: *mut c_void = std::ptr::null_mut();
        // SAFETY: the context is current; the pointer is to a live address.
        let code = unsafe { sys::cuMemHostAlloc(&mut start, RING, 0) };
        check("cuMemHostAlloc", code)?;
        // SAFETY: the allocation is that long; then all of it is initialised.
        unsafe { start.cast::<u8>().write_bytes(0, RING) };
        self.start = start.cast();
        Ok(())
    }

    /// Copies up to [`PIECE`] bytes into the ring. `begin` is called first, while others copy
    /// already; then `send` gets ranges of it, one after another, as they are there: where they
    /// begin and how many bytes they have, for the stream to copy.
    pub(super) fn fill<E: From<CudaError>>(
        &mut self,
        from: &[MaybeUninit<u8>],
        stream: sys::CUstream,
        begin: impl FnOnce() -> Result<(), E>,
        mut send: impl FnMut(usize, &[MaybeUninit<u8>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let copiers = Arc::clone(&self.copiers);
        let room = self.room(from.len(), stream)?;
        let start = room.as_ptr();
        copiers.copy_and_send(room, from, begin, |range| {
            // SAFETY: the range lies inside the room.
            let first = unsafe { start.add(range.start) };
            // SAFETY: as above; it was copied, and nobody writes it before the ring comes
            // round to it.
            let bytes = unsafe { from_raw_parts(first, range.len()) };
            send(range.start, bytes)
        })
    }

    /// Goes on with the next piece, once the copies that used it are done.
    fn next_piece(&mut self, stream: sys::CUstream) -> Result<(), CudaError> {
        // SAFETY: event and stream are live and belong to the current context.
        let code = unsafe { sys::cuEventRecord(self.used[self.piece], stream) };
        check("cuEventRecord", code)?;
        let next = (self.piece + 1) % PIECES;
        // SAFETY: the event is live; one that was never recorded is reached.
        let code = unsafe { sys::cuEventSynchronize(self.used[next]) };
        check("cuEventSynchronize", code)?;
        (self.piece, self.taken) = (next, 0);
        Ok(())
    }

    /// Frees the ring. The context is current and its stream idle.
    pub(super) fn free(&mut self) {
        if !self.start.is_null() {
            // SAFETY: allocated in `allocate` and freed once; no copy is queued.
            unsafe { sys::cuMemFreeHost(self.start.cast()) };
            self.start = std::ptr::null_mut();
        }
        for event in &mut self.used {
            if !event.is_null() {
                // SAFETY: made in `allocate`, destroyed once.
                unsafe { sys::cuEventDestroy_v2(*event) };
                *event = std::ptr::null_mut();
            }
        }
    }
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
