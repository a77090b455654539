//! Work without Python's global lock, which Ctrl-C ends.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use meerkat_runtime::Error;
use meerkat_runtime::device::Interrupt;
use pyo3::prelude::*;

use crate::error::Failure;

/// How often Python is asked for signals. To ask takes its global lock.
const PERIOD: Duration = Duration::from_millis(50);

thread_local! {
    /// When the work of this thread is to ask next; nothing where it must not be ended.
    static NEXT: Cell<Option<Instant>> = const { Cell::new(None) };
    /// What a signal has raised.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Does something while other threads of Python run. Ctrl-C ends it, once: what is done to take back
/// what has begun is not ended.
pub(crate) fn work<T: Send>(
    py: Python<'_>,
    act: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Failure> {
    py.detach(|| {
        NEXT.set(Some(Instant::now() + PERIOD));
        let done = act();
        NEXT.set(None);
        done
    })
    .map_err(Failure::from)
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

/// What the signal raised that has ended the work of this thread.
pub(crate) fn take_raised() -> Option<PyErr> {
    RAISED.take()
}

/// The same of work that may fail for other reasons.
pub(crate) fn work_or_fail<T: Send>(
    py: Python<'_>,
    act: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let mut failure = None;
    let done = work(py, || match act() {
        Ok(done) => Ok(Some(done)),
        Err(Failure::Meerkat(error)) => Err(error),
        Err(other) => {
            failure = Some(other);
            Ok(None)
        }
    })?;
    match (done, failure) {
        (Some(done), _) => Ok(done),
        (None, Some(failure)) => Err(failure),
        (None, None) => Err(Failure::value("the work has neither an outcome nor an error")),
    }
}
