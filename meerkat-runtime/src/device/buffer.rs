//! Typed device memory.
#![allow(unsafe_code)] // Values as bytes; each block says why.

use super::memory::Bytes;
use crate::device::Device;
use crate::device_type::{DeviceType, Element};
use crate::view::{Atomic, DeviceSlice, Slab};
use crate::{Error, ErrorKind};
use std::marker::PhantomData;
use std::mem::{MaybeUninit, size_of};
use std::ops::Range;

/// An owned array on a device: `DeviceBuffer<f32>` for `&[f32]` and
/// `&mut [f32]`, `DeviceBuffer<Atomic<u32>>` for `&[Atomic<u32>]`.
///
/// The host reads and writes plain values of it: after the kernels queued before, which
/// reading waits for.
#[derive(Debug)]
pub struct DeviceBuffer<E: Element> {
    device: Device,
    bytes: Bytes,
    length: usize,
    elements: PhantomData<E>,
}

impl<E: Element> DeviceBuffer<E> {
    /// `length` elements of all-zero bytes. Queued on CUDA.
    ///
    /// # Errors
    /// No memory; more than `u32::MAX` elements; the device fails.
    pub fn zeroed(device: &Device, length: usize) -> Result<Self, Error> {
        Self::of_bytes(device, length, 0)
    }

    /// `length` elements of this byte throughout.
    ///
    /// # Errors
    /// As [`zeroed`](Self::zeroed).
    pub(crate) fn of_bytes(device: &Device, length: usize, byte: u8) -> Result<Self, Error> {
        check_length::<E>(length)?;
        let bytes = Bytes::filled(device, byte_count::<E>(length)?, byte)?;
        Ok(DeviceBuffer { device: device.clone(), bytes, length, elements: PhantomData })
    }

    /// `length` elements whose bytes these are.
    pub(super) fn of(device: &Device, bytes: Bytes, length: usize) -> Result<Self, Error> {
        check_length::<E>(length)?;
        Ok(DeviceBuffer { device: device.clone(), bytes, length, elements: PhantomData })
    }

    /// No elements.
    pub(crate) fn empty(device: &Device) -> Self {
        let (device, bytes) = (device.clone(), Bytes::none(device));
        DeviceBuffer { device, bytes, length: 0, elements: PhantomData }
    }

    /// `length` elements of whatever bytes are there: for lists that kernels fill.
    ///
    /// # Safety
    /// Any bytes are a value of the elements, or none is read before it was written.
    pub(crate) unsafe fn unfilled(device: &Device, length: usize) -> Result<Self, Error> {
        check_length::<E>(length)?;
        let bytes = Bytes::unfilled(device, byte_count::<E>(length)?)?;
        Ok(DeviceBuffer { device: device.clone(), bytes, length, elements: PhantomData })
    }

    /// [`of_bytes`](Self::of_bytes), for [`grow`](Self::grow).
    pub(crate) fn growable(device: &Device, length: usize, byte: u8) -> Result<Self, Error> {
        check_length::<E>(length)?;
        let bytes = Bytes::growable(device, byte_count::<E>(length)?, byte)?;
        Ok(DeviceBuffer { device: device.clone(), bytes, length, elements: PhantomData })
    }

    /// Goes on with bytes of `byte` to `length` elements: in place if it is
    /// [`growable`](Self::growable) and the device can, else as a longer copy.
    pub(crate) fn grow(&mut self, length: usize, byte: u8) -> Result<(), Error> {
        check_length::<E>(length)?;
        if self.device.is_cuda() {
            self.device.take_memory(length.saturating_sub(self.length) * size_of::<E>())?;
        }
        if self.bytes.grow(byte_count::<E>(length)?, byte)? {
            self.length = length;
        } else {
            *self = self.grown(length, byte)?;
        }
        Ok(())
    }

    /// A copy of the host's values. Queued on CUDA, once they have been read.
    ///
    /// # Errors
    /// As [`zeroed`](Self::zeroed).
    pub fn from_slice(device: &Device, values: &[E::Value]) -> Result<Self, Error> {
        check_length::<E>(values.len())?;
        let bytes = Bytes::copied(device, as_bytes(values))?;
        let length = values.len();
        Ok(DeviceBuffer { device: device.clone(), bytes, length, elements: PhantomData })
    }

