//! Ranks that are threads of this process, each with a GPU: device words go through NCCL, host words
//! as between all threads.
#![allow(unsafe_code)] // Spans of device memory for NCCL; each block says why they are.

use super::threads::ThreadCommunicator;
use super::votes::agree;
use super::{Communicator, Received, Sent, WordBuffer, ranges};
use crate::cuda::{Nccl, NcclId, WordSpan};
use crate::device::Device;
use crate::{Error, ErrorKind};
use std::ops::Range;
use std::time::Duration;

/// A rank with a GPU of its own. It stays on its thread.
#[derive(Debug)]
pub struct NcclCommunicator {
    /// Dropped first: what NCCL waits for ends when its communicators do.
    nccl: Nccl,
    threads: ThreadCommunicator,
}

impl NcclCommunicator {
    /// Of the rank that `threads` is, on a GPU that no other rank has. Collective; synchronises.
    ///
    /// Cost: a second or so.
    ///
    /// # Errors
    /// A device that is no GPU, or two ranks on one; no NCCL, or one that is too old; ranks that do
    /// not come in time.
    pub fn new(threads: ThreadCommunicator, device: &Device) -> Result<Self, Error> {
        let (rank, size) = (threads.rank(), threads.size());
        let begun = Self::context_and_id(&threads, device);
        let (context, id) = agree(&threads, begun)?;
        let ordinals = threads.all_gather(&[context.ordinal() as u64])?;
        if ordinals.iter().filter(|&&other| other == context.ordinal() as u64).count() > 1 {
            return Err(ErrorKind::SharedGpu { device: device.name() }.into());
        }
        let id = NcclId::from_bytes(bytes_of(&threads.all_gather(&id)?));
        let timeout = threads.timeout();
        let joined = Nccl::join(context, &id, (rank, size), timeout, || threads.is_broken());
        let nccl = agree(&threads, joined.map_err(Error::from))?;
        Ok(NcclCommunicator { nccl, threads })
    }

    /// The device's context, and on rank 0 an id, in words.
    fn context_and_id<'d>(
        threads: &ThreadCommunicator,
        device: &'d Device,
    ) -> Result<(&'d std::sync::Arc<crate::cuda::Context>, [u64; ID_WORDS]), Error> {
        let wrong = || ErrorKind::NeedsGpu { device: device.name() };
        let context = device.cuda_device().ok_or_else(wrong)?.context();
        crate::cuda::nccl_version()?;
        let id = match threads.rank() {
            0 => words_of(NcclId::new()?.to_bytes()),
            _ => [0; ID_WORDS],
        };
        Ok((context, id))
    }

    /// Whether each rank sends this one what it expects: else NCCL would wait for ever, or worse. And
    /// all are here.
    fn check_counts(&self, sent: &[usize], received: &[usize]) -> Result<(), Error> {
        let sent: Vec<u64> = sent.iter().map(|&count| count as u64).collect();
        let coming = self.threads.all_to_all(&sent)?;
        let expected = received.iter().map(|&count| count as u64);
        let agreed = agree(
            &self.threads,
            match coming.into_iter().eq(expected) {
                true => Ok(()),
                false => Err(out_of_step("exchange", self.rank())),
            },
        );
        agreed.inspect_err(|_| self.threads.give_up())
    }

    /// Whether all ranks expect the same of each.
    fn check_gathered(&self, counts: &[usize]) -> Result<(), Error> {
        let own: Vec<u64> = counts.iter().map(|&count| count as u64).collect();
        let all = self.threads.all_gather(&own)?;
        match own.len() == self.size() && all.chunks(own.len()).all(|of_rank| of_rank == own) {
            true => Ok(()),
            false => Err(out_of_step("gather", self.rank())),
        }
    }

    /// Why a call of NCCL failed: that of the ranks, if they have lost one.
    fn reason(&self, error: crate::cuda::CudaError) -> Error {
        self.threads.check().err().unwrap_or_else(|| {
            self.threads.give_up();
            error.into()
        })
    }
}

fn out_of_step(call: &str, rank: usize) -> Error {
    let what = format!("in `{call}` ranks send other numbers of words than rank {rank} expects");
    ErrorKind::RanksOutOfStep { what }.into()
}

