//! A round: what each rank brings to a call of all ranks, what it takes from there, and what ends all
//! rounds.

use super::plan::{Call, Counts};
use crate::{Error, ErrorKind};
use std::sync::Arc;

/// What a rank brings: which call it makes, and words: for each rank its own, or the same for all.
#[derive(Clone, Debug, Default)]
pub(super) struct Brought {
    pub(super) call: Call,
    pub(super) parts: Vec<Vec<u32>>,
    /// Of an exchange: how many words it sends, and expects.
    pub(super) counts: Counts,
    /// Why it cannot take part, so that nobody is to.
    pub(super) refusal: Option<String>,
}

impl Brought {
    /// What there is for a rank.
    pub(super) fn part(&self, rank: usize) -> &[u32] {
        let own = if self.parts.len() == 1 { self.parts.first() } else { self.parts.get(rank) };
        own.map_or(&[], Vec::as_slice)
    }
}

/// What a rank takes from a round that all have come to.
#[derive(Clone, Debug)]
pub(super) struct Met {
    /// What each rank brought. Of a rank in another process only what is for this one.
    pub(super) all: Arc<Vec<Brought>>,
    /// Whether no rank sends any word in an exchange.
    pub(super) is_nothing: bool,
}

impl Met {
    /// Of what all ranks have brought; and what is wrong if they make different calls, or exchange what
    /// does not fit. Who comes last finds out for all, so that none begins what another does not.
    pub(super) fn of(brought: Vec<Brought>) -> (Met, Option<Broken>) {
        let first = brought.first().map_or(Call::default(), |brought| brought.call);
        let wrong = match brought.iter().position(|brought| brought.call != first) {
            Some(rank) => {
                let (first, call) = (first.name(), brought[rank].call.name());
                Some(format!("rank 0 calls `{first}` and rank {rank} `{call}`"))
            }
            None if brought.iter().any(|brought| brought.refusal.is_some()) => None,
            None => {
                let counts: Vec<&Counts> = brought.iter().map(|brought| &brought.counts).collect();
                Counts::mismatch(first.name(), &counts)
            }
        };
        let is_nothing = brought.iter().all(|brought| brought.counts.is_nothing());
        (Met { all: Arc::new(brought), is_nothing }, wrong.map(Broken::OutOfStep))
    }
}

/// Why no call succeeds any more.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Broken {
    Lost(usize),
    /// After how many seconds, and who did not come, in words.
    Timeout(f64, String),
    OutOfStep(String),
}

impl From<Broken> for Error {
    fn from(broken: Broken) -> Error {
        match broken {
            Broken::Lost(rank) => ErrorKind::RankLost { rank }.into(),
            Broken::Timeout(seconds, missing) => ErrorKind::RankTimeout { seconds, missing }.into(),
            Broken::OutOfStep(what) => ErrorKind::RanksOutOfStep { what }.into(),
        }
    }
}
