//! Ranks over any devices: what they exchange goes through host memory, and between processes
//! through connections.

use super::meeting::Meeting;
use super::place::MeetingPlace;
use super::plan::{Call, Counts, Words};
use super::round::{Brought, Met};
use super::{Communicator, Plan, Transfer};
use crate::{Error, ErrorKind};
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

/// The most ranks: each gets a word of every other in each exchange.
pub(super) const MOST_RANKS: usize = 1 << 10;

/// A rank that is a thread of this process ([`of_threads`](Self::of_threads)), or this process
/// ([`Rendezvous::join`](super::Rendezvous::join)). Dropped, it is lost: the others get an error if they
/// wait for it. It moves to its thread, and is not shared with others:
///
/// ```compile_fail
/// fn shared_by_threads<T: Sync>() {}
/// shared_by_threads::<meerkat_runtime::communicator::HostCommunicator>();
/// ```
#[derive(Debug)]
pub struct HostCommunicator {
    rank: usize,
    size: usize,
    place: Arc<dyn MeetingPlace>,
    /// Two threads would come to one round as one rank.
    of_one_thread: PhantomData<Cell<()>>,
}

impl HostCommunicator {
    /// One for each of `size` ranks, to be moved to their threads. Who waits longer than `timeout`
    /// for the others gets an error.
    ///
    /// # Errors
    /// No ranks, or more than 1,024.
    pub fn of_threads(size: usize, timeout: Duration) -> Result<Vec<Self>, Error> {
        check_size(size)?;
        let meeting = Arc::new(Meeting::new(size, timeout));
        Ok((0..size).map(|rank| Self::at((rank, size), Arc::clone(&meeting) as _)).collect())
    }

    /// The rank of `size` that meets the others there.
    pub(super) fn at((rank, size): (usize, usize), place: Arc<dyn MeetingPlace>) -> Self {
        HostCommunicator { rank, size, place, of_one_thread: PhantomData }
    }

    /// What the ranks of this process have in common, and no others.
    pub(super) fn group(&self) -> u64 {
        self.place.group()
    }

    /// How many of the ranks are in this process.
    pub(super) fn ranks_here(&self) -> usize {
        self.place.ranks_here()
    }

    /// How long it waits for others.
    pub(super) fn timeout(&self) -> Duration {
        self.place.timeout()
    }

    /// Whether no call succeeds any more.
    pub(super) fn is_broken(&self) -> bool {
        self.place.is_broken()
    }

    /// Why no call succeeds any more, if so.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.place.check()
    }

    /// No call of any rank is to succeed any more.
    pub(super) fn give_up(&self) {
        self.place.give_up(self.rank);
    }

    /// This rank is out of a call outside of this one, which all have begun.
    pub(super) fn end_call(&self) {
        self.place.end_call(self.rank);
    }

    /// Waits, within the timeout, until all are out of the calls that this rank is out of.
    pub(super) fn wait_for_ends(&self) {
        self.place.wait_for_ends(self.rank);
    }

    /// All ranks begin an exchange in which each sends what the others expect, or none does.
    pub(super) fn begin_exchange<T>(
        &self,
        call: Call,
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
        let met = match self.place.meet(self.rank, brought) {
            Ok(met) => met,
            // What went wrong here comes first.
            Err(error) => return Err(own.err().unwrap_or(error)),
        };
        let (value, words) = own?;
        let refused = |(rank, brought): (usize, &Brought)| Some((rank, brought.refusal.clone()?));
        if let Some((rank, reason)) = met.all.iter().enumerate().find_map(refused) {
            return Err(ErrorKind::RefusedByRank { rank, reason }.into());
        }
        Ok(Begun { value, words, met })
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

/// Whether there can be as many ranks.
pub(super) fn check_size(size: usize) -> Result<(), Error> {
    match size == 0 || size > MOST_RANKS {
        true => Err(ErrorKind::RankCount { ranks: size, most: MOST_RANKS }.into()),
        false => Ok(()),
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
    pub(super) met: Met,
}

impl Drop for HostCommunicator {
    fn drop(&mut self) {
        self.place.leave(self.rank);
    }
}

impl Communicator for HostCommunicator {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn all_gather(&self, words: &[u64]) -> Result<Vec<u64>, Error> {
        let halves = words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
        let own = Brought { call: Call::AllGather, parts: vec![halves], ..Brought::default() };
        let brought = self.place.meet(self.rank, own)?.all;
        let expected = 2 * words.len();
        if let Some(from) = brought.iter().position(|other| other.part(0).len() != expected) {
            let what =
                format!("rank {from} gathers another number of words than rank {}", self.rank);
            return Err(self.place.out_of_step(what));
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
        beside();
        let Begun { value: mut transfers, words, met } = self.begin_exchange(plan.call(), own)?;
        for (from, brought) in met.all.iter().enumerate() {
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
