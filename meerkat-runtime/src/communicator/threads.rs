//! Ranks that are threads of this process, over any devices: what they exchange goes through host
//! memory.

use super::meeting::{Brought, Meeting};
use super::{Communicator, Received, Sent, ranges};
use crate::{Error, ErrorKind};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

/// The most ranks: each gets a word of every other in each exchange.
const MOST_RANKS: usize = 1 << 10;

/// A rank that is a thread of this process. Dropped, it is lost: the others get an error if they
/// wait for it.
#[derive(Debug)]
pub struct ThreadCommunicator {
    rank: usize,
    size: usize,
    meeting: Arc<Meeting>,
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
        let of = |rank| ThreadCommunicator { rank, size, meeting: Arc::clone(&meeting) };
        Ok((0..size).map(of).collect())
    }

    /// How long it waits for others.
    pub(super) fn timeout(&self) -> Duration {
        self.meeting.timeout()
    }

    /// Whether no call succeeds any more.
    pub(super) fn is_broken(&self) -> bool {
        self.check().is_err()
    }

    /// Why no call succeeds any more, if so.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.meeting.check()
    }

    /// No call of any rank is to succeed any more.
    pub(super) fn give_up(&self) {
        self.meeting.leave(self.rank);
    }

    fn meet(&self, call: &'static str, parts: Vec<Vec<u32>>) -> Result<Arc<Vec<Brought>>, Error> {
        self.meeting.meet(self.rank, Brought { call, parts })
    }

    /// Writes what each rank has for this one, of the lengths that are expected.
    fn receive(
        &self,
        call: &str,
        brought: &[Brought],
        Received { buffer, start }: Received<'_>,
        counts: &[usize],
    ) -> Result<(), Error> {
        for (from, (words, place)) in brought.iter().zip(ranges(counts, start)).enumerate() {
            let words = words.part(self.rank);
            if words.len() != place.len() {
                let (rank, found, expected) = (self.rank, words.len(), place.len());
                let what = format!(
                    "in `{call}` rank {from} has {found} words for rank {rank}, which expects {expected}"
                );
                return Err(ErrorKind::RanksOutOfStep { what }.into());
            }
            if !words.is_empty() {
                buffer.write_words(place.start, words)?;
            }
        }
        Ok(())
    }
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
        let brought = self.meet("all_gather", vec![halves])?;
        let expected = 2 * words.len();
        if let Some(from) = brought.iter().position(|other| other.part(0).len() != expected) {
            let what =
                format!("rank {from} gathers another number of words than rank {}", self.rank);
            return Err(ErrorKind::RanksOutOfStep { what }.into());
        }
        let whole = |halves: &[u32]| u64::from(halves[1]) << 32 | u64::from(halves[0]);
        Ok(brought.iter().flat_map(|other| other.part(0).chunks_exact(2).map(whole)).collect())
    }

    fn exchange(
        &self,
        from: Sent<'_>,
        sent: &[usize],
        into: Received<'_>,
        received: &[usize],
    ) -> Result<(), Error> {
        let end = from.start + sent.iter().sum::<usize>();
        let words = from.buffer.read_words(from.start..end)?;
        let parts = ranges(sent, 0).map(|part| words[part].to_vec()).collect();
        let brought = self.meet("exchange", parts)?;
        self.receive("exchange", &brought, into, received)
    }

    fn gather(&self, from: Sent<'_>, counts: &[usize], into: Received<'_>) -> Result<(), Error> {
        let own = counts.get(self.rank).copied().unwrap_or(0);
        let words = from.buffer.read_words(from.start..from.start + own)?;
        let brought = self.meet("gather", vec![words])?;
        self.receive("gather", &brought, into, counts)
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
        let start = |own| scope.spawn(move || run(own));
        let threads: Vec<_> = communicators.into_iter().map(start).collect();
        let joined = threads.into_iter().enumerate().map(|(rank, thread)| {
            thread.join().unwrap_or_else(|payload| Err(panicked(rank, &*payload)))
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

/// What all ranks returned, or the error that explains those of the others: a rank that was lost, or
/// refused by another, is no cause.
///
/// # Errors
/// That of a rank.
pub fn first_cause<T>(ranks: Vec<Result<T, Error>>) -> Result<Vec<T>, Error> {
    let is_effect = |error: &Error| {
        let kind = error.kind();
        matches!(kind, ErrorKind::RankLost { .. } | ErrorKind::RefusedByRank { .. })
    };
    let (mut values, mut cause) = (Vec::with_capacity(ranks.len()), None::<Error>);
    for rank in ranks {
        match (rank, &cause) {
            (Ok(value), _) => values.push(value),
            (Err(error), None) => cause = Some(error),
            (Err(error), Some(before)) if is_effect(before) && !is_effect(&error) => {
                cause = Some(error);
            }
            (Err(_), Some(_)) => {}
        }
    }
    cause.map_or(Ok(values), Err)
}
