//! Bytes on a device: host memory for the CPU back end, device memory for CUDA.
#![allow(unsafe_code)] // Owned allocations and byte views; each block says why.

use crate::cuda::Memory;
use crate::device::Device;
use crate::{Error, ErrorKind};
use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

/// Slabs want 128 bytes; nothing wants more.
const ALIGN: usize = 128;

/// An owned run of bytes, each given by who makes it. Those of padding have no value in Rust,
/// so all of them go over as `MaybeUninit`.
#[derive(Debug)]
pub(crate) enum Bytes {
    Host(HostBytes),
    Cuda(Memory),
}

/// Host memory, aligned for slabs; up to the end of the last one there are zeros.
#[derive(Debug)]
pub(crate) struct HostBytes {
    start: NonNull<u8>,
    length: usize,
}

// SAFETY: an owned allocation, like a `Box<[u8]>`.
unsafe impl Send for HostBytes {}
// SAFETY: `&HostBytes` reads: words that kernels of other threads may write, atomically
// (`read_words`); others where only `&mut DeviceBuffer` writes. Kernels' views go round it, and
// their types make that sound.
unsafe impl Sync for HostBytes {}

impl HostBytes {
    /// None where no allocation can be that long. It has whole slabs.
    fn layout(length: usize) -> Option<Layout> {
        Some(Layout::from_size_align(length, ALIGN).ok()?.pad_to_align())
    }

    fn zeroed(length: usize) -> Result<Self, Error> {
        // SAFETY: the layout's size is not zero.
        Self::allocated(length, |layout| unsafe { alloc_zeroed(layout) })
    }

    fn copied(from: &[MaybeUninit<u8>]) -> Result<Self, Error> {
        // SAFETY: the layout's size is not zero.
        let mut host = Self::allocated(from.len(), |layout| unsafe { alloc(layout) })?;
        host.bytes_mut().copy_from_slice(from);
        host.clear_padding();
        Ok(host)
    }

    /// Calls `allocate` with the layout unless that is empty.
    fn allocated(length: usize, allocate: impl Fn(Layout) -> *mut u8) -> Result<Self, Error> {
        if length == 0 {
            return Ok(HostBytes { start: NonNull::dangling(), length });
        }
        let start = Self::layout(length).map(allocate).and_then(NonNull::new);
        match start {
            Some(start) => Ok(HostBytes { start, length }),
            None => Err(ErrorKind::OutOfMemory { bytes: length as u64 }.into()),
        }
    }

    /// Bytes that nobody writes meanwhile.
    fn bytes(&self, range: Range<usize>) -> &[MaybeUninit<u8>] {
        assert!(range.start <= range.end && range.end <= self.length);
        // SAFETY: the start is inside the allocation, by the assertion.
        let start = unsafe { self.start.as_ptr().add(range.start) };
        // SAFETY: inside, as above; any byte is a `MaybeUninit`, and who may write it while it
        // is read does so atomically, which is what `read_words` is for.
        unsafe { std::slice::from_raw_parts(start.cast(), range.len()) }
    }

    /// Copies words of 4 or 8 bytes, each read as kernels read atomics: others may write them.
    fn read_words(&self, offset: usize, to: &mut [MaybeUninit<u8>], word: usize) {
        assert!(word == 4 || word == 8);
        assert!(offset.is_multiple_of(word) && to.len().is_multiple_of(word));
        assert!(offset.checked_add(to.len()).is_some_and(|end| end <= self.length));
        for (at, bytes) in to.chunks_exact_mut(word).enumerate() {
            // SAFETY: the word is inside the allocation, by the assertions.
            let place = unsafe { self.start.as_ptr().add(offset + at * word) };
            if word == 8 {
                // SAFETY: aligned to 8, as the allocation is and the offset; who else uses the
                // word does so atomically.
                let shared = unsafe { AtomicU64::from_ptr(place.cast()) };
                bytes.write_copy_of_slice(&shared.load(Relaxed).to_ne_bytes());
            } else {
                // SAFETY: the same of 4.
                let shared = unsafe { AtomicU32::from_ptr(place.cast()) };
                bytes.write_copy_of_slice(&shared.load(Relaxed).to_ne_bytes());
            }
        }
    }

    /// A word of 4 bytes, read as kernels read atomics: others may write it.
    fn word(&self, offset: usize) -> u32 {
        assert!(offset + 4 <= self.length && offset.is_multiple_of(4));
        // SAFETY: the word is inside the allocation, by the assertion.
        let place = unsafe { self.start.as_ptr().add(offset) };
        // SAFETY: aligned, as the allocation is and the offset; who else uses the word does so
        // atomically. It was initialised when it was allocated, or by kernels.
        unsafe { AtomicU32::from_ptr(place.cast()) }.load(Relaxed)
    }

