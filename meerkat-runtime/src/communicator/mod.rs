//! Ranks that work on one problem, each with a device of its own, and how they exchange words.
//!
//! ```text
//! run_ranks(size)  --a thread for each rank---> Communicator: what that rank sees of all
//! Rendezvous::join --this process is a rank--/
//!   host words:   all_gather, all_to_all, all_reduce, barrier      (counts, sums, votes)
//!   device words: Plan --exchange: an all-to-all or an all-gather  (edges, ids, shares)
//! ```
//!
//! All ranks make the same calls in the same order; each call waits for all of them. A rank that
//! ends early, panics or does not come in time makes the calls of the others fail, and from then on
//! every call fails: the ranks have to be started again. A rank that only cannot do its part says
//! so in [`agree`], which leaves all of them able to go on.
//!
//! | file | what |
//! | --- | --- |
//! | `plan.rs` | who sends whom how much, and whether all ranks say the same |
//! | `buffers.rs` | device memory as words, and what is exchanged of it |
//! | `round.rs` | what a rank brings to a call of all, and what it takes from there |
//! | `place.rs` | what a rank asks of the place where ranks meet |
//! | `meeting.rs` | where threads meet, and those that come through connections |
//! | `tcp/` | where processes meet: rank 0 has the meeting, the others a connection to it |
//! | `host.rs` | ranks over any devices, through host memory |
//! | `threads.rs` | a thread for each rank |
//! | `rendezvous.rs` | a process for each rank: which one it is, and where it finds the others |
//! | `point.rs` | addresses and files where they find each other |
//! | `environment.rs` | the same from what started the processes |
//! | `nccl.rs` | ranks with a GPU each, which exchange through NCCL |
//! | `turns.rs` | communicators of a process, of which one at a time uses NCCL |
//! | `votes.rs` | all ranks go on, or none |

mod buffers;
mod environment;
mod host;
mod meeting;
mod nccl;
mod place;
mod plan;
mod point;
mod rendezvous;
mod round;
mod tcp;
mod threads;
mod turns;
mod votes;

pub use buffers::{Transfer, exchange_into, exchange_items};
pub use host::HostCommunicator;
pub use nccl::{DEFAULT_TIMEOUT, NcclCommunicator, communicator_on};
pub use plan::Plan;
pub use point::MeetingPoint;
pub use rendezvous::Rendezvous;
pub use threads::{first_cause, run_ranks};
pub use votes::agree;
pub(crate) use votes::agree_on;

use crate::Error;
use std::fmt::Debug;

/// How [`Communicator::all_reduce`] joins the words of the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Their sum, which wraps.
    Sum,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// Each bit that any has.
    Or,
}

impl Reduction {
    /// Joins two words.
    pub fn join(self, a: u64, b: u64) -> u64 {
        match self {
            Reduction::Sum => a.wrapping_add(b),
            Reduction::Min => a.min(b),
            Reduction::Max => a.max(b),
            Reduction::Or => a | b,
        }
    }
}

/// What one rank sees of all. Its calls are *collective*: each waits until all ranks have made it,
/// which all do in the same order. Implementations do not let a caller wait longer than their
/// timeout for the others.
///
/// # Errors
/// Of every call: [`ErrorKind::RankLost`](crate::ErrorKind::RankLost),
/// [`ErrorKind::RankTimeout`](crate::ErrorKind::RankTimeout),
/// [`ErrorKind::RanksOutOfStep`](crate::ErrorKind::RanksOutOfStep); the device fails. From then on
/// every call fails.
pub trait Communicator: Debug {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn size(&self) -> usize;

    /// The host words of all ranks: those of rank 0, then those of rank 1, and so on. All pass as
    /// many.
    fn all_gather(&self, words: &[u64]) -> Result<Vec<u64>, Error>;

    /// Gives each rank its word, the first to rank 0; returns what each had for this one.
    fn all_to_all(&self, words: &[u64]) -> Result<Vec<u64>, Error> {
        let (rank, size) = (self.rank(), self.size());
        let all = self.all_gather(words)?;
        // After the gather: so no rank waits, and all come to the same.
        if words.len() != size {
            return Err(plan::not_one_for_each(words.len(), size));
        }
        Ok(all.into_iter().skip(rank).step_by(size).collect())
    }

    /// Joins the words of all ranks, place by place; all get the result. All pass as many.
    fn all_reduce(&self, words: &mut [u64], reduction: Reduction) -> Result<(), Error> {
        let all = self.all_gather(words)?;
        for (at, word) in words.iter_mut().enumerate() {
            let of_ranks = all.iter().skip(at).step_by(all.len() / self.size());
            *word = of_ranks.copied().reduce(|a, b| reduction.join(a, b)).unwrap_or(*word);
        }
        Ok(())
    }

    /// Waits for all ranks.
    fn barrier(&self) -> Result<(), Error> {
        self.all_gather(&[]).map(drop)
    }

    /// Exchanges device words: of each transfer each rank gets what the others send it by their plans,
    /// those of rank 0 first. All pass plans that were made together and as many transfers, in the same
    /// order, of items of the same size. Or the error that keeps this rank from taking part: then no rank
    /// exchanges anything, the others get [`ErrorKind::RefusedByRank`](crate::ErrorKind::RefusedByRank),
    /// and all can go on. On CUDA it may be queued.
    fn exchange(
        &self,
        plan: &Plan,
        transfers: Result<Vec<Transfer<'_>>, Error>,
    ) -> Result<(), Error> {
        self.exchange_beside(plan, transfers, &mut || {})
    }

    /// [`exchange`](Self::exchange), during which the device does what `beside` queues: it is called before this
    /// rank meets the others, whatever comes of that, and what had been queued before comes before the exchange.
    /// It makes no call of a communicator. What it writes to atomics that are being sent is sent, or not.
    fn exchange_beside(
        &self,
        plan: &Plan,
        transfers: Result<Vec<Transfer<'_>>, Error>,
        beside: &mut dyn FnMut(),
    ) -> Result<(), Error>;
}

#[cfg(test)]
mod tests;
