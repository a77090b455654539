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

/// The times in ascending order.
pub(super) fn sorted(times: &[f64]) -> Vec<f64> {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The middle of the times, of an even number the smaller one; 0 without any.
pub(super) fn median(times: &[f64]) -> f64 {
    sorted(times).get(times.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_the_smaller_of_two() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.0);
        assert_eq!(median(&[5.0]), 5.0);
        assert_eq!(median(&[]), 0.0);
    }
}
