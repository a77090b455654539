//! Who sends whom how many items, and whether all ranks say the same of an exchange.

use super::votes::agree_on;
use super::{Communicator, Transfer};
use crate::{Error, ErrorKind};
use std::ops::Range;

/// How many items each rank sends to each other in an [exchange](Communicator::exchange), as one rank
/// sees it: what it receives is what the others have said that they send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    kind: Kind,
    rank: usize,
    sent: Vec<usize>,
    received: Vec<usize>,
    /// How many items all ranks have.
    total: u64,
}

/// What ranks call, which they compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Call {
    #[default]
    AllGather,
    Exchange,
    Gather,
}

impl Call {
    pub(super) const ALL: [Call; 3] = [Call::AllGather, Call::Exchange, Call::Gather];

    pub(super) fn name(self) -> &'static str {
        match self {
            Call::AllGather => "all_gather",
            Call::Exchange => "exchange",
            Call::Gather => "gather",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Each rank has items for each.
    Exchange,
    /// Each rank has the same items for all.
    Gather,
}

impl Plan {
    /// Of an all-to-all: how many items this rank has for each rank, with what it needs for the exchange;
    /// or the error that keeps it from sending any, which is then one of all ranks. Collective.
    ///
    /// Cost: a gather of a few host words.
    ///
    /// # Errors
    /// That of any rank; not a number for each rank; as [`Communicator`].
    pub fn exchange<T>(
        communicator: &dyn Communicator,
        own: Result<(T, Vec<usize>), Error>,
    ) -> Result<(T, Plan), Error> {
        let size = communicator.size();
        let own = own.and_then(|(value, sent)| match sent.len() == size {
            true => Ok((value, sent)),
            false => Err(not_one_for_each(sent.len(), size)),
        });
        let words = |(_, sent): &(T, Vec<usize>)| sent.iter().map(|&count| count as u64).collect();
        let ((value, _), all) = agree_on(communicator, own, size, words)?;
        let rows: Vec<&[u64]> = all.chunks(size).collect();
        Ok((value, Plan::of_rows(communicator.rank(), &rows)?))
    }

    /// Of an all-gather: how many items this rank has, for all; or the error that keeps it from sending
    /// any, which is then one of all ranks. Collective.
    ///
    /// Cost: a gather of two host words.
    ///
    /// # Errors
    /// That of any rank; as [`Communicator`].
    pub fn gather<T>(
        communicator: &dyn Communicator,
        own: Result<(T, usize), Error>,
    ) -> Result<(T, Plan), Error> {
        let words = |&(_, count): &(T, usize)| vec![count as u64];
        let ((value, _), all) = agree_on(communicator, own, 1, words)?;
        let counts = checked(&all)?;
        Ok((value, Plan::gather_of(communicator.rank(), counts)))
    }

    /// Of an all-gather for which `rank` knows already how many items each rank has. Not collective.
    pub fn gather_of(rank: usize, counts: Vec<usize>) -> Plan {
        let own = counts.get(rank).copied().unwrap_or(0);
        let total = counts.iter().fold(0, |sum: u64, &count| sum.saturating_add(count as u64));
        Plan { kind: Kind::Gather, rank, sent: vec![own; counts.len()], received: counts, total }
    }

    /// Of an all-to-all in which rank `a` has `rows[a][b]` items for rank `b`.
    ///
    /// # Errors
    /// More items than memory can have, on all ranks alike.
    pub(crate) fn of_rows(rank: usize, rows: &[&[u64]]) -> Result<Plan, Error> {
        let total = checked(&rows.concat())?.into_iter().sum::<usize>() as u64;
        let count = |a: usize, b: usize| {
            rows.get(a).and_then(|row| row.get(b)).map_or(0, |&count| count as usize)
        };
        let sent = (0..rows.len()).map(|to| count(rank, to)).collect();
        let received = (0..rows.len()).map(|from| count(from, rank)).collect();
        Ok(Plan { kind: Kind::Exchange, rank, sent, received, total })
    }

    /// How many items this rank sends to each.
    pub fn sent(&self) -> &[usize] {
        &self.sent
    }

    /// How many items this rank gets of each.
    pub fn received(&self) -> &[usize] {
        &self.received
    }

