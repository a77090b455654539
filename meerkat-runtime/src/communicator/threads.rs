//! Ranks that are threads of this process, over any devices: what they exchange goes through host
//! memory.

use super::meeting::{Brought, Meeting};
use super::plan::{Counts, Words};
use super::{Communicator, Plan, Transfer};
use crate::cuda::CudaError;
use crate::{Error, ErrorKind};
use std::any::Any;
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

/// The most ranks: each gets a word of every other in each exchange.
const MOST_RANKS: usize = 1 << 10;

/// A rank that is a thread of this process. Dropped, it is lost: the others get an error if they
/// wait for it. It moves to its thread, and is not shared with others:
///
/// ```compile_fail
/// fn shared_by_threads<T: Sync>() {}
/// shared_by_threads::<meerkat_runtime::communicator::ThreadCommunicator>();
/// ```
#[derive(Debug)]
pub struct ThreadCommunicator {
    rank: usize,
    size: usize,
    meeting: Arc<Meeting>,
    /// Two threads would come to one round as one rank.
    of_one_thread: PhantomData<Cell<()>>,
}

impl ThreadCommunicator {
    /// One for each of `size` ranks, to be moved to their threads. Who waits longer than `timeout`
    /// for the others gets an error.
    ///
    /// # Errors
    /// No ranks, or more than 1,024.
    pub fn of_ranks(size: usize, timeout: Duration) -> Result<Vec<Self>, Error> {
        if size == 0 || size > MOST_RANKS {
            return Err(ErrorKind::RankCount { ranks: size, most: MOST_RANKS }.into());
        }
        let meeting = Arc::new(Meeting::new(size, timeout));
        let of = |rank| ThreadCommunicator {
            rank,
            size,
            meeting: Arc::clone(&meeting),
            of_one_thread: PhantomData,
        };
        Ok((0..size).map(of).collect())
    }

    /// What its ranks have in common, and no others.
    pub(super) fn group(&self) -> u64 {
        Arc::as_ptr(&self.meeting).addr() as u64
    }

    /// How long it waits for others.
    pub(super) fn timeout(&self) -> Duration {
        self.meeting.timeout()
    }

    /// Whether no call succeeds any more.
    pub(super) fn is_broken(&self) -> bool {
        self.meeting.is_broken()
    }

    /// Why no call succeeds any more, if so.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.meeting.check()
    }

    /// No call of any rank is to succeed any more.
    pub(super) fn give_up(&self) {
        self.meeting.give_up(self.rank);
    }

    /// This rank is out of a call outside of this one, which all have begun.
    pub(super) fn end_call(&self) {
        self.meeting.end_call(self.rank);
    }

    /// Waits, within the timeout, until all are out of the calls that this rank is out of.
    pub(super) fn wait_for_ends(&self) {
        self.meeting.wait_for_ends(self.rank);
    }

    /// All ranks begin an exchange in which each sends what the others expect, or none does.
    pub(super) fn begin_exchange<T>(
        &self,
        call: &'static str,
        own: Result<Own<T>, Error>,
    ) -> Result<Begun<T>, Error> {
        let (own, brought) = match own {
            Ok((value, words, parts)) => {
                let brought = Brought { call, parts, counts: Counts::of(&words), refusal: None };
                (Ok((value, words)), brought)
            }
            Err(error) => {
                let refusal = Some(error.to_string());
                (Err(error), Brought { call, refusal, ..Brought::default() })
            }
        };
        let all = match self.meeting.meet(self.rank, brought) {
            Ok(all) => all,
            // What went wrong here comes first.
            Err(error) => return Err(own.err().unwrap_or(error)),
        };
        let (value, words) = own?;
        let refused = |(rank, brought): (usize, &Brought)| Some((rank, brought.refusal.clone()?));
        if let Some((rank, reason)) = all.iter().enumerate().find_map(refused) {
            return Err(ErrorKind::RefusedByRank { rank, reason }.into());
        }
        Ok(Begun { value, words, all })
    }

    /// What this rank has for each, or for all where those get the same: of all transfers.
    fn parts(
        plan: &Plan,
        transfers: &[Transfer<'_>],
        words: &[Words],
    ) -> Result<Vec<Vec<u32>>, Error> {
        let ranks = if plan.is_gather() { 1 } else { plan.sent().len() };
        let mut parts = vec![Vec::new(); ranks];
        for (transfer, words) in transfers.iter().zip(words) {
            let sent = words.sent.get(..ranks).unwrap_or_default();
            let first = sent.first().map_or(0, |range| range.start);
            let end = sent.last().map_or(0, |range| range.end);
            let read = transfer.from.read_words(first..end)?;
            for (part, range) in parts.iter_mut().zip(sent) {
                part.extend_from_slice(&read[range.start - first..range.end - first]);
            }
        }
        Ok(parts)
    }
}

/// What a rank begins an exchange with: what it keeps for it, its words, and what it brings to each rank or
/// to all.
pub(super) type Own<T> = (T, Vec<Words>, Vec<Vec<u32>>);

/// An exchange that all ranks have begun.
pub(super) struct Begun<T> {
    pub(super) value: T,
    /// Of each transfer.
    pub(super) words: Vec<Words>,
    pub(super) all: Arc<Vec<Brought>>,
}

