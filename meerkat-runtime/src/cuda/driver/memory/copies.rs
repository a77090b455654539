//! Copies to, from and on the device, and fills.

use std::cell::{Cell, OnceCell};
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::sys;

use super::super::super::calls::{Call, timed};
use super::super::super::error::CudaError;
use super::super::staging::PIECE;
use super::super::{Context, Event, check};
use super::{Memory, padded};

/// Up to here the driver's own way to memory that may be swapped costs more than a copy.
const FEW_BYTES: usize = 4096;
/// Bytes that are read in one go: two of them fit into a piece of the ring.
const READ_PIECE: usize = PIECE / 2;

/// A piece that is on its way to pinned memory.
struct Piece<'a> {
    to: &'a mut [MaybeUninit<u8>],
    room: *const MaybeUninit<u8>,
    arrived: &'a Event,
}

impl Piece<'_> {
    /// Waits for it, and copies it to where it belongs.
    fn finish(self) -> Result<(), CudaError> {
        self.arrived.reach()?;
        // SAFETY: the copy to the room is done; the room is inside the ring, which the caller has
        // to itself and which comes round to it only after more than one further piece.
        let room = unsafe { std::slice::from_raw_parts(self.room, self.to.len()) };
        self.to.copy_from_slice(room);
        Ok(())
    }
}

/// A copy to new memory, beside what the stream does.
struct Upload {
    arrived: Event,
    /// How many bytes are queued, and how many the stream waits for.
    queued: Cell<usize>,
    joined: Cell<usize>,
    memory: Memory,
}

impl Upload {
    fn new(context: &Arc<Context>, bytes: usize) -> Result<Self, CudaError> {
        let (arrived, memory) = (Event::new(context)?, context.allocate_for_copies(bytes)?);
        Ok(Upload { arrived, queued: Cell::new(0), joined: Cell::new(0), memory })
    }

    /// Queues the next bytes, which nobody writes before they are copied. How many are queued.
    fn queue(&self, bytes: &[MaybeUninit<u8>]) -> Result<usize, CudaError> {
        let (context, queued) = (&self.memory.context, self.queued.get());
        let place = context.checked_address(&self.memory, queued, bytes.len())?;
        // SAFETY: the device range is inside a live allocation of the current context, made in
        // the order of this stream; the bytes are as many, and stay as they are.
        let code = unsafe {
            let from = bytes.as_ptr().cast();
            sys::cuMemcpyHtoDAsync_v2(place, from, bytes.len(), context.copies())
        };
        check("cuMemcpyHtoDAsync", code)?;
        self.queued.set(queued + bytes.len());
        Ok(self.queued.get())
    }

    /// Has the stream wait for what is queued.
    fn join(&self) -> Result<(), CudaError> {
        self.arrived.record_on(self.memory.context.copies())?;
        self.arrived.join()?;
        self.joined.set(self.queued.get());
        Ok(())
    }

    /// The memory, all of which the stream has joined.
    fn finish(mut self) -> Memory {
        let none = self.memory.context.nothing();
        std::mem::replace(&mut self.memory, none)
    }
}

impl Drop for Upload {
    /// The memory goes in the order of the stream, which has not joined all copies to it.
    fn drop(&mut self) {
        if self.joined.get() < self.memory.len() {
            self.memory.context.wait_for_copies();
        }
    }
}

impl Context {
    /// Writes `from` at byte `offset` of `to`. Queued: `from` has been read when this returns,
    /// and the copy is in stream order. It waits where more than 24 MiB are on their way.
    ///
    /// # Errors
    /// [`CudaError::OutOfBounds`], [`CudaError::WrongContext`], or [`CudaError::Driver`].
    pub fn copy_to_device(&self, to: &Memory, offset: usize, from: &[u8]) -> Result<(), CudaError> {
        // SAFETY: the same bytes; any byte is a `MaybeUninit`.
        let from = unsafe { std::slice::from_raw_parts(from.as_ptr().cast(), from.len()) };
        self.copy_values_to_device(to, offset, from)
    }

