//! Where the threads of a process meet: each call of all ranks is a round, in which every rank
//! leaves what it brings and takes what the others brought.

use super::plan::Counts;
use crate::{Error, ErrorKind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a rank brings: which call it makes, and words: for each rank its own, or the same for all.
#[derive(Clone, Debug, Default)]
pub(super) struct Brought {
    pub(super) call: &'static str,
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

/// How long a rank looks for the others before it sleeps: they mostly come within that, and who sleeps is
/// woken some 50 us later.
const LOOKS: Duration = Duration::from_micros(100);

/// Where ranks meet.
#[derive(Debug)]
pub(super) struct Meeting {
    timeout: Duration,
    /// Whether each rank has a core, so that looking keeps no other rank from coming.
    looks: bool,
    state: Mutex<State>,
    changed: Condvar,
    /// The number of the round that ranks come to, as `state` has it.
    round: AtomicU64,
    /// Whether `state` has a reason why no call succeeds any more.
    is_broken: AtomicBool,
    /// How many calls outside of it each rank has ended, whatever came of them: all for one that left.
    ended: Vec<AtomicU64>,
}

impl Meeting {
    pub(super) fn new(ranks: usize, timeout: Duration) -> Self {
        let state = State { brought: vec![None; ranks], ..State::default() };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Meeting {
            timeout,
            looks: ranks <= cores,
            state: Mutex::new(state),
            changed: Condvar::new(),
            round: AtomicU64::new(0),
            is_broken: AtomicBool::new(false),
            ended: (0..ranks).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No panic leaves the state half-way: nothing in here calls what others wrote.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Whether no call succeeds any more; cheap enough to be asked in a loop.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Acquire)
    }

    /// Why no call succeeds any more, if so.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.lock().check()
    }

    /// No call succeeds any more; the first reason stays.
    fn break_up(&self, state: &mut State, broken: Broken) {
        state.broken.get_or_insert(broken);
        self.is_broken.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    /// Leaves what a rank brings and waits for the others; what all brought.
    pub(super) fn meet(&self, rank: usize, own: Brought) -> Result<Arc<Vec<Brought>>, Error> {
        let mut state = self.lock();
        state.check()?;
        let round = state.round;
        state.brought[rank] = Some(own);
        if state.brought.iter().all(Option::is_some) {
            if let Some(broken) = state.finish_round() {
                self.break_up(&mut state, broken);
            }
            self.round.store(state.round, Ordering::Release);
            self.changed.notify_all();
        } else if self.looks {
            drop(state);
            self.look(round);
            state = self.lock();
        }
        let deadline = Instant::now() + self.timeout;
        while state.round == round {
            state.check()?;
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let timeout = Broken::Timeout(self.timeout.as_secs_f64(), state.missing());
                self.break_up(&mut state, timeout);
                continue;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.take()
    }

    /// Waits a short while for the end of a round, without sleeping.
    fn look(&self, round: u64) {
        let start = Instant::now();
        let is_on = || self.round.load(Ordering::Acquire) == round && !self.is_broken();
        while is_on() && start.elapsed() < LOOKS {
            std::hint::spin_loop();
        }
    }

    /// A rank will not come any more, for what went wrong in the call that it is in.
    pub(super) fn give_up(&self, rank: usize) {
        self.break_up(&mut self.lock(), Broken::Lost(rank));
    }

    /// Ranks are out of step, as all of them have found in one round.
    pub(super) fn out_of_step(&self, what: String) -> Error {
        let broken = Broken::OutOfStep(what);
        self.break_up(&mut self.lock(), broken.clone());
        broken.into()
    }

    /// A rank has ended, and is in no call any more.
    pub(super) fn leave(&self, rank: usize) {
        self.ended[rank].store(u64::MAX, Ordering::Release);
        self.give_up(rank);
    }

    /// A rank has ended a call outside of the meeting that all ranks have begun.
    pub(super) fn end_call(&self, rank: usize) {
        self.ended[rank].fetch_add(1, Ordering::Release);
    }

    /// Waits until all ranks have ended as many calls as this one, but no longer than the timeout.
    pub(super) fn wait_for_ends(&self, rank: usize) {
        let own = self.ended[rank].load(Ordering::Acquire);
        let deadline = Instant::now() + self.timeout;
        let is_behind = |of_rank: &AtomicU64| of_rank.load(Ordering::Acquire) < own;
        while self.ended.iter().any(is_behind) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_micros(50));
        }
    }
}

impl State {
    fn check(&self) -> Result<(), Error> {
        self.broken.clone().map_or(Ok(()), |broken| Err(broken.into()))
    }

    /// All are here; what is wrong if they make different calls, or exchange what does not fit. Whoever
    /// comes last finds out for all, so that none begins what another does not.
    fn finish_round(&mut self) -> Option<Broken> {
        let brought: Vec<_> = self.brought.iter_mut().filter_map(Option::take).collect();
        let first = brought.first().map_or("", |brought| brought.call);
        let wrong = match brought.iter().position(|brought| brought.call != first) {
            Some(rank) => {
                let call = brought[rank].call;
                Some(format!("rank 0 calls `{first}` and rank {rank} `{call}`"))
            }
            None if brought.iter().any(|brought| brought.refusal.is_some()) => None,
            None => {
                let counts: Vec<&Counts> = brought.iter().map(|brought| &brought.counts).collect();
                Counts::mismatch(first, &counts)
            }
        };
        (self.complete, self.taken) = (Arc::new(brought), 0);
        self.round += 1;
        wrong.map(Broken::OutOfStep)
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