    /// A copy of the host's values, on CUDA beside what the stream does: `each` gets views of
    /// about `part` of them one after another, which what it queues finds there. `begin` is
    /// called before, while the first are copied.
    ///
    /// # Errors
    /// As [`zeroed`](Self::zeroed), or what `begin` or `each` returns.
    pub(crate) fn from_slice_in_parts(
        device: &Device,
        values: &[E::Value],
        part: usize,
        begin: impl FnOnce() -> Result<(), Error>,
        mut each: impl FnMut(DeviceSlice<E>) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        check_length::<E>(values.len())?;
        let (size, mut done) = (size_of::<E>(), 0);
        let each = |address, end| {
            // The last value may be there in part.
            let (first, whole) = (done, end / size);
            done = whole;
            each(DeviceSlice::from_raw(address + (first * size) as u64, whole - first))
        };
        let bytes = Bytes::copied_in_parts(device, as_bytes(values), part * size, begin, each)?;
        let length = values.len();
        Ok(DeviceBuffer { device: device.clone(), bytes, length, elements: PhantomData })
    }

    /// `length` copies of one value. Queued on CUDA; copied from the host unless its bytes are
    /// equal.
    ///
    /// # Errors
    /// As [`zeroed`](Self::zeroed).
    pub fn filled(device: &Device, length: usize, value: E::Value) -> Result<Self, Error> {
        if let Some(byte) = repeated_byte(value) {
            return Self::of_bytes(device, length, byte);
        }
        check_length::<E>(length)?;
        Self::from_slice(device, &vec![value; length])
    }

    /// Sets every element. Queued on CUDA; copied from the host unless the value's bytes are
    /// equal.
    ///
    /// # Errors
    /// The device fails.
    pub fn fill(&mut self, value: E::Value) -> Result<(), Error> {
        match repeated_byte(value) {
            Some(byte) => self.bytes.fill(0..self.length * size_of::<E>(), byte),
            None => self.write(0, &vec![value; self.length]),
        }
    }

    /// The same buffer on the device for readers, or from there: what comes there, also from others,
    /// runs after all that was queued here. Nothing is copied; on CUDA it is queued.
    ///
    /// # Errors
    /// [`ErrorKind::WrongDevice`] unless one is the other [for readers](Device::for_readers); the
    /// device fails. The buffer is gone then.
    pub fn moved_to(self, device: &Device) -> Result<Self, Error> {
        if self.device.is_same(device) {
            return Ok(self);
        }
        let wrong =
            || ErrorKind::WrongDevice { argument: self.device.name(), launch: device.name() };
        match (self.bytes, device.cuda_device()) {
            (Bytes::Cuda(memory), Some(cuda)) if memory.context().is_beside(cuda.context()) => {
                let bytes = Bytes::Cuda(memory.moved_to(cuda.context())?);
                Ok(DeviceBuffer { device: device.clone(), bytes, ..self })
            }
            _ => Err(wrong().into()),
        }
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// How many bytes of device memory it takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The device it is on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Where its elements begin, for libraries that read device memory: as kernels of the device use
    /// it, which on the CPU is where it is in memory. It stays there until the buffer grows or is
    /// dropped; who reads it sees to it that what was queued before is done.
    pub fn address(&self) -> u64 {
        self.bytes.address()
    }

    /// Overwrites elements from `start` on. Queued on CUDA, once the values have been read.
    ///
    /// # Errors
    /// Past the end; the device fails.
    pub fn write(&mut self, start: usize, values: &[E::Value]) -> Result<(), Error> {
        self.check(start, values.len())?;
        self.bytes.write(start * size_of::<E>(), as_bytes(values))
    }

    /// Reads `count` elements from `start` on. Synchronises. What another thread launches meanwhile may
    /// be seen in a part of them.
    ///
    /// # Errors
    /// Past the end; the device fails, or a kernel queued before did.
    pub fn read(&self, start: usize, count: usize) -> Result<Vec<E::Value>, Error> {
        self.check(start, count)?;
        let mut values = Vec::with_capacity(count);
        let room = &mut values.spare_capacity_mut()[..count];
        self.bytes.read(start * size_of::<E>(), as_room(room), E::SHARED_WORD)?;
        // SAFETY: so many were written, each with the bytes of an element of this buffer: the
        // host or a kernel wrote it as an `E::Value`, or it is all zeros or another byte that a
        // value repeats.
        unsafe { values.set_len(count) };
        Ok(values)
    }

    /// All elements. Synchronises.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn to_vec(&self) -> Result<Vec<E::Value>, Error> {
        self.read(0, self.length)
    }

    /// Makes sure that there is memory for `length` elements, by doubling it.
    pub(crate) fn reserve(&mut self, length: usize) -> Result<(), Error> {
        check_length::<E>(length)?;
        if byte_count::<E>(length)? <= self.bytes.len() {
            return Ok(());
        }
        let kept = self.length * size_of::<E>();
        let room = byte_count::<E>(length.max(2 * self.length))?;
        self.bytes = Bytes::extended(&self.device, &self.bytes, kept, room, 0)?;
        Ok(())
    }