const ID_WORDS: usize = NcclId::BYTES / 8;

fn words_of(bytes: [u8; NcclId::BYTES]) -> [u64; ID_WORDS] {
    std::array::from_fn(|at| u64::from_le_bytes(std::array::from_fn(|byte| bytes[8 * at + byte])))
}

/// The bytes of the first words.
fn bytes_of(words: &[u64]) -> [u8; NcclId::BYTES] {
    let mut bytes = words.iter().flat_map(|word| word.to_le_bytes());
    std::array::from_fn(|_| bytes.next().unwrap_or(0))
}

/// Where words of a buffer are.
fn span(buffer: &dyn WordBuffer, words: Range<usize>) -> Result<WordSpan, Error> {
    Ok(WordSpan { count: words.len(), address: buffer.address_of_words(words)? })
}

impl Communicator for NcclCommunicator {
    fn rank(&self) -> usize {
        self.threads.rank()
    }

    fn size(&self) -> usize {
        self.threads.size()
    }

    fn all_gather(&self, words: &[u64]) -> Result<Vec<u64>, Error> {
        self.threads.all_gather(words)
    }

    fn exchange(
        &self,
        from: Sent<'_>,
        sent: &[usize],
        into: Received<'_>,
        received: &[usize],
    ) -> Result<(), Error> {
        self.check_counts(sent, received)?;
        let spans = |buffer: &dyn WordBuffer, counts, start| {
            ranges(counts, start).map(|words| span(buffer, words)).collect::<Result<Vec<_>, _>>()
        };
        let sent = spans(from.buffer, sent, from.start)?;
        let received = spans(&*into.buffer, received, into.start)?;
        // SAFETY: the spans are within buffers that are borrowed, what is received mutably, and its
        // spans follow one another; each rank sends as many words as the other expects.
        let done = unsafe { self.nccl.exchange(&sent, &received, || self.threads.is_broken()) };
        done.map_err(|error| self.reason(error))
    }

    fn gather(&self, from: Sent<'_>, counts: &[usize], into: Received<'_>) -> Result<(), Error> {
        self.check_gathered(counts)?;
        let own = counts.get(self.rank()).copied().unwrap_or(0);
        if own == 0 && counts.iter().all(|&count| count == 0) {
            return Ok(());
        }
        if counts.iter().all(|&count| count == own) {
            let sent = span(from.buffer, from.start..from.start + own)?;
            let end = into.start + own * counts.len();
            let room = span(&*into.buffer, into.start..end)?;
            // SAFETY: as in `exchange`; the room is for all ranks.
            let done =
                unsafe { self.nccl.all_gather(sent, room.address, || self.threads.is_broken()) };
            return done.map_err(|error| self.reason(error));
        }
        let sent = span(from.buffer, from.start..from.start + own)?;
        let received = ranges(counts, into.start).map(|words| span(&*into.buffer, words));
        let received = received.collect::<Result<Vec<_>, _>>()?;
        // SAFETY: as in `exchange`; the same words go to every rank.
        let done = unsafe {
            self.nccl.exchange(&vec![sent; counts.len()], &received, || self.threads.is_broken())
        };
        done.map_err(|error| self.reason(error))
    }
}

/// The rank that a thread is, with NCCL if its device is a GPU and there are several ranks; else
/// through host memory. Collective.
///
/// # Errors
/// As [`NcclCommunicator::new`], if the device is a GPU.
pub fn communicator_on(
    threads: ThreadCommunicator,
    device: &Device,
) -> Result<std::rc::Rc<dyn Communicator>, Error> {
    let all_gpus = threads.all_gather(&[u64::from(device.is_cuda())])?;
    match threads.size() > 1 && all_gpus.iter().all(|&is_gpu| is_gpu == 1) {
        true => Ok(std::rc::Rc::new(NcclCommunicator::new(threads, device)?)),
        false => Ok(std::rc::Rc::new(threads)),
    }
}

/// How long ranks wait for each other unless they are told otherwise.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(600);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_same_in_words() {
        let bytes: [u8; NcclId::BYTES] = std::array::from_fn(|at| (3 * at) as u8);
        assert_eq!(bytes_of(&words_of(bytes)), bytes);
    }
}
