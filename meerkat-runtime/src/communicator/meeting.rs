//! Where ranks meet in the memory of a process: its threads, and those that come to it through
//! connections.

mod news;

use super::place::MeetingPlace;
use super::round::{Broken, Brought, Met};
use crate::Error;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub(super) use news::{News, Told};

#[derive(Debug, Default)]
struct State {
    /// The number of the round that ranks come to now.
    round: u64,
    brought: Vec<Option<Brought>>,
    /// When each has come to it.
    since: Vec<Option<Instant>>,
    /// What was brought to the round before, until all have taken it.
    complete: Option<Met>,
    has_taken: Vec<bool>,
    broken: Option<Broken>,
    /// How many calls outside of the meeting each rank has ended, whatever came of them: all for one that left.
    ended: Vec<u64>,
    /// Which ranks in other processes wait until all have ended as many.
    asks_for_ends: Vec<bool>,
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
}

impl Meeting {
    pub(super) fn new(ranks: usize, timeout: Duration) -> Self {
        let state = State {
            brought: vec![None; ranks],
            since: vec![None; ranks],
            has_taken: vec![true; ranks],
            ended: vec![0; ranks],
            asks_for_ends: vec![false; ranks],
            ..State::default()
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Meeting {
            timeout,
            looks: ranks <= cores,
            state: Mutex::new(state),
            changed: Condvar::new(),
            round: AtomicU64::new(0),
            is_broken: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No panic leaves the state half-way: nothing in here calls what others wrote.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a change, until the deadline if there is one.
    fn wait<'a>(
        &self,
        state: MutexGuard<'a, State>,
        deadline: Option<Instant>,
    ) -> MutexGuard<'a, State> {
        match deadline {
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                let waited = self.changed.wait_timeout(state, left);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// No call succeeds any more; the first reason stays.
    fn break_up(&self, state: &mut State, broken: Broken) {
        state.broken.get_or_insert(broken);
        self.is_broken.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    /// The same for a reason that a hub finds.
    pub(super) fn end_for(&self, broken: Broken) {
        self.break_up(&mut self.lock(), broken);
    }

    /// Leaves what a rank brings; the number of the round. The last one to come ends it.
    ///
    /// # Errors
    /// No call succeeds any more. A rank that comes twice, as a process might, makes it so.
    fn bring(&self, rank: usize, own: Brought) -> Result<u64, Error> {
        let mut state = self.lock();
        state.check()?;
        if state.brought[rank].is_some() || !state.has_taken[rank] {
            let what = format!("rank {rank} makes a call before its last one has ended");
            self.break_up(&mut state, Broken::OutOfStep(what));
            state.check()?;
        }
        let round = state.round;
        state.brought[rank] = Some(own);
        state.since[rank] = Some(Instant::now());
        if state.brought.iter().all(Option::is_some) {
            if let Some(broken) = state.finish_round() {
                self.break_up(&mut state, broken);
            }
            self.round.store(state.round, Ordering::Release);
            self.changed.notify_all();
        }
        Ok(round)
    }

    /// Breaks up if a rank has waited for others for longer than the timeout; else until when it may.
    fn check_time(&self, state: &mut State, rank: usize) -> Option<Instant> {
        let deadline = state.since[rank]? + self.timeout;
        if state.broken.is_none() && deadline <= Instant::now() {
            let timeout = Broken::Timeout(self.timeout.as_secs_f64(), state.missing());
            self.break_up(state, timeout);
        }
        Some(deadline)
    }

    /// Waits a short while for the end of a round, without sleeping.
    fn look(&self, round: u64) {
        let start = Instant::now();
        let is_on = || self.round.load(Ordering::Acquire) == round && !self.is_broken();
        while is_on() && start.elapsed() < LOOKS {
            std::hint::spin_loop();
        }
    }
}

impl MeetingPlace for Meeting {
    fn timeout(&self) -> Duration {
        self.timeout
    }

    fn group(&self) -> u64 {
        std::ptr::from_ref(self).addr() as u64
    }

    fn ranks_here(&self) -> usize {
        self.lock().brought.len()
    }

    fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Acquire)
    }

    fn check(&self) -> Result<(), Error> {
        self.lock().check()
    }

    fn meet(&self, rank: usize, own: Brought) -> Result<Met, Error> {
        let round = self.bring(rank, own)?;
        if self.looks {
            self.look(round);
        }
        let mut state = self.lock();
        while state.round == round {
            let deadline = self.check_time(&mut state, rank);
            state.check()?;
            state = self.wait(state, deadline);
        }
        state.take(rank)
    }

    fn give_up(&self, rank: usize) {
        self.end_for(Broken::Lost(rank));
    }

    fn out_of_step(&self, what: String) -> Error {
        let broken = Broken::OutOfStep(what);
        self.end_for(broken.clone());
        broken.into()
    }

    fn leave(&self, rank: usize) {
        let mut state = self.lock();
        state.ended[rank] = u64::MAX;
        self.break_up(&mut state, Broken::Lost(rank));
    }

    fn end_call(&self, rank: usize) {
        let mut state = self.lock();
        state.ended[rank] = state.ended[rank].saturating_add(1);
        self.changed.notify_all();
    }

    fn wait_for_ends(&self, rank: usize) {
        let deadline = Instant::now() + self.timeout;
        let mut state = self.lock();
        while !state.all_have_ended_as_many(rank) && Instant::now() < deadline {
            state = self.wait(state, Some(deadline));
        }
    }
}

impl State {
    fn check(&self) -> Result<(), Error> {
        self.broken.clone().map_or(Ok(()), |broken| Err(broken.into()))
    }

    /// All are here; what is wrong with what they bring.
    fn finish_round(&mut self) -> Option<Broken> {
        let (met, wrong) = Met::of(self.brought.iter_mut().filter_map(Option::take).collect());
        self.complete = Some(met);
        self.has_taken.fill(false);
        self.since.fill(None);
        self.round += 1;
        wrong
    }

    /// What was brought to the round that has just ended. It is not ended again before all have
    /// taken that.
    fn take(&mut self, rank: usize) -> Result<Met, Error> {
        if let Some(broken @ Broken::OutOfStep(_)) = &self.broken {
            return Err(broken.clone().into());
        }
        self.has_taken[rank] = true;
        let all_have = self.has_taken.iter().all(|&has| has);
        let met = if all_have { self.complete.take() } else { self.complete.clone() };
        met.ok_or_else(|| Broken::Lost(rank).into())
    }

    fn all_have_ended_as_many(&self, rank: usize) -> bool {
        self.ended.iter().all(|&ended| ended >= self.ended[rank])
    }

    /// Who has not come yet, in words.
    fn missing(&self) -> String {
        let away = self.brought.iter().enumerate().filter(|(_, brought)| brought.is_none());
        let names: Vec<_> = away.map(|(rank, _)| format!("rank {rank}")).collect();
        names.join(", ")
    }
}
