//! Device memory as words, and what is exchanged of it.

use super::{Communicator, Plan};
use crate::device::{Device, DeviceBuffer};
use crate::{Element, Error, ErrorKind};
use std::ops::Range;

/// Device memory that ranks exchange: any [`DeviceBuffer`] of elements that are whole words of four
/// bytes, any of which are values.
pub(crate) trait WordBuffer {
    /// How many words there are.
    fn word_count(&self) -> usize;
    /// Reads words. Synchronises.
    fn read_words(&self, words: Range<usize>) -> Result<Vec<u32>, Error>;
    /// Overwrites words from `start` on. Queued on CUDA, once they have been read.
    fn write_words(&mut self, start: usize, words: &[u32]) -> Result<(), Error>;
    /// Where these words are in the memory of a GPU, if the buffer is on it.
    fn address_of_words(&self, gpu: &Device, words: Range<usize>) -> Result<u64, Error>;
}

impl<E: Element> WordBuffer for DeviceBuffer<E> {
    fn word_count(&self) -> usize {
        Self::WORDS as usize * self.len()
    }

    fn read_words(&self, words: Range<usize>) -> Result<Vec<u32>, Error> {
        self.read_words(words)
    }

    fn write_words(&mut self, start: usize, words: &[u32]) -> Result<(), Error> {
        self.write_words(start, words)
    }

    fn address_of_words(&self, gpu: &Device, words: Range<usize>) -> Result<u64, Error> {
        if !gpu.is_cuda() {
            return Err(ErrorKind::NeedsGpu { device: gpu.name() }.into());
        }
        // Memory of the host has an address, too, and NCCL would use it.
        self.check_device(gpu)?;
        self.check_words(&words)?;
        Ok(self.words().address_on_device() + 4 * words.start as u64)
    }
}

/// What a rank gives in an [exchange](Communicator::exchange), and where it puts what it gets.
pub struct Transfer<'a> {
    pub(super) from: &'a dyn WordBuffer,
    /// The first item that is sent.
    pub(super) first: usize,
    pub(super) into: &'a mut dyn WordBuffer,
    /// How many words an item is.
    pub(super) width: usize,
}

impl<'a> Transfer<'a> {
    /// Items of `from`, from `first` on, and room for items from the beginning of `into`: as many as the
    /// plan says.
    pub fn new<E: Element>(
        from: &'a DeviceBuffer<E>,
        first: usize,
        into: &'a mut DeviceBuffer<E>,
    ) -> Self {
        Transfer { from, first, into, width: DeviceBuffer::<E>::WORDS as usize }
    }

    /// The same of elements that are sent as others of as many words.
    pub(crate) fn into_others<A: Element, E: Element>(
        from: &'a DeviceBuffer<A>,
        first: usize,
        into: &'a mut DeviceBuffer<E>,
    ) -> Self {
        const { assert!(size_of::<A>() == size_of::<E>()) };
        Transfer { from, first, into, width: DeviceBuffer::<E>::WORDS as usize }
    }
}

/// [`Communicator::exchange`] into room that this rank may have no memory for: then no rank exchanges
/// anything.
///
/// # Errors
/// That of the room; as [`Communicator`]; past the end of a buffer.
pub fn exchange_into<'r, R>(
    communicator: &dyn Communicator,
    plan: &Plan,
    room: &'r mut Result<R, Error>,
    transfers: impl FnOnce(&'r mut R) -> Vec<Transfer<'r>>,
) -> Result<(), Error> {
    let own = match room {
        Ok(room) => Ok(transfers(room)),
        Err(error) => Err(std::mem::replace(error, ErrorKind::OutOfStep.into())),
    };
    communicator.exchange(plan, own)
}

/// [`Communicator::exchange`] of one list: of `from`, from item `first` on, to the beginning of
/// `into`.
///
/// # Errors
/// As [`Communicator`]; past the end of a buffer.
pub fn exchange_items<E: Element>(
    communicator: &dyn Communicator,
    plan: &Plan,
    (from, first): (&DeviceBuffer<E>, usize),
    into: &mut DeviceBuffer<E>,
) -> Result<(), Error> {
    communicator.exchange(plan, Ok(vec![Transfer::new(from, first, into)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_the_host_has_no_address_for_nccl() {
        let buffer = DeviceBuffer::<u32>::zeroed(&Device::cpu(), 4).expect("memory");
        let error = buffer.address_of_words(&Device::cpu(), 0..4).expect_err("no GPU");
        assert!(matches!(error.kind(), ErrorKind::NeedsGpu { .. }), "{error}");
    }
}
