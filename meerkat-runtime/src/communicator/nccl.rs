//! Ranks with a GPU each: device words go through NCCL, host words as between all ranks.
#![allow(unsafe_code)] // Spans of device memory for NCCL; each block says why they are.

use super::host::{Begun, HostCommunicator};
use super::plan::Words;
use super::turns::TURNS;
use super::votes::agree;
use super::{Communicator, Plan, Transfer};
use crate::cuda::{CudaError, Nccl, NcclId, TransferSpans, WordSpan};
use crate::device::Device;
use crate::{Error, ErrorKind};
use std::time::Duration;

/// A rank with a GPU of its own. It stays on its thread.
///
/// Communicators of a process take turns: while the ranks of one exchange device words, those of others wait,
/// whatever GPUs they have, one after another, each for its own timeout at most. Ranks that are processes see to it
/// themselves that those with two communicators on the same GPUs use them in the same order.
#[derive(Debug)]
pub struct NcclCommunicator {
    /// Dropped first: what NCCL waits for ends when its communicators do.
    nccl: Nccl,
    /// Where buffers have to be.
    device: Device,
    host: HostCommunicator,
}

impl NcclCommunicator {
    /// Of the rank that `host` is, on a GPU that no other rank has. Collective; synchronises.
    ///
    /// Cost: a second or so.
    ///
    /// # Errors
    /// A device that is no GPU, or two ranks on one; no NCCL, or one that is too old; ranks that do
    /// not come in time.
    pub fn new(host: HostCommunicator, device: &Device) -> Result<Self, Error> {
        let (rank, size) = (host.rank(), host.size());
        let begun = Self::begin(&host, device);
        let (context, id, gpu) = agree(&host, begun)?;
        let gpus = host.all_gather(&gpu)?;
        if gpus.chunks(gpu.len()).filter(|&other| other == gpu).count() > 1 {
            return Err(ErrorKind::SharedGpu { device: device.name() }.into());
        }
        let id = NcclId::from_bytes(bytes_of(&host.all_gather(&id)?));
        let timeout = host.timeout();
        let turn = TURNS.take(host.group(), host.ranks_here());
        let joined =
            Nccl::join(context, &id, (rank, size, host.ranks_here()), timeout, || host.is_broken());
        drop(turn);
        // Who fails gives up, so that nobody waits for it in there.
        let nccl = agree(&host, joined.map_err(|error| reason(&host, error)))?;
        Ok(NcclCommunicator { nccl, device: device.clone(), host })
    }

    /// The device's context, on rank 0 an id, and which GPU it is, in words.
    fn begin<'d>(host: &HostCommunicator, device: &'d Device) -> Result<Begin<'d>, Error> {
        let wrong = || ErrorKind::NeedsGpu { device: device.name() };
        let context = device.cuda_device().ok_or_else(wrong)?.context();
        crate::cuda::nccl_version()?;
        let id = match host.rank() {
            0 => words_of(NcclId::new()?.to_bytes()),
            _ => [0; ID_WORDS],
        };
        // Processes and machines number their GPUs each from 0.
        Ok((context, id, gpu_words(context.uuid()?)))
    }

    /// Where the words of transfers are, if all are on the rank's GPU.
    fn spans(
        &self,
        plan: &Plan,
        transfers: &[Transfer<'_>],
    ) -> Result<(Vec<TransferSpans>, Vec<Words>), Error> {
        let ranks = (self.rank(), self.size());
        let (mut words, mut spans) = (Vec::new(), Vec::new());
        for transfer in transfers {
            let of_transfer = plan.words(ranks, transfer)?;
            let mut both = TransferSpans::default();
            for part in &of_transfer.sent {
                let address = transfer.from.address_of_words(&self.device, part.clone())?;
                both.sent.push(WordSpan { address, count: part.len() });
            }
            for part in &of_transfer.received {
                let address = transfer.into.address_of_words(&self.device, part.clone())?;
                both.received.push(WordSpan { address, count: part.len() });
            }
            words.push(of_transfer);
            spans.push(both);
        }
        Ok((spans, words))
    }
}

impl Drop for NcclCommunicator {
    fn drop(&mut self) {
        // Another rank may still be in the last call, and would lose what this one has in NCCL.
        self.host.wait_for_ends();
        if self.host.is_broken() {
            TURNS.abandon(self.host.group());
        }
        // Nobody else: each rank leaves by itself.
        let _turn = TURNS.take(std::ptr::from_ref(self).addr() as u64, 1);
        self.nccl.abort();
    }
}