    /// [`copy_to_device`](Self::copy_to_device) of values that may have padding.
    ///
    /// # Errors
    /// As [`copy_to_device`](Self::copy_to_device).
    pub fn copy_values_to_device(
        &self,
        to: &Memory,
        offset: usize,
        from: &[MaybeUninit<u8>],
    ) -> Result<(), CudaError> {
        let address = self.checked_address(to, offset, from.len())?;
        if from.is_empty() {
            return Ok(());
        }
        let _timed = timed(Call::ToDevice, from.len());
        self.bind()?;
        let mut staging = self.staging();
        for (number, piece) in from.chunks(PIECE).enumerate() {
            let to = address + (number * PIECE) as u64;
            staging.fill::<CudaError>(
                piece,
                self.stream_of_events(),
                || Ok(()),
                |at, bytes| {
                    // SAFETY: the device range is inside a live allocation of the current context;
                    // the bytes are as many, and nobody writes them before the copy is done.
                    let code = unsafe {
                        let from = bytes.as_ptr().cast();
                        sys::cuMemcpyHtoDAsync_v2(
                            to + at as u64,
                            from,
                            bytes.len(),
                            self.stream().handle(),
                        )
                    };
                    check("cuMemcpyHtoDAsync", code)
                },
            )?;
        }
        Ok(())
    }

    /// Copies values of the host to new memory, beside what the stream does. `begin` is called
    /// first, while others copy already. `each` gets the number of bytes that what it queues on
    /// the stream finds there: about `part` more each time. Both are called on the calling thread.
    ///
    /// # Errors
    /// [`CudaError::OutOfMemory`], [`CudaError::Driver`], or what `begin` or `each` returns.
    pub fn upload_in_parts<E: From<CudaError>>(
        self: &Arc<Self>,
        from: &[MaybeUninit<u8>],
        part: usize,
        begin: impl FnOnce() -> Result<(), E>,
        each: impl FnMut(&Memory, usize) -> Result<(), E>,
    ) -> Result<Memory, E> {
        let _timed = timed(Call::ToDevice, from.len());
        self.bind()?;
        let upload = OnceCell::new();
        let begin = || {
            let _ = upload.set(Upload::new(self, from.len())?);
            begin()
        };
        self.queue_parts(&upload, from, part, begin, each)?;
        Ok(upload.into_inner().map_or_else(|| self.nothing(), Upload::finish))
    }