    /// How many items this rank gets in all.
    pub fn received_in_all(&self) -> usize {
        self.received.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// How many items all ranks have together, the same on each.
    pub fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn is_gather(&self) -> bool {
        self.kind == Kind::Gather
    }

    /// The call that it is for.
    pub(super) fn call(&self) -> Call {
        match self.kind {
            Kind::Exchange => Call::Exchange,
            Kind::Gather => Call::Gather,
        }
    }

    /// The words of a transfer of a rank, if they are within its buffers.
    pub(super) fn words(
        &self,
        (rank, size): (usize, usize),
        transfer: &Transfer<'_>,
    ) -> Result<Words, Error> {
        if self.sent.len() != size {
            return Err(not_one_for_each(self.sent.len(), size));
        }
        if rank != self.rank {
            let what = format!("rank {rank} exchanges by a plan of rank {}", self.rank);
            return Err(ErrorKind::RanksOutOfStep { what }.into());
        }
        let Transfer { from, first, into, width } = transfer;
        let start = first.checked_mul(*width);
        let sent = start.and_then(|start| match self.kind {
            Kind::Exchange => ranges(&self.sent, *width, start),
            Kind::Gather => {
                let own = ranges(self.sent.get(..1)?, *width, start)?;
                Some(own.iter().cloned().cycle().take(self.sent.len()).collect())
            }
        });
        let words = sent.zip(ranges(&self.received, *width, 0));
        let (sent, received) = words.ok_or(ErrorKind::OutOfMemory { bytes: u64::MAX })?;
        check_end(&sent, from.word_count())?;
        check_end(&received, into.word_count())?;
        Ok(Words { sent, received })
    }
}

/// The words of one transfer, in the buffer that is sent and in the one that is written: for and of each
/// rank.
#[derive(Clone, Debug)]
pub(super) struct Words {
    pub(super) sent: Vec<Range<usize>>,
    pub(super) received: Vec<Range<usize>>,
}

/// Where the parts of these lengths lie, one after another, in words.
fn ranges(counts: &[usize], width: usize, start: usize) -> Option<Vec<Range<usize>>> {
    let mut at = start;
    let range = |&count: &usize| {
        let first = at;
        at = at.checked_add(count.checked_mul(width)?)?;
        Some(first..at)
    };
    counts.iter().map(range).collect()
}

fn check_end(parts: &[Range<usize>], length: usize) -> Result<(), Error> {
    match parts.iter().map(|part| part.end).max().unwrap_or(0) {
        end if end <= length => Ok(()),
        end => Err(ErrorKind::OutOfBounds { index: end - 1, length }.into()),
    }
}

/// Counts of items, if memory could have them all.
fn checked(counts: &[u64]) -> Result<Vec<usize>, Error> {
    let sum = counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
    let counts = counts.iter().map(|&count| usize::try_from(count).ok()).collect();
    let fits = sum.is_some_and(|sum| usize::try_from(sum).is_ok());
    let counts: Option<Vec<usize>> = if fits { counts } else { None };
    counts.ok_or_else(|| ErrorKind::OutOfMemory { bytes: u64::MAX }.into())
}

/// A list that should have an entry for each rank.
pub(super) fn not_one_for_each(found: usize, size: usize) -> Error {
    let what = format!("{found} numbers are not one for each of {size} ranks");
    ErrorKind::RanksOutOfStep { what }.into()
}

/// How many words a rank sends to each, and expects of each: of all transfers of an exchange, one
/// after another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) sent: Vec<usize>,
    pub(super) received: Vec<usize>,
}

impl Counts {
    pub(super) fn of(transfers: &[Words]) -> Self {
        let lengths = |parts: &[Range<usize>]| parts.iter().map(Range::len).collect::<Vec<_>>();
        Counts {
            sent: transfers.iter().flat_map(|words| lengths(&words.sent)).collect(),
            received: transfers.iter().flat_map(|words| lengths(&words.received)).collect(),
        }
    }

    /// Whether nothing is sent.
    pub(super) fn is_nothing(&self) -> bool {
        self.sent.iter().chain(&self.received).all(|&count| count == 0)
    }

    /// What is wrong, in words, unless every rank sends each what that expects.
    pub(super) fn mismatch(call: &str, of_ranks: &[&Counts]) -> Option<String> {
        let size = of_ranks.len();
        let length = of_ranks.first().map_or(0, |counts| counts.sent.len());
        let is_odd =
            |counts: &&Counts| counts.sent.len() != length || counts.received.len() != length;
        if let Some(rank) = of_ranks.iter().position(is_odd) {
            return Some(format!("in `{call}` rank {rank} exchanges other lists than rank 0"));
        }
        if length == 0 {
            return None;
        }
        if !length.is_multiple_of(size) {
            return Some(format!(
                "in `{call}` {length} numbers of words are not one for each rank"
            ));
        }
        let transfers = length / size;
        for (from, sender) in of_ranks.iter().enumerate() {
            for (to, receiver) in of_ranks.iter().enumerate() {
                for at in (0..transfers).map(|transfer| transfer * size) {
                    let (found, expected) = (sender.sent[at + to], receiver.received[at + from]);
                    if found != expected {
                        return Some(format!(
                            "in `{call}` rank {from} has {found} words for rank {to}, which expects {expected}"
                        ));
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(sent: &[usize], received: &[usize]) -> Counts {
        Counts { sent: sent.to_vec(), received: received.to_vec() }
    }

    #[test]
    fn counts_of_2_ranks_fit_only_if_each_sends_what_the_other_expects() {
        let (first, second) = (counts(&[1, 2], &[1, 3]), counts(&[3, 0], &[2, 0]));
        assert_eq!(Counts::mismatch("exchange", &[&first, &second]), None);
        for wrong in [counts(&[3, 0], &[1, 0]), counts(&[4, 0], &[2, 0]), counts(&[3, 1], &[2, 0])]
        {
            let what = Counts::mismatch("exchange", &[&first, &wrong]).expect("they differ");
            assert!(what.contains("which expects"), "{what}");
        }
    }

    #[test]
    fn lists_of_counts_that_are_longer_than_the_ranks_do_not_fit() {
        // The first two of each fit.
        let long = counts(&[1, 1, 9], &[1, 1, 9]);
        assert!(Counts::mismatch("exchange", &[&long, &long]).is_some());
        let (two, three) = (counts(&[1, 1], &[1, 1]), counts(&[1, 1, 9, 9], &[1, 1, 9, 9]));
        assert!(Counts::mismatch("exchange", &[&two, &three]).is_some());
    }

    #[test]
    fn sums_of_counts_that_overflow_are_refused() {
        assert!(checked(&[u64::MAX, 1]).is_err());
        assert!(Plan::of_rows(0, &[&[u64::MAX - 1, 1], &[1, 0]]).is_err());
        assert_eq!(ranges(&[usize::MAX / 2, usize::MAX / 2], 2, 0), None);
    }
}
