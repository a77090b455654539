//! Device memory as words, and exchanges of whole elements.

use super::{Communicator, Received, Sent};
use crate::device::{Device, DeviceBuffer};
use crate::{Element, Error};
use std::ops::Range;

/// Device memory that ranks exchange: any [`DeviceBuffer`] of elements that are whole words of four
/// bytes, any of which are values. Sealed.
pub trait WordBuffer: sealed::Sealed {
    /// The device it is on.
    fn device(&self) -> &Device;
    /// How many words there are.
    fn word_count(&self) -> usize;
    /// Reads words. Synchronises.
    ///
    /// # Errors
    /// Past the end; the device fails.
    fn read_words(&self, words: Range<usize>) -> Result<Vec<u32>, Error>;
    /// Overwrites words from `start` on. Queued on CUDA, once they have been read.
    ///
    /// # Errors
    /// Past the end; the device fails.
    fn write_words(&mut self, start: usize, words: &[u32]) -> Result<(), Error>;
    /// Where these words are in device memory, of a GPU.
    ///
    /// # Errors
    /// Past the end.
    #[doc(hidden)]
    fn address_of_words(&self, words: Range<usize>) -> Result<u64, Error>;
}

mod sealed {
    pub trait Sealed {}
}

impl<E: Element> sealed::Sealed for DeviceBuffer<E> {}

impl<E: Element> WordBuffer for DeviceBuffer<E> {
    fn device(&self) -> &Device {
        self.device()
    }

    fn word_count(&self) -> usize {
        Self::WORDS as usize * self.len()
    }

    fn read_words(&self, words: Range<usize>) -> Result<Vec<u32>, Error> {
        self.read_words(words)
    }

    fn write_words(&mut self, start: usize, words: &[u32]) -> Result<(), Error> {
        self.write_words(start, words)
    }

    fn address_of_words(&self, words: Range<usize>) -> Result<u64, Error> {
        self.check_words(&words)?;
        Ok(self.words().address_on_device() + 4 * words.start as u64)
    }
}

fn in_words<E: Element>(counts: &[usize]) -> Vec<usize> {
    counts.iter().map(|count| count * DeviceBuffer::<E>::WORDS as usize).collect()
}

/// [`Communicator::exchange`] of whole elements, from and to the beginning of buffers: `sent` and
/// `received` count elements.
///
/// # Errors
/// As [`Communicator`]; past the end of a buffer.
pub fn exchange_items<E: Element>(
    communicator: &dyn Communicator,
    from: &DeviceBuffer<E>,
    sent: &[usize],
    into: &mut DeviceBuffer<E>,
    received: &[usize],
) -> Result<(), Error> {
    let (sent, received) = (in_words::<E>(sent), in_words::<E>(received));
    let (from, into) = (Sent { buffer: from, start: 0 }, Received { buffer: into, start: 0 });
    communicator.exchange(from, &sent, into, &received)
}

/// [`Communicator::gather`] of whole elements, from `first` on and to the beginning of a buffer:
/// `counts` counts elements.
///
/// # Errors
/// As [`Communicator`]; past the end of a buffer.
pub fn gather_items<E: Element>(
    communicator: &dyn Communicator,
    (from, first): (&DeviceBuffer<E>, usize),
    counts: &[usize],
    into: &mut DeviceBuffer<E>,
) -> Result<(), Error> {
    let start = first * DeviceBuffer::<E>::WORDS as usize;
    let (from, into) = (Sent { buffer: from, start }, Received { buffer: into, start: 0 });
    communicator.gather(from, &in_words::<E>(counts), into)
}
