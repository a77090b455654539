//! Where the threads of a process meet: each call of all ranks is a round, in which every rank
//! leaves what it brings and takes what the others brought.

use crate::{Error, ErrorKind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a rank brings: which call it makes, and words: for each rank its own, or the same for all.
#[derive(Clone, Debug)]
pub(super) struct Brought {
    pub(super) call: &'static str,
    pub(super) parts: Vec<Vec<u32>>,
}

impl Brought {
    /// What there is for a rank.
    pub(super) fn part(&self, rank: usize) -> &[u32] {
        let own = if self.parts.len() == 1 { self.parts.first() } else { self.parts.get(rank) };
        own.map_or(&[], Vec::as_slice)
    }
}

/// Why no call succeeds any more.
#[derive(Clone, Debug)]
enum Broken {
    Lost(usize),
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

#[derive(Debug, Default)]
struct State {
    /// The number of the round that ranks come to now.
    round: u64,
    brought: Vec<Option<Brought>>,
    /// What was brought to the round before, until all have taken it.
    complete: Arc<Vec<Brought>>,
    taken: usize,
    broken: Option<Broken>,
}

/// Where ranks meet.
#[derive(Debug)]
pub(super) struct Meeting {
    timeout: Duration,
    state: Mutex<State>,
    changed: Condvar,
}

impl Meeting {
    pub(super) fn new(ranks: usize, timeout: Duration) -> Self {
        let state = State { brought: vec![None; ranks], ..State::default() };
        Meeting { timeout, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No panic leaves the state half-way: nothing in here calls what others wrote.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Why no call succeeds any more, if so.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.lock().check()
    }

    /// Leaves what a rank brings and waits for the others; what all brought.
    pub(super) fn meet(&self, rank: usize, own: Brought) -> Result<Arc<Vec<Brought>>, Error> {
        let mut state = self.lock();
        state.check()?;
        let round = state.round;
        state.brought[rank] = Some(own);
        if state.brought.iter().all(Option::is_some) {
            state.finish_round();
            self.changed.notify_all();
        }
        let deadline = Instant::now() + self.timeout;
        while state.round == round {
            state.check()?;
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                state.broken = Some(Broken::Timeout(self.timeout.as_secs_f64(), state.missing()));
                self.changed.notify_all();
                continue;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.take()
    }

    /// A rank will not come any more.
    pub(super) fn leave(&self, rank: usize) {
        let mut state = self.lock();
        state.broken.get_or_insert(Broken::Lost(rank));
        self.changed.notify_all();
    }
}

impl State {
    fn check(&self) -> Result<(), Error> {
        self.broken.clone().map_or(Ok(()), |broken| Err(broken.into()))
    }

    /// All are here.
    fn finish_round(&mut self) {
        let brought: Vec<_> = self.brought.iter_mut().filter_map(Option::take).collect();
        let first = brought.first().map_or("", |brought| brought.call);
        if let Some(rank) = brought.iter().position(|brought| brought.call != first) {
            let what = format!("rank 0 calls `{first}` and rank {rank} `{}`", brought[rank].call);
            self.broken = Some(Broken::OutOfStep(what));
        }
        (self.complete, self.taken) = (Arc::new(brought), 0);
        self.round += 1;
    }

    /// What was brought to the round that has just ended. It is not ended again before all have
    /// taken that.
    fn take(&mut self) -> Result<Arc<Vec<Brought>>, Error> {
        if let Some(broken @ Broken::OutOfStep(_)) = &self.broken {
            return Err(broken.clone().into());
        }
        self.taken += 1;
        let complete = Arc::clone(&self.complete);
        if self.taken == self.brought.len() {
            self.complete = Arc::default();
        }
        Ok(complete)
    }

    /// Who has not come yet, in words.
    fn missing(&self) -> String {
        let away = self.brought.iter().enumerate().filter(|(_, brought)| brought.is_none());
        let names: Vec<_> = away.map(|(rank, _)| format!("rank {rank}")).collect();
        names.join(", ")
    }
}
