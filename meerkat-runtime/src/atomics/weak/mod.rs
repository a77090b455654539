//! Weak memory, for tests: what a GPU may do to a program that forgets a release or an
//! acquire, and the processor that runs the tests may not.
//!
//! In a launch on a device [`with_weak_memory`](crate::Device::with_weak_memory) up to 16
//! threads run the warps, each one warp after another; one thread runs at a time, and its turn
//! may end at any atomic. What an
//! atomic finds and leaves is up to `memory.rs`. A seed decides both, so it has one outcome.

mod memory;

use super::Word;
use memory::Memory;
use std::any::Any;
use std::cell::RefCell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How many warps are under way at a time.
const WARPS_AT_ONCE: u32 = 16;

/// A launch whose warps take turns.
struct Launch {
    state: Mutex<State>,
    /// Of each thread, to say that it has its turn.
    turns: Vec<Condvar>,
}

struct State {
    memory: Memory,
    turn: usize,
    /// The threads that have warps.
    running: Vec<usize>,
    next_warp: u32,
    /// A turn ends at one atomic in this many, on average.
    turn_length: u32,
    stopped: bool,
    /// What the first warp that trapped threw.
    thrown: Option<Box<dyn Any + Send>>,
}

/// What a warp throws when another has trapped.
struct Stopped;

impl Launch {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a turn.
    fn wait(&self, me: usize) -> MutexGuard<'_, State> {
        let is_other = |state: &mut State| state.turn != me && !state.stopped;
        let state = self.turns[me].wait_while(self.lock(), is_other);
        let state = state.unwrap_or_else(PoisonError::into_inner);
        if state.stopped {
            drop(state);
            resume_unwind(Box::new(Stopped));
        }
        state
    }

    /// Ends the turn: any that has warps is next.
    fn pass(&self, mut state: MutexGuard<'_, State>) {
        let State { memory, running, .. } = &mut *state;
        if let Some(next) = memory.random.choice(&*running).copied() {
            state.turn = next;
            self.turns[next].notify_one();
        }
    }

    /// One atomic, perhaps after others had their turns.
    fn act<R>(&self, me: usize, atomic: impl FnOnce(&mut Memory) -> R) -> R {
        let mut state = self.wait(me);
        let length = state.turn_length;
        if state.memory.random.u32(..length) == 0 {
            self.pass(state);
            state = self.wait(me);
        }
        atomic(&mut state.memory)
    }

    /// Runs warps, one after another, while there are any.
    fn work(&self, me: usize, warps: u32, run: &dyn Fn(u32)) {
        let all = || loop {
            let mut state = self.wait(me);
            let warp = state.next_warp;
            if warp == warps {
                break;
            }
            state.next_warp += 1;
            state.memory.begin(me);
            drop(state);
            run(warp);
        };
        let thrown = catch_unwind(AssertUnwindSafe(all)).err();
        let mut state = self.lock();
        state.running.retain(|&other| other != me);
        if let Some(thrown) = thrown.filter(|thrown| !thrown.is::<Stopped>()) {
            state.stopped = true;
            state.thrown.get_or_insert(thrown);
            self.turns.iter().for_each(Condvar::notify_one);
        }
        self.pass(state);
    }
}

thread_local! {
    static RUNNING: RefCell<Option<(Arc<Launch>, usize)>> = const { RefCell::new(None) };
}

/// How many launches with weak memory there are in the process.
static LAUNCHES: AtomicUsize = AtomicUsize::new(0);

/// Whether no launch has weak memory: then an atomic is the processor's.
#[inline(always)]
pub(crate) fn is_off() -> bool {
    LAUNCHES.load(Ordering::Relaxed) == 0
}

/// One atomic of a warp whose launch has weak memory; else nothing.
fn act<R>(atomic: impl FnOnce(&mut Memory, usize) -> R) -> Option<R> {
    RUNNING.with_borrow(|running| {
        running.as_ref().map(|(launch, me)| launch.act(*me, |memory| atomic(memory, *me)))
    })
}

#[inline(always)]
pub(crate) fn load(word: Word<'_>, order: Ordering) -> u64 {
    if is_off() { word.load(order) } else { load_weakly(word, order) }
}

#[cold]
fn load_weakly(word: Word<'_>, order: Ordering) -> u64 {
    act(|memory, me| memory.load(me, word, order)).unwrap_or_else(|| word.load(order))
}

#[inline(always)]
pub(crate) fn store(word: Word<'_>, value: u64, order: Ordering) {
    if is_off() { word.store(value, order) } else { store_weakly(word, value, order) }
}

#[cold]
fn store_weakly(word: Word<'_>, value: u64, order: Ordering) {
    act(|memory, me| memory.store(me, word, value, order))
        .unwrap_or_else(|| word.store(value, order));
}

#[inline(always)]
pub(crate) fn update(word: Word<'_>, mut f: impl FnMut(u64) -> Option<u64>) -> u64 {
    if is_off() { word.update(f) } else { update_weakly(word, &mut f) }
}

#[cold]
fn update_weakly(word: Word<'_>, f: &mut dyn FnMut(u64) -> Option<u64>) -> u64 {
    act(|memory, me| memory.update(me, word, &mut *f)).unwrap_or_else(|| word.update(f))
}

pub(crate) fn fence() {
    act(|memory, me| memory.fence(me));
}

/// Forgets what was at these addresses: they are another array's now.
pub(crate) fn forget(addresses: Range<usize>) {
    act(|memory, _| memory.forget(&addresses));
}

/// Where the launches of a device take their seeds from, if they have weak memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seeds(Option<Arc<Mutex<fastrand::Rng>>>);

impl Seeds {
    pub(crate) fn new(seed: u64) -> Self {
        Seeds(Some(Arc::new(Mutex::new(fastrand::Rng::with_seed(seed)))))
    }

    /// What `MEERKAT_WEAK_MEMORY` asks for.
    pub(crate) fn asked_for() -> Result<Self, &'static str> {
        let Ok(seed) = std::env::var("MEERKAT_WEAK_MEMORY") else { return Ok(Seeds::default()) };
        seed.parse().map(Seeds::new).map_err(|_| "the seed is a whole number from 0")
    }

    /// Runs the warps of a launch with weak memory, if the device has that.
    pub(crate) fn run(&self, warps: u32, run: &(dyn Fn(u32) + Sync)) -> bool {
        let Some(seeds) = &self.0 else { return false };
        let seed = seeds.lock().unwrap_or_else(PoisonError::into_inner).u64(..);
        let mut random = fastrand::Rng::with_seed(seed);
        let threads = warps.min(WARPS_AT_ONCE) as usize;
        let state = State {
            turn: random.usize(..threads),
            running: (0..threads).collect(),
            next_warp: 0,
            turn_length: 1 << random.u32(..4),
            stopped: false,
            thrown: None,
            memory: Memory::new(random, threads),
        };
        let turns = (0..threads).map(|_| Condvar::new()).collect();
        let launch = Arc::new(Launch { state: Mutex::new(state), turns });
        LAUNCHES.fetch_add(1, Ordering::Relaxed);
        std::thread::scope(|scope| {
            for me in 0..threads {
                let launch = Arc::clone(&launch);
                scope.spawn(move || {
                    RUNNING.set(Some((Arc::clone(&launch), me)));
                    launch.work(me, warps, run);
                });
            }
        });
        LAUNCHES.fetch_sub(1, Ordering::Relaxed);
        if let Some(thrown) = launch.lock().thrown.take() {
            resume_unwind(thrown);
        }
        true
    }
}