    /// Zeros behind the last byte, as far as the allocation goes.
    fn clear_padding(&mut self) {
        let padding = self.length.next_multiple_of(ALIGN) - self.length;
        // SAFETY: the end of the bytes, at most that of the allocation.
        let end = unsafe { self.start.as_ptr().add(self.length) };
        // SAFETY: the allocation goes on to a multiple of `ALIGN` (`layout`), and is owned.
        unsafe { end.write_bytes(0, padding) };
    }

    fn bytes_mut(&mut self) -> &mut [MaybeUninit<u8>] {
        // SAFETY: the allocation is this long, any byte is a `MaybeUninit`, and it is borrowed
        // mutably: a launch on the CPU is over when it returns.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().cast(), self.length) }
    }
}

impl Drop for HostBytes {
    fn drop(&mut self) {
        if self.length > 0
            && let Some(layout) = Self::layout(self.length)
        {
            // SAFETY: allocated in `allocated` with this layout, which there is then.
            unsafe { dealloc(self.start.as_ptr(), layout) };
        }
    }
}

impl Bytes {
    /// `length` bytes of one value on the device.
    pub(crate) fn filled(device: &Device, length: usize, byte: u8) -> Result<Self, Error> {
        device.take_memory(length)?;
        match device.cuda_device() {
            None => {
                let mut host = HostBytes::zeroed(length)?;
                if byte != 0 {
                    host.bytes_mut().fill(MaybeUninit::new(byte));
                }
                Ok(Bytes::Host(host))
            }
            Some(cuda) => {
                let memory = cuda.context().allocate(length)?;
                cuda.context().fill_u8(&memory, 0..length, byte)?;
                Ok(Bytes::Cuda(memory))
            }
        }
    }

    /// No bytes.
    pub(crate) fn none(device: &Device) -> Self {
        match device.cuda_device() {
            None => Bytes::Host(HostBytes { start: NonNull::dangling(), length: 0 }),
            Some(cuda) => Bytes::Cuda(cuda.context().nothing()),
        }
    }

    /// `length` bytes of the device, whatever they are there; zeros on the CPU.
    pub(crate) fn unfilled(device: &Device, length: usize) -> Result<Self, Error> {
        device.take_memory(length)?;
        match device.cuda_device() {
            None => Ok(Bytes::Host(HostBytes::zeroed(length)?)),
            Some(cuda) => Ok(Bytes::Cuda(cuda.context().allocate(length)?)),
        }
    }

    /// The words of several ranges, which kernels of other threads may write meanwhile. Waits
    /// on CUDA, once.
    pub(crate) fn read_together(places: &[(&Bytes, Range<usize>)]) -> Result<Vec<u32>, Error> {
        let mut words = Vec::new();
        let mut on_device = Vec::new();
        for (bytes, range) in places {
            match bytes {
                Bytes::Host(host) => {
                    words.extend(range.clone().step_by(4).map(|offset| host.word(offset)));
                }
                Bytes::Cuda(memory) => on_device.push((memory, range.clone())),
            }
        }
        if let Some((memory, _)) = on_device.first() {
            words.extend(memory.context().read_words(&on_device)?);
        }
        Ok(words)
    }

    /// A copy of the host's bytes; queued on CUDA, once they have been read.
    pub(crate) fn copied(device: &Device, from: &[MaybeUninit<u8>]) -> Result<Self, Error> {
        device.take_memory(from.len())?;
        match device.cuda_device() {
            None => Ok(Bytes::Host(HostBytes::copied(from)?)),
            Some(cuda) => {
                let memory = cuda.context().allocate(from.len())?;
                cuda.context().copy_values_to_device(&memory, 0, from)?;
                Ok(Bytes::Cuda(memory))
            }
        }
    }

    /// A copy of the host's bytes, on CUDA beside what the stream does. `each` gets the address,
    /// and how many bytes what it queues finds there: about `part` more each time. `begin` is
    /// called first, while others copy already.
    pub(crate) fn copied_in_parts(
        device: &Device,
        from: &[MaybeUninit<u8>],
        part: usize,
        begin: impl FnOnce() -> Result<(), Error>,
        mut each: impl FnMut(u64, usize) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        match device.cuda_device() {
            None => {
                let bytes = Self::copied(device, from)?;
                begin()?;
                for start in (0..from.len()).step_by(part) {
                    each(bytes.address(), (start + part).min(from.len()))?;
                }
                Ok(bytes)
            }
            Some(cuda) => {
                device.take_memory(from.len())?;
                let context = cuda.context();
                let each = |to: &Memory, end| each(to.ptr(), end);
                let memory = context.upload_in_parts(from, part, begin, each)?;
                Ok(Bytes::Cuda(memory))
            }
        }
    }

