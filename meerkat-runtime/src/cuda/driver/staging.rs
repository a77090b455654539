//! Pinned memory through which bytes of the host go to the device and back.
//!
//! A copy from memory that may be swapped is over only when the device has done all that was
//! queued before it. Through a ring of pinned memory it is queued, as soon as the host's bytes
//! have been read.

use std::ffi::{c_uint, c_void};
use std::mem::MaybeUninit;
use std::ops::Range;
use std::slice::from_raw_parts_mut;
use std::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Mutex, PoisonError};

use cudarc::driver::sys;

use super::super::error::CudaError;
use super::check;

/// Bytes that are copied through the ring in one go.
pub(super) const PIECE: usize = 8 << 20;
/// How many pieces the ring has: while one is on its way, the next is filled.
const PIECES: usize = 3;
/// Bytes of the ring.
const RING: usize = PIECE * PIECES;
/// Bytes that a thread of the host copies at a time.
const PART: usize = 1 << 17;
/// How many parts go to the device at once: enough that the transfer is worth its start.
const PARTS_SENT: usize = 8;
/// How many threads copy, at most: more do not copy faster.
const COPIERS: usize = 12;
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
}

// SAFETY: an owned allocation and handles of the driver, which any thread may use once it has
// the ring to itself.
unsafe impl Send for Staging {}

impl Staging {
    pub(super) fn new() -> Self {
        let none = std::ptr::null_mut();
        Staging { start: std::ptr::null_mut(), piece: 0, taken: 0, used: [none; PIECES] }
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

    /// Goes on with the next piece, once the copies that used it are done.
    fn next_piece(&mut self, stream: sys::CUstream) -> Result<(), CudaError> {
        // SAFETY: event and stream are live and belong to the current context.
        let code = unsafe { sys::cuEventRecord(self.used[self.piece], stream) };
        check("cuEventRecord", code)?;
        self.piece = (self.piece + 1) % PIECES;
        // SAFETY: the event is live; one that was never recorded is reached.
        let code = unsafe { sys::cuEventSynchronize(self.used[self.piece]) };
        check("cuEventSynchronize", code)?;
        self.taken = 0;
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

/// Copies bytes of the host, large ones by several threads, and says as early as it can which
/// are there: `send` gets ranges one after another, on the calling thread.
pub(super) fn copy_and_send<E>(
    to: &mut [MaybeUninit<u8>],
    from: &[MaybeUninit<u8>],
    mut send: impl FnMut(Range<usize>) -> Result<(), E>,
) -> Result<(), E> {
    let length = from.len();
    if length <= 2 * PART {
        to.copy_from_slice(from);
        return send(0..length);
    }
    let parts = Parts::new(to, from);
    let copiers = COPIERS.min(rayon::current_num_threads()).min(parts.all.len());
    rayon::in_place_scope(|scope| {
        for _ in 1..copiers {
            scope.spawn(|_| while parts.copy_next() {});
        }
        for first in (0..parts.all.len()).step_by(PARTS_SENT) {
            let last = (first + PARTS_SENT).min(parts.all.len());
            for part in first..last {
                // This thread copies, too: the others may be late.
                while !parts.is_copied(part) {
                    if !parts.copy_next() {
                        std::hint::spin_loop();
                    }
                }
            }
            send(first * PART..(last * PART).min(length))?;
        }
        Ok(())
    })
}

/// A copy on the host in parts, which threads take one after another.
struct Parts<'a> {
    all: Vec<Part<'a>>,
    next: AtomicUsize,
}

struct Part<'a> {
    to: Mutex<&'a mut [MaybeUninit<u8>]>,
    from: &'a [MaybeUninit<u8>],
    is_copied: AtomicBool,
}

impl<'a> Parts<'a> {
    fn new(to: &'a mut [MaybeUninit<u8>], from: &'a [MaybeUninit<u8>]) -> Self {
        let pairs = to.chunks_mut(PART).zip(from.chunks(PART));
        let part =
            |(to, from)| Part { to: Mutex::new(to), from, is_copied: AtomicBool::new(false) };
        Parts { all: pairs.map(part).collect(), next: AtomicUsize::new(0) }
    }

    /// Copies the next part; whether there was one.
    fn copy_next(&self) -> bool {
        let Some(part) = self.all.get(self.next.fetch_add(1, Relaxed)) else { return false };
        let mut to = part.to.lock().unwrap_or_else(PoisonError::into_inner);
        copy_past_caches(&mut to, part.from);
        part.is_copied.store(true, Release);
        true
    }

    fn is_copied(&self, part: usize) -> bool {
        self.all[part].is_copied.load(Acquire)
    }
}

/// Copies bytes that the device reads next. They go past the caches: from the caches of several
/// cores it reads 8 MiB at half the speed (500 us instead of 280, copy included, on an H100).
#[cfg(target_arch = "x86_64")]
fn copy_past_caches(to: &mut [MaybeUninit<u8>], from: &[MaybeUninit<u8>]) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};
    // SAFETY: any 16 bytes are a value of the type.
    let (head, middle, tail) = unsafe { to.align_to_mut::<__m128i>() };
    let (from_head, rest) = from.split_at(head.len());
    let (from_middle, from_tail) = rest.split_at(size_of_val(middle));
    head.copy_from_slice(from_head);
    tail.copy_from_slice(from_tail);
    for (to, from) in middle.iter_mut().zip(from_middle.chunks_exact(16)) {
        // SAFETY: the chunk has 16 bytes.
        let bytes = unsafe { _mm_loadu_si128(from.as_ptr().cast()) };
        // SAFETY: the place is aligned and borrowed mutably; the fence follows.
        unsafe { _mm_stream_si128(to, bytes) };
    }
    // SAFETY: every processor of this architecture has it.
    unsafe { _mm_sfence() };
}

/// Copies bytes that the device reads next.
#[cfg(not(target_arch = "x86_64"))]
fn copy_past_caches(to: &mut [MaybeUninit<u8>], from: &[MaybeUninit<u8>]) {
    to.copy_from_slice(from);
}

#[cfg(test)]
mod tests {
    use super::super::super::test_support;
    use super::*;

    fn uninit(bytes: &[u8]) -> Vec<MaybeUninit<u8>> {
        bytes.iter().map(|&byte| MaybeUninit::new(byte)).collect()
    }

    #[test]
    fn what_is_copied_is_sent_in_order_and_whole() {
        for length in [0, 1, 2 * PART, 2 * PART + 1, 5 * PART - 7, PIECE] {
            for skipped in [0, 5] {
                let bytes: Vec<u8> = (0..length + skipped).map(|at| (at % 251) as u8).collect();
                let (from, mut to) = (uninit(&bytes), uninit(&vec![9; length + 3]));
                let mut sent = 0;
                let done = copy_and_send(&mut to[3..], &from[skipped..], |range| {
                    if range.start != sent {
                        return Err(range);
                    }
                    sent = range.end;
                    Ok(())
                });
                assert_eq!((done, sent), (Ok(()), length));
                // SAFETY: all bytes were written, above or by the copy.
                let to: Vec<u8> = to.iter().map(|byte| unsafe { byte.assume_init() }).collect();
                assert!(to[..3] == [9; 3] && to[3..] == bytes[skipped..]);
            }
        }
    }

    #[test]
    fn an_error_while_sending_ends_the_copy() {
        let from = uninit(&vec![1; 9 * PART]);
        let mut to = uninit(&vec![0; 9 * PART]);
        assert_eq!(copy_and_send(&mut to, &from, |_| Err("full")), Err("full"));
    }

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