/// Why a call of NCCL failed: that of the ranks, if they have lost one and the error is but an effect of
/// that. No call of any rank succeeds any more.
fn reason(host: &HostCommunicator, error: CudaError) -> Error {
    let may_be_effect = matches!(error, CudaError::NcclTimeout { .. } | CudaError::Nccl { .. });
    match host.check() {
        Err(cause) if may_be_effect => cause,
        _ => {
            host.give_up();
            error.into()
        }
    }
}

/// What a rank begins with.
type Begin<'d> = (&'d std::sync::Arc<crate::cuda::Context>, [u64; ID_WORDS], [u64; 2]);

fn gpu_words(uuid: [u8; 16]) -> [u64; 2] {
    let whole = u128::from_le_bytes(uuid);
    [whole as u64, (whole >> 64) as u64]
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

impl Communicator for NcclCommunicator {
    fn rank(&self) -> usize {
        self.host.rank()
    }

    fn size(&self) -> usize {
        self.host.size()
    }

    fn all_gather(&self, words: &[u64]) -> Result<Vec<u64>, Error> {
        self.host.all_gather(words)
    }

    fn exchange_beside(
        &self,
        plan: &Plan,
        transfers: Result<Vec<Transfer<'_>>, Error>,
        beside: &mut dyn FnMut(),
    ) -> Result<(), Error> {
        let own = transfers.and_then(|transfers| {
            let (spans, words) = self.spans(plan, &transfers)?;
            self.nccl.mark()?;
            Ok(((transfers, spans), words, Vec::new()))
        });
        beside();
        let begun = self.host.begin_exchange(plan.call(), own)?;
        let Begun { value: (_borrowed, spans), met, .. } = begun;
        if met.is_nothing {
            return Ok(());
        }
        let turn = TURNS.take(self.host.group(), self.host.ranks_here());
        let is_broken = || self.host.is_broken();
        let done = match &spans[..] {
            [of_one] if plan.is_gather() && is_even(plan.received()) => {
                let into = of_one.received.first().map_or(0, |span| span.address);
                // SAFETY: the spans are within buffers on the rank's GPU that `_borrowed` borrows, what
                // is received mutably, where the spans follow one another; so `beside` used none of them.
                // All ranks have begun, and have found that each sends as many words as the other expects.
                unsafe { self.nccl.all_gather((of_one.sent[self.rank()], into), is_broken) }
            }
            // SAFETY: as above.
            of_all => unsafe { self.nccl.exchange(of_all, is_broken) },
        };
        drop(turn);
        let done = done.map_err(|error| reason(&self.host, error));
        self.host.end_call();
        if done.is_err() {
            // Until all have aborted, NCCL of another rank may write to memory of this one.
            self.host.wait_for_ends();
        }
        done
    }
}

/// Whether all ranks have as many.
fn is_even(counts: &[usize]) -> bool {
    counts.windows(2).all(|pair| pair[0] == pair[1])
}

/// The rank that a thread or a process is, with NCCL if its device is a GPU and there are several ranks; else
/// through host memory. Collective.
///
/// # Errors
/// As [`NcclCommunicator::new`], if the device is a GPU.
pub fn communicator_on(
    host: HostCommunicator,
    device: &Device,
) -> Result<std::rc::Rc<dyn Communicator>, Error> {
    let all_gpus = host.all_gather(&[u64::from(device.is_cuda())])?;
    match host.size() > 1 && all_gpus.iter().all(|&is_gpu| is_gpu == 1) {
        true => Ok(std::rc::Rc::new(NcclCommunicator::new(host, device)?)),
        false => Ok(std::rc::Rc::new(host)),
    }
}

/// How long ranks wait for each other unless they are told otherwise.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(600);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_nccl_is_that_of_the_rank_unless_another_was_lost_before() {
        let timeout = || CudaError::NcclTimeout { call: "ncclRecv", seconds: 1.0 };
        let own = CudaError::Nccl { call: "ncclSend", code: 1, text: "unhandled".to_owned() };
        let ranks = HostCommunicator::of_threads(3, Duration::from_secs(9)).expect("3 ranks");
        let first = reason(&ranks[1], own);
        assert!(matches!(first.kind(), ErrorKind::Cuda(CudaError::Nccl { .. })), "{first}");
        assert!(ranks[0].is_broken(), "nobody waits for rank 1");
        let second = reason(&ranks[0], timeout());
        assert!(matches!(second.kind(), ErrorKind::RankLost { rank: 1 }), "{second}");
        let fault = reason(&ranks[2], CudaError::OutOfMemory { bytes: 7, free: 1, total: 9 });
        assert!(fault.is_out_of_memory(), "{fault}");
    }

    #[test]
    fn an_id_is_the_same_in_words() {
        let bytes: [u8; NcclId::BYTES] = std::array::from_fn(|at| (3 * at) as u8);
        assert_eq!(bytes_of(&words_of(bytes)), bytes);
    }
}