    /// `length` bytes, the first `kept` of them those of `from`, the others of one value;
    /// queued on CUDA.
    pub(crate) fn extended(
        device: &Device,
        from: &Bytes,
        kept: usize,
        length: usize,
        byte: u8,
    ) -> Result<Self, Error> {
        match (device.cuda_device(), from) {
            (Some(cuda), Bytes::Cuda(from)) => {
                device.take_memory(length)?;
                let memory = cuda.context().allocate(length)?;
                cuda.context().fill_u8(&memory, kept..length, byte)?;
                cuda.context().copy_on_device(&memory, 0, from, 0, kept)?;
                Ok(Bytes::Cuda(memory))
            }
            _ => {
                let mut bytes = Self::filled(device, length, byte)?;
                bytes.copy_from(from, kept)?;
                Ok(bytes)
            }
        }
    }

    /// [`filled`](Self::filled), of a device's memory that can grow in place.
    pub(crate) fn growable(device: &Device, length: usize, byte: u8) -> Result<Self, Error> {
        match device.cuda_device() {
            None => Self::filled(device, length, byte),
            Some(cuda) => {
                device.take_memory(length)?;
                let memory = cuda.context().allocate_growable(length)?;
                cuda.context().fill_u8(&memory, 0..length, byte)?;
                Ok(Bytes::Cuda(memory))
            }
        }
    }

    /// Grows in place, with bytes of one value; returns whether it could. Queued
    /// on CUDA, where what is in flight goes on.
    pub(crate) fn grow(&mut self, length: usize, byte: u8) -> Result<bool, Error> {
        let before = self.len();
        let Bytes::Cuda(memory) = self else { return Ok(false) };
        if !memory.grow(length)? {
            return Ok(false);
        }
        memory.context().fill_u8(memory, before..length, byte)?;
        Ok(true)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Bytes::Host(host) => host.length,
            Bytes::Cuda(memory) => memory.len(),
        }
    }

    /// The address as kernels of its device use it.
    pub(crate) fn address(&self) -> u64 {
        match self {
            Bytes::Host(host) => host.start.as_ptr().expose_provenance() as u64,
            Bytes::Cuda(memory) => memory.ptr(),
        }
    }

    /// Copies from the host; queued on CUDA, once `from` has been read.
    pub(crate) fn write(&mut self, offset: usize, from: &[MaybeUninit<u8>]) -> Result<(), Error> {
        match self {
            Bytes::Host(host) => {
                host.bytes_mut()[offset..offset + from.len()].copy_from_slice(from)
            }
            Bytes::Cuda(memory) => memory.context().copy_values_to_device(memory, offset, from)?,
        }
        Ok(())
    }

    /// Copies to the host, where all of `to` is written unless it fails; on CUDA it waits for
    /// everything queued before. Words of `word` bytes may be written by kernels of other threads
    /// meanwhile, unless it is 0.
    pub(crate) fn read(
        &self,
        offset: usize,
        to: &mut [MaybeUninit<u8>],
        word: usize,
    ) -> Result<(), Error> {
        match self {
            Bytes::Host(host) if word != 0 => host.read_words(offset, to, word),
            Bytes::Host(host) => to.copy_from_slice(host.bytes(offset..offset + to.len())),
            Bytes::Cuda(memory) => memory.context().copy_values_to_host(to, memory, offset)?,
        }
        Ok(())
    }

    /// Zeros behind the last byte, up to the end of a slab, all of which is allocated. Queued on
    /// CUDA; on the host they are there.
    pub(crate) fn clear_padding(&self) -> Result<(), Error> {
        if let Bytes::Cuda(memory) = self {
            memory.context().clear_padding(memory)?;
        }
        Ok(())
    }

    /// Copies the first `length` bytes of memory on the same device; queued on
    /// CUDA.
    pub(crate) fn copy_from(&mut self, from: &Bytes, length: usize) -> Result<(), Error> {
        match (self, from) {
            (Bytes::Host(to), Bytes::Host(from)) => {
                to.bytes_mut()[..length].copy_from_slice(from.bytes(0..length));
            }
            (Bytes::Cuda(to), Bytes::Cuda(from)) => {
                to.context().copy_on_device(to, 0, from, 0, length)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Sets every byte of a range; queued on CUDA.
    pub(crate) fn fill(&mut self, range: Range<usize>, value: u8) -> Result<(), Error> {
        match self {
            Bytes::Host(host) => host.bytes_mut()[range].fill(MaybeUninit::new(value)),
            Bytes::Cuda(memory) => memory.context().fill_u8(memory, range, value)?,
        }
        Ok(())
    }
}
