//! Typed pinned memory of the host, and what is on its way from there to a device.
#![allow(unsafe_code)] // Values as bytes; each block says why.

use super::buffer::DeviceBuffer;
use super::memory::Bytes;
use crate::cuda::{Event, PinnedMemory};
use crate::device::Device;
use crate::{DeviceType, Error, ErrorKind};
use std::marker::PhantomData;
use std::mem::size_of;
use std::sync::Arc;

/// A list of plain values in host memory from which a device copies by itself. On the CPU it is
/// a `Vec`.
#[derive(Debug)]
pub(crate) struct PinnedList<T: DeviceType> {
    device: Device,
    memory: Kind<T>,
    length: usize,
}

#[derive(Debug)]
enum Kind<T> {
    Host(Vec<T>),
    Pinned(PinnedMemory, PhantomData<T>),
}

/// What a copy from pinned memory is to be waited for with; nothing where there is none.
///
/// What was copied is freed in the order of the device's stream, so the stream waits for the
/// copy when this is dropped, at the latest.
#[derive(Debug, Default)]
pub(crate) struct Arrival(Option<Arc<Event>>);

impl Arrival {
    /// Has the device's stream wait for the copy. Queued on CUDA.
    pub(crate) fn join(&self) -> Result<(), Error> {
        match &self.0 {
            Some(event) => Ok(event.join()?),
            None => Ok(()),
        }
    }
}

impl Arrival {
    /// That of a copy that was queued after this one: who waits for it has both.
    pub(crate) fn then(mut self, later: Arrival) -> Arrival {
        if later.0.is_none() {
            return self;
        }
        self.0 = None;
        later
    }
}

impl Drop for Arrival {
    fn drop(&mut self) {
        if let Some(event) = &self.0
            && event.join().is_err()
        {
            // The host waits, then; where that fails the device is lost, and its memory with it.
            let _ = event.wait();
        }
    }
}

impl<T: DeviceType> PinnedList<T> {
    /// An empty list with room for `capacity` values.
    pub(crate) fn new(device: &Device, capacity: usize) -> Result<Self, Error> {
        let memory = match device.cuda_device() {
            None => Kind::Host(Vec::new()),
            Some(cuda) => {
                let bytes = capacity.checked_mul(size_of::<T>());
                let bytes = bytes.ok_or(ErrorKind::OutOfMemory { bytes: u64::MAX })?;
                Kind::Pinned(cuda.context().pinned(bytes)?, PhantomData)
            }
        };
        Ok(PinnedList { device: device.clone(), memory, length: 0 })
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Forgets the values. Their memory stays.
    pub(crate) fn clear(&mut self) {
        self.truncate(0);
    }

    /// Keeps the first `length` values, if there are more.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        if let Kind::Host(values) = &mut self.memory {
            values.truncate(length);
        }
    }

    /// Appends values; where the list is full, in memory of twice its size. Waits for the copies
    /// from it.
    pub(crate) fn extend(&mut self, values: &[T]) -> Result<(), Error> {
        let length = self.length + values.len();
        match &mut self.memory {
            Kind::Host(list) => list.extend_from_slice(values),
            Kind::Pinned(memory, _) => {
                let (size, before) = (size_of::<T>(), self.length);
                if memory.bytes().len() < length * size {
                    let context = memory.context();
                    let mut longer = context.pinned((2 * before).max(length) * size)?;
                    longer.bytes_mut()?[..before * size]
                        .copy_from_slice(&memory.bytes()[..before * size]);
                    *memory = longer;
                }
                let room = &mut memory.bytes_mut()?[before * size..length * size];
                // SAFETY: the room is as long as the values, which are plain bytes.
                unsafe {
                    let from = values.as_ptr().cast();
                    room.as_mut_ptr().copy_from_nonoverlapping(from, room.len());
                }
            }
        }
        self.length = length;
        Ok(())
    }

    /// A copy on the device, which is there once the arrival is joined. Queued on CUDA, beside
    /// the work of the device's stream.
    pub(crate) fn upload(&self) -> Result<(DeviceBuffer<T>, Arrival), Error> {
        match &self.memory {
            Kind::Host(values) => {
                Ok((DeviceBuffer::from_slice(&self.device, values)?, Arrival::default()))
            }
            Kind::Pinned(memory, _) => {
                self.device.take_memory(self.length * size_of::<T>())?;
                let (bytes, event) = memory.upload(0..self.length * size_of::<T>())?;
                let buffer = DeviceBuffer::of(&self.device, Bytes::Cuda(bytes), self.length)?;
                Ok((buffer, Arrival(Some(event))))
            }
        }
    }
}