    fn queue_parts<E: From<CudaError>>(
        &self,
        upload: &OnceCell<Upload>,
        from: &[MaybeUninit<u8>],
        part: usize,
        begin: impl FnOnce() -> Result<(), E>,
        mut each: impl FnMut(&Memory, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut begin = Some(begin);
        let mut staging = self.staging_beside();
        for piece in from.chunks(PIECE) {
            let begin = || begin.take().map_or(Ok(()), |begin| begin());
            staging.fill(piece, self.copies(), begin, |_, bytes| {
                let Some(upload) = upload.get() else { return Ok(()) };
                let (queued, joined) = (upload.queue(bytes)?, upload.joined.get());
                // The sooner the first is there, the sooner the device has something to do.
                let wanted = if joined == 0 { part / 2 } else { part };
                if queued - joined < wanted && queued < from.len() {
                    return Ok(());
                }
                upload.join()?;
                each(&upload.memory, queued)
            })?;
        }
        Ok(())
    }

    /// Reads `to.len()` bytes at byte `offset` of `from`. Synchronises the stream: `to` holds
    /// what all earlier work left when this returns, in every byte.
    ///
    /// # Errors
    /// [`CudaError::OutOfBounds`], [`CudaError::WrongContext`], or [`CudaError::Driver`] (also
    /// the failure of earlier work); then `to` has unspecified contents.
    pub fn copy_to_host(
        self: &Arc<Self>,
        to: &mut [u8],
        from: &Memory,
        offset: usize,
    ) -> Result<(), CudaError> {
        // SAFETY: the same bytes; what comes from the device are bytes with values.
        let to = unsafe { std::slice::from_raw_parts_mut(to.as_mut_ptr().cast(), to.len()) };
        self.copy_values_to_host(to, from, offset)
    }

    /// [`copy_to_host`](Self::copy_to_host), to memory without contents.
    ///
    /// # Errors
    /// As [`copy_to_host`](Self::copy_to_host).
    pub fn copy_values_to_host(
        self: &Arc<Self>,
        to: &mut [MaybeUninit<u8>],
        from: &Memory,
        offset: usize,
    ) -> Result<(), CudaError> {
        let address = self.checked_address(from, offset, to.len())?;
        if to.is_empty() {
            return Ok(());
        }
        let _timed = timed(Call::ToHost, to.len());
        self.bind()?;
        if to.len() <= FEW_BYTES {
            return self.copy_few_to_host(to, address);
        }
        self.copy_much_to_host(to, address)
    }

    /// [`copy_to_host`](Self::copy_to_host) of many bytes, a piece after another: while one is on
    /// its way the host copies the one before out of pinned memory. In the driver's own way to
    /// memory that may be swapped other threads' calls wait for the whole copy.
    fn copy_much_to_host(
        self: &Arc<Self>,
        to: &mut [MaybeUninit<u8>],
        address: u64,
    ) -> Result<(), CudaError> {
        let mut staging = self.staging();
        let arrived = [Event::new(self)?, Event::new(self)?];
        let mut before: Option<Piece<'_>> = None;
        for (number, piece) in to.chunks_mut(READ_PIECE).enumerate() {
            let (from, event) = (address + (number * READ_PIECE) as u64, &arrived[number % 2]);
            let room = staging.room(piece.len(), self.stream_of_events())?;
            // SAFETY: the device range is inside a live allocation of the current context, and
            // the room is as long; it is read only when the event has been reached.
            let code = unsafe {
                let to = room.as_mut_ptr().cast();
                sys::cuMemcpyDtoHAsync_v2(to, from, piece.len(), self.stream().handle())
            };
            check("cuMemcpyDtoHAsync", code)?;
            event.record()?;
            let begun = Piece { room: room.as_ptr(), to: piece, arrived: event };
            if let Some(piece) = before.replace(begun) {
                piece.finish()?;
            }
        }
        before.map_or(Ok(()), Piece::finish)
    }

    /// [`copy_to_host`](Self::copy_to_host) of a few bytes, by way of pinned memory.
    fn copy_few_to_host(&self, to: &mut [MaybeUninit<u8>], address: u64) -> Result<(), CudaError> {
        let mut staging = self.staging();
        let room = staging.room(to.len(), self.stream_of_events())?;
        // SAFETY: the device range is inside a live allocation of the current context, and the
        // room is as long; it is not used otherwise before the stream is synchronised below.
        let code = unsafe {
            sys::cuMemcpyDtoHAsync_v2(
                room.as_mut_ptr().cast(),
                address,
                room.len(),
                self.stream().handle(),
            )
        };
        check("cuMemcpyDtoHAsync", code)?;
        self.wait()?;
        to.copy_from_slice(room);
        Ok(())
    }

    /// Reads the words of several ranges of bytes, one after another. Synchronises the stream
    /// once.
    ///
    /// # Errors
    /// As [`copy_to_host`](Self::copy_to_host).
    pub fn read_words(&self, places: &[(&Memory, Range<usize>)]) -> Result<Vec<u32>, CudaError> {
        let length = places.iter().map(|(_, range)| range.len()).sum();
        let _timed = timed(Call::ToHost, length);
        self.bind()?;
        let mut staging = self.staging();
        let room = staging.room(length, self.stream_of_events())?;
        let mut done = 0;
        for (memory, range) in places {
            let address = self.checked_address(memory, range.start, range.len())?;
            let part = &mut room[done..done + range.len()];
            done += part.len();
            // SAFETY: the device range is inside a live allocation of the current context, and
            // the part is as long; it is not used otherwise before the stream is synchronised.
            let code = unsafe {
                let to = part.as_mut_ptr().cast();
                sys::cuMemcpyDtoHAsync_v2(to, address, part.len(), self.stream().handle())
            };
            check("cuMemcpyDtoHAsync", code)?;
        }
        self.wait()?;
        // SAFETY: the copies are done, and what comes from the device are bytes with values.
        let read = unsafe { std::slice::from_raw_parts(room.as_ptr().cast::<u8>(), length) };
        let words = read.chunks_exact(4).map(|word| [word[0], word[1], word[2], word[3]]);
        Ok(words.map(u32::from_le_bytes).collect())
    }

    /// Reads plain values from an address of the device. Synchronises the stream.
    ///
    /// # Errors
    /// [`CudaError::Driver`], also the failure of earlier work.
    ///
    /// # Safety
    /// So many values are there, of a type of which all bytes are one.
    pub(crate) unsafe fn copy_view_to_host<T: Copy>(
        &self,
        to: &mut [T],
        address: u64,
    ) -> Result<(), CudaError> {
        if to.is_empty() {
            return Ok(());
        }
        let _timed = timed(Call::ToHost, size_of_val(to));
        self.bind()?;
        // SAFETY: the caller's promise; `to` has room for as many bytes, borrowed until the
        // stream is synchronised below.
        let code = unsafe {
            let (place, bytes) = (to.as_mut_ptr().cast(), size_of_val(to));
            sys::cuMemcpyDtoHAsync_v2(place, address, bytes, self.stream().handle())
        };
        check("cuMemcpyDtoHAsync", code)?;
        self.wait()
    }

    /// Copies `len` bytes between allocations, or within one when the ranges do not overlap.
    /// Asynchronous, in stream order.
    ///
    /// # Errors
    /// [`CudaError::OutOfBounds`], [`CudaError::Overlap`], [`CudaError::WrongContext`], or
    /// [`CudaError::Driver`].
    pub fn copy_on_device(
        &self,
        to: &Memory,
        to_offset: usize,
        from: &Memory,
        from_offset: usize,
        len: usize,
    ) -> Result<(), CudaError> {
        let target = self.checked_address(to, to_offset, len)?;
        let source = self.checked_address(from, from_offset, len)?;
        if len == 0 {
            return Ok(());
        }
        if target.abs_diff(source) < len as u64 {
            return Err(CudaError::Overlap { from: from_offset, to: to_offset, len });
        }
        self.bind()?;
        // SAFETY: both ranges are inside live allocations of the current context and do not
        // overlap; dropping either allocation waits for the stream.
        let code =
            unsafe { sys::cuMemcpyDtoDAsync_v2(target, source, len, self.stream().handle()) };
        check("cuMemcpyDtoDAsync", code)
    }

    /// Sets the bytes of `range` to `value`. Asynchronous, in stream order.
    ///
    /// # Errors
    /// [`CudaError::OutOfBounds`], [`CudaError::WrongContext`], or [`CudaError::Driver`].
    pub fn fill_u8(
        &self,
        memory: &Memory,
        range: Range<usize>,
        value: u8,
    ) -> Result<(), CudaError> {
        let len = range.len();
        let address = self.checked_address(memory, range.start, len)?;
        if len == 0 {
            return Ok(());
        }
        self.bind()?;
        // SAFETY: the range is inside a live allocation of the current context, and dropping
        // the allocation waits for the stream.
        let code = unsafe { sys::cuMemsetD8Async(address, value, len, self.stream().handle()) };
        check("cuMemsetD8Async", code)
    }

    /// Sets what is allocated behind the last byte, up to a multiple of 128, to zeros. In stream
    /// order.
    ///
    /// # Errors
    /// [`CudaError::WrongContext`], or [`CudaError::Driver`].
    pub fn clear_padding(&self, memory: &Memory) -> Result<(), CudaError> {
        let address = self.checked_address(memory, memory.len, 0)?;
        let behind = padded(memory.len) - memory.len;
        if behind == 0 {
            return Ok(());
        }
        self.bind()?;
        // SAFETY: every allocation has whole multiples of 128 bytes (`allocate_on`; mapped memory
        // has larger units), of a live one, as above.
        let code = unsafe { sys::cuMemsetD8Async(address, 0, behind, self.stream().handle()) };
        check("cuMemsetD8Async", code)
    }

    /// Sets the 32-bit words in the bytes of `range` to `value`, in the device's (little)
    /// byte order. Asynchronous, in stream order.
    ///
    /// # Errors
    /// [`CudaError::Misaligned`] unless both ends are multiples of 4,
    /// [`CudaError::OutOfBounds`], [`CudaError::WrongContext`], or [`CudaError::Driver`].
    pub fn fill_u32(
        &self,
        memory: &Memory,
        range: Range<usize>,
        value: u32,
    ) -> Result<(), CudaError> {
        let (offset, end, len) = (range.start, range.end, range.len());
        if offset % 4 != 0 || end % 4 != 0 {
            return Err(CudaError::Misaligned { offset, end });
        }
        let address = self.checked_address(memory, offset, len)?;
        if len == 0 {
            return Ok(());
        }
        self.bind()?;
        // SAFETY: the range is inside a live allocation of the current context and begins at
        // a multiple of 4; dropping the allocation waits for the stream.
        let code =
            unsafe { sys::cuMemsetD32Async(address, value, len / 4, self.stream().handle()) };
        check("cuMemsetD32Async", code)
    }
}