    /// Goes on with zeros to `length` elements; [`reserve`](Self::reserve)s first.
    pub(crate) fn extend(&mut self, length: usize) -> Result<(), Error> {
        self.reserve(length)?;
        self.length = self.length.max(length);
        Ok(())
    }

    /// A copy of the first `length` elements. Waits, on CUDA, as `grown` does.
    pub(crate) fn first(&self, length: usize) -> Result<Self, Error> {
        self.check(0, length)?;
        self.with_room(length, length, 0)
    }

    /// Keeps the first `length` elements, if there are more; the memory stays.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// A longer buffer that begins with these elements and goes on with bytes
    /// of `fill`. Waits, on CUDA, until this one can go.
    pub(crate) fn grown(&self, length: usize, fill: u8) -> Result<Self, Error> {
        check_length::<E>(length)?;
        self.with_room(self.length, length, fill)
    }

    /// A longer copy that goes on with `value` to `length` elements. Synchronises, on CUDA.
    ///
    /// # Errors
    /// As [`zeroed`](Self::zeroed); fewer elements than there are.
    pub fn extended(&self, length: usize, value: E::Value) -> Result<Self, Error> {
        if length < self.length {
            return Err(ErrorKind::OutOfBounds { index: self.length - 1, length }.into());
        }
        let Some(byte) = repeated_byte(value) else {
            let mut longer = self.grown(length, 0)?;
            longer.write(self.length, &vec![value; length - self.length])?;
            return Ok(longer);
        };
        self.grown(length, byte)
    }

    /// `length` elements, the first `kept` of them these, the others bytes of `fill`.
    pub(crate) fn with_room(&self, kept: usize, length: usize, fill: u8) -> Result<Self, Error> {
        let (kept, bytes) = (kept * size_of::<E>(), byte_count::<E>(length)?);
        let bytes = Bytes::extended(&self.device, &self.bytes, kept, bytes, fill)?;
        Ok(DeviceBuffer { device: self.device.clone(), bytes, length, elements: PhantomData })
    }

    /// How many words an element is, of a type that is whole words without padding.
    pub(crate) const WORDS: u32 = {
        assert!(
            size_of::<E>() != 0 && size_of::<E>().is_multiple_of(4),
            "a column holds values of 4 bytes, 8, 12 or so: widen or join smaller ones"
        );
        assert!(
            !E::Value::HAS_PADDING,
            "a column holds no padding: add a field for the bytes between or after the others"
        );
        assert!(
            E::Value::ANY_BYTES,
            "a column holds numbers, and structs and arrays of them, for a file may say any: use `u32` for `bool`"
        );
        (size_of::<E>() / 4) as u32
    };

    /// The kernels' view of the elements as words, for copies of any type of whole words.
    pub(crate) fn words(&self) -> DeviceSlice<Atomic<u32>> {
        let words = Self::WORDS as usize * self.length;
        DeviceSlice::from_raw(self.bytes.address(), words)
    }

    /// [`words`](Self::words) that nobody changes while they look.
    pub(crate) fn plain_words(&self) -> DeviceSlice<u32> {
        let words = Self::WORDS as usize * self.length;
        DeviceSlice::from_raw(self.bytes.address(), words)
    }

    /// Some of the [`words`](Self::words), read by the host. Synchronises.
    pub(crate) fn read_words(&self, words: Range<usize>) -> Result<Vec<u32>, Error> {
        let count = self.check_words(&words)?;
        let mut values = Vec::with_capacity(count);
        let room = &mut values.spare_capacity_mut()[..count];
        self.bytes.read(words.start * size_of::<u32>(), as_room(room), size_of::<u32>())?;
        // SAFETY: so many were written, and any bytes are a word.
        unsafe { values.set_len(count) };
        Ok(values)
    }

    /// Overwrites [`words`](Self::words) from `start` on. Queued on CUDA, once they have been read.
    pub(crate) fn write_words(&mut self, start: usize, words: &[u32]) -> Result<(), Error> {
        self.check_words(&(start..start.saturating_add(words.len())))?;
        self.bytes.write(start * size_of::<u32>(), as_bytes(words))
    }

    /// How many words there are in a range, if it is inside.
    pub(crate) fn check_words(&self, words: &Range<usize>) -> Result<usize, Error> {
        let length = Self::WORDS as usize * self.length;
        match words.start <= words.end && words.end <= length {
            true => Ok(words.len()),
            false => {
                let index = words.end.saturating_sub(1).max(words.start);
                Err(ErrorKind::OutOfBounds { index, length }.into())
            }
        }
    }

