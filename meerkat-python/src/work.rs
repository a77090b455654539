//! Work without Python's global lock, which Ctrl-C ends.
//!
//! ```text
//! work: enter (refused inside of other work, and after a fork) -> lock of the graph -> kernels
//!         ^ signal handlers, collected garbage <- check_signals <- interrupt <-----------+
//! ```

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use meerkat_runtime::Error;
use meerkat_runtime::device::Interrupt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::Failure;

/// How often Python is asked for signals. To ask takes its global lock.
const PERIOD: Duration = Duration::from_millis(50);

/// Whether this process has done work, which starts the threads of the pool.
static HAS_WORKED: AtomicBool = AtomicBool::new(false);
/// Whether it was forked from one that had: the threads are not there, and locks may be held by them.
static IS_FORKED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether this thread works. It may hold the lock of a graph then.
    static IS_BUSY: Cell<bool> = const { Cell::new(false) };
    /// When the work of this thread is to ask next; nothing where it must not be ended.
    static NEXT: Cell<Option<Instant>> = const { Cell::new(None) };
    /// What a signal has raised.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Work of this thread, until it is dropped.
struct Busy {
    next: Option<Instant>,
}

impl Busy {
    fn begin(is_ended_by_signals: bool) -> Result<Busy, Failure> {
        check()?;
        HAS_WORKED.store(true, Relaxed);
        IS_BUSY.set(true);
        let next = is_ended_by_signals.then(|| Instant::now() + PERIOD);
        Ok(Busy { next: NEXT.replace(next) })
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        NEXT.set(self.next);
        IS_BUSY.set(false);
    }
}

/// Refuses work of a thread that is inside of some, as a signal handler is, and of a forked process:
/// both would wait for ever.
pub(crate) fn check() -> Result<(), Failure> {
    if IS_BUSY.get() {
        return Err(Failure::Python(PyRuntimeError::new_err(
            "a signal handler or a finaliser asks something of a graph while its thread is at work; \
             let it set a flag, and ask afterwards",
        )));
    }
    if is_forked() {
        return Err(Failure::Python(PyRuntimeError::new_err(
            "the process was forked from one in which Meerkat has worked, and its threads are not here; \
             start processes by `multiprocessing.get_context(\"spawn\")`, or load data with \
             `num_workers=0`",
        )));
    }
    Ok(())
}

/// The same of what the threads of the pool do outside of work.
pub(crate) fn check_pool() -> Result<(), Failure> {
    HAS_WORKED.store(true, Relaxed);
    if is_forked() { check() } else { Ok(()) }
}

/// Whether the threads that work are in the process that this one was forked from.
pub(crate) fn is_forked() -> bool {
    IS_FORKED.load(Relaxed)
}

/// Raises `RuntimeError` where work would be refused.
#[pyfunction]
pub(crate) fn check_thread() -> Result<(), Failure> {
    check()
}

/// Called by Python in a process that was forked.
#[pyfunction]
pub(crate) fn forked() {
    if HAS_WORKED.load(Relaxed) {
        IS_FORKED.store(true, Relaxed);
    }
}

/// Does something while other threads of Python run. Ctrl-C ends it, once: what is done to take back
/// what has begun is not ended.
pub(crate) fn work<T: Send>(
    py: Python<'_>,
    act: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Failure> {
    work_or_fail(py, || act().map_err(Failure::from))
}

/// The same of work that may fail for other reasons.
pub(crate) fn work_or_fail<T: Send>(
    py: Python<'_>,
    act: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    within(py, true, act)
}

/// The same of work that is short, or that must not be ended half way: Ctrl-C waits for it.
pub(crate) fn work_to_the_end<T: Send>(
    py: Python<'_>,
    act: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Failure> {
    within(py, false, || act().map_err(Failure::from))
}

fn within<T: Send>(
    py: Python<'_>,
    is_ended_by_signals: bool,
    act: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let busy = Busy::begin(is_ended_by_signals)?;
    let done = py.detach(act);
    drop(busy);
    // What a signal has raised comes first, whatever became of the error that it ended the work with.
    match RAISED.take() {
        Some(raised) => Err(Failure::Python(raised)),
        None => done,
    }
}

/// Asks Python for signals, if it is time.
pub(crate) fn interrupt() -> Interrupt {
    Interrupt::new(|| {
        let Some(next) = NEXT.get() else { return false };
        let now = Instant::now();
        if now < next {
            return false;
        }
        NEXT.set(Some(now + PERIOD));
        let Err(raised) = Python::attach(|py| py.check_signals()) else { return false };
        RAISED.set(Some(raised));
        NEXT.set(None);
        true
    })
}
