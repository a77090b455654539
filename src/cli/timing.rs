//! Taking the time.

use std::time::Instant;

use meerkat::runtime::{Device, Error};

/// Milliseconds since a moment.
pub(super) struct Stopwatch(Instant);

impl Stopwatch {
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    pub(super) fn milliseconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64() * 1e3
    }
}

/// How long a piece of work took.
pub(super) struct Span {
    /// Without compiling kernels.
    pub(super) work_ms: f64,
    pub(super) compile_ms: f64,
}

/// Does `work` on `device` to its end, and takes the time.
pub(super) fn timed<T>(
    device: &Device,
    work: impl FnOnce() -> Result<T, Error>,
) -> Result<(T, Span), Error> {
    let (watch, compiled_before) = (Stopwatch::start(), device.compile_ms());
    let done = work()?;
    device.synchronize()?;
    let compile_ms = device.compile_ms() - compiled_before;
    let work_ms = (watch.milliseconds() - compile_ms).max(0.0);
    Ok((done, Span { work_ms, compile_ms }))
}