    fn check(&self, start: usize, count: usize) -> Result<(), Error> {
        match start.checked_add(count) {
            Some(end) if end <= self.length => Ok(()),
            _ => {
                let index = start.saturating_add(count).saturating_sub(1);
                Err(ErrorKind::OutOfBounds { index, length: self.length }.into())
            }
        }
    }

    /// The kernels' view of some of the elements.
    pub(crate) fn view_of(&self, elements: Range<usize>) -> DeviceSlice<E> {
        let end = elements.end.min(self.length);
        let start = elements.start.min(end);
        let address = self.bytes.address() + (start * size_of::<E>()) as u64;
        DeviceSlice::from_raw(address, end - start)
    }

    pub(crate) fn view(&self) -> DeviceSlice<E> {
        self.view_of(0..self.length)
    }

    /// The kernels' view of elements of 4 bytes as slabs, the last with whatever is behind them:
    /// memory is allocated by whole slabs. Nobody writes them while they look.
    pub(crate) fn slabs(&self) -> DeviceSlice<Slab> {
        let words = size_of::<E>() / 4 * self.length;
        DeviceSlice::from_raw(self.bytes.address(), words.div_ceil(32))
    }

    /// Makes what is behind the elements readable, for [`slabs`](Self::slabs). Queued on CUDA.
    pub(crate) fn clear_padding(&self) -> Result<(), Error> {
        self.bytes.clear_padding()
    }

    pub(crate) fn check_device(&self, device: &Device) -> Result<(), Error> {
        if self.device.is_same(device) {
            return Ok(());
        }
        Err(ErrorKind::WrongDevice { argument: self.device.name(), launch: device.name() }.into())
    }
}

impl DeviceBuffer<Atomic<u32>> {
    /// The kernels' view of some elements that nobody changes while they look.
    pub(crate) fn plain_view(&self, elements: Range<usize>) -> DeviceSlice<u32> {
        let words = self.view_of(elements);
        DeviceSlice::from_raw(words.address_on_device(), words.len() as usize)
    }
}

/// Some elements of a buffer of words.
pub(crate) type Words<'a> = (&'a DeviceBuffer<Atomic<u32>>, Range<usize>);

/// The elements of several places of one device, one after another. Synchronises once.
pub(crate) fn read_together(places: &[Words<'_>]) -> Result<Vec<u32>, Error> {
    let mut bytes = Vec::with_capacity(places.len());
    for (buffer, range) in places {
        buffer.check(range.start, range.len())?;
        bytes.push((&buffer.bytes, range.start * 4..range.end * 4));
    }
    Bytes::read_together(&bytes)
}

/// How many bytes this number of elements takes.
fn byte_count<E>(length: usize) -> Result<usize, Error> {
    let bytes = length.checked_mul(size_of::<E>());
    bytes.ok_or_else(|| ErrorKind::OutOfMemory { bytes: u64::MAX }.into())
}

/// Kernels index by `u32`, and views are not stored.
fn check_length<E: Element>(length: usize) -> Result<(), Error> {
    if E::Value::IS_VIEW {
        return Err(ErrorKind::ViewStored { view: std::any::type_name::<E::Value>() }.into());
    }
    if u32::try_from(length).is_err() {
        return Err(ErrorKind::BufferTooLong { length }.into());
    }
    Ok(())
}

/// The byte that a value repeats; none of a type with padding.
fn repeated_byte<T: DeviceType>(value: T) -> Option<u8> {
    if T::HAS_PADDING {
        return None;
    }
    let one = [value];
    // SAFETY: without padding every byte of a value is initialised, and the array outlives it.
    let bytes = unsafe { std::slice::from_raw_parts(one.as_ptr().cast::<u8>(), size_of::<T>()) };
    let first = bytes.first().copied().unwrap_or(0);
    bytes.iter().all(|&byte| byte == first).then_some(first)
}

fn as_bytes<T: DeviceType>(values: &[T]) -> &[MaybeUninit<u8>] {
    // SAFETY: the same memory; any byte is a `MaybeUninit`, that of padding, too.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// The bytes that values are read into.
fn as_room<T: DeviceType>(room: &mut [MaybeUninit<T>]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the same memory, of which neither type says what it holds.
    unsafe { std::slice::from_raw_parts_mut(room.as_mut_ptr().cast(), size_of_val(room)) }
}

#[cfg(test)]
mod tests;