impl Drop for ThreadCommunicator {
    fn drop(&mut self) {
        self.meeting.leave(self.rank);
    }
}

impl Communicator for ThreadCommunicator {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn all_gather(&self, words: &[u64]) -> Result<Vec<u64>, Error> {
        let halves = words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
        let own = Brought { call: "all_gather", parts: vec![halves], ..Brought::default() };
        let brought = self.meeting.meet(self.rank, own)?;
        let expected = 2 * words.len();
        if let Some(from) = brought.iter().position(|other| other.part(0).len() != expected) {
            let what =
                format!("rank {from} gathers another number of words than rank {}", self.rank);
            return Err(self.meeting.out_of_step(what));
        }
        let whole = |halves: &[u32]| u64::from(halves[1]) << 32 | u64::from(halves[0]);
        Ok(brought.iter().flat_map(|other| other.part(0).chunks_exact(2).map(whole)).collect())
    }

    fn exchange_beside(
        &self,
        plan: &Plan,
        transfers: Result<Vec<Transfer<'_>>, Error>,
        beside: &mut dyn FnMut(),
    ) -> Result<(), Error> {
        let own = transfers.and_then(|transfers| {
            let words = |transfer| plan.words((self.rank, self.size), transfer);
            let words = transfers.iter().map(words).collect::<Result<Vec<_>, _>>()?;
            let parts = Self::parts(plan, &transfers, &words)?;
            Ok((transfers, words, parts))
        });
        let Begun { value: mut transfers, words, all } = self.begin_exchange(plan.call(), own)?;
        beside();
        for (from, brought) in all.iter().enumerate() {
            let mut rest = brought.part(self.rank);
            for (transfer, words) in transfers.iter_mut().zip(&words) {
                let place = &words.received[from];
                // As many as all have agreed on.
                let (own, others) = rest.split_at(place.len().min(rest.len()));
                if !own.is_empty() {
                    transfer.into.write_words(place.start, own)?;
                }
                rest = others;
            }
        }
        Ok(())
    }
}

/// Runs `run` on a thread for each of `size` ranks, and waits for all of them: what each returned. A
/// rank that panics is an error, of that rank [`ErrorKind::RankPanicked`].
///
/// ```
/// use meerkat_runtime::communicator::{Communicator, Reduction, first_cause, run_ranks};
/// use std::time::Duration;
///
/// let ranks = run_ranks(4, Duration::from_secs(60), |communicator| {
///     let mut words = [communicator.rank() as u64];
///     communicator.all_reduce(&mut words, Reduction::Sum)?;
///     Ok(words[0])
/// });
/// assert_eq!(first_cause(ranks)?, [6, 6, 6, 6]);
/// # Ok::<(), meerkat_runtime::Error>(())
/// ```
pub fn run_ranks<T: Send>(
    size: usize,
    timeout: Duration,
    run: impl Fn(ThreadCommunicator) -> Result<T, Error> + Sync,
) -> Vec<Result<T, Error>> {
    let communicators = match ThreadCommunicator::of_ranks(size, timeout) {
        Ok(communicators) => communicators,
        Err(error) => return vec![Err(error)],
    };
    let run = &run;
    std::thread::scope(|scope| {
        let start = |own: ThreadCommunicator| {
            // Where it does not start, the communicator is dropped, and nobody waits for the rank.
            let thread = std::thread::Builder::new().name(format!("rank {}", own.rank));
            thread.spawn_scoped(scope, move || run(own))
        };
        let threads: Vec<_> = communicators.into_iter().map(start).collect();
        let joined = threads.into_iter().enumerate().map(|(rank, thread)| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|payload| Err(panicked(rank, &*payload))),
            Err(error) => Err(ErrorKind::RankNotStarted { rank, reason: error.to_string() }.into()),
        });
        joined.collect()
    })
}

fn panicked(rank: usize, payload: &(dyn Any + Send)) -> Error {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    let message = text.unwrap_or_else(|| "no message".to_owned());
    ErrorKind::RankPanicked { rank, message }.into()
}

/// What all ranks returned, or the error that explains those of the others: an error of a rank's own or
/// a panic; else ranks that were out of step; else a timeout. A rank that was lost, or refused by
/// another, is no cause.
///
/// # Errors
/// That of a rank.
pub fn first_cause<T>(ranks: Vec<Result<T, Error>>) -> Result<Vec<T>, Error> {
    let (mut values, mut cause) = (Vec::with_capacity(ranks.len()), None::<Error>);
    for rank in ranks {
        match (rank, &cause) {
            (Ok(value), _) => values.push(value),
            (Err(error), None) => cause = Some(error),
            (Err(error), Some(before)) if remoteness(&error) < remoteness(before) => {
                cause = Some(error);
            }
            (Err(_), Some(_)) => {}
        }
    }
    cause.map_or(Ok(values), Err)
}

/// How far an error is from what went wrong first: 0 for that itself.
fn remoteness(error: &Error) -> u32 {
    match error.kind() {
        ErrorKind::RankLost { .. } | ErrorKind::RefusedByRank { .. } => 3,
        ErrorKind::RankTimeout { .. } | ErrorKind::Cuda(CudaError::NcclTimeout { .. }) => 2,
        ErrorKind::RanksOutOfStep { .. } => 1,
        _ => 0,
    }
}
