//! How long something takes that all ranks begin together.

use std::time::Instant;

use meerkat::runtime::device::profile;
use meerkat::runtime::{Device, DeviceBatch, Error};

use crate::cli::output;

/// What was timed, and its milliseconds.
pub(super) type Time = (&'static str, f64);

/// When everybody is there, and how long something takes.
pub(super) struct Clock<'a> {
    pub(super) device: &'a Device,
    pub(super) rounds: u32,
    /// Whether it is that of one device, or of the first rank.
    pub(super) is_first: bool,
    pub(super) meet: &'a dyn Fn() -> Result<(), Error>,
}

impl Clock<'_> {
    /// Of something that is done again and again; the first time does not count.
    pub(super) fn median(
        &self,
        what: &'static str,
        mut act: impl FnMut() -> Result<(), Error>,
    ) -> Result<Time, Error> {
        self.time(&mut act)?;
        let times = (0..self.rounds).map(|_| self.time(&mut act)).collect::<Result<_, _>>()?;
        if profile::is_asked_for() {
            self.show(what, act)?;
        }
        Ok((what, median(times)))
    }

    /// Of batches, each of which is applied once; the first does not count.
    pub(super) fn batches(
        &self,
        what: &'static str,
        batches: &[DeviceBatch],
        mut apply: impl FnMut(&DeviceBatch) -> Result<(), Error>,
    ) -> Result<Time, Error> {
        let (first, rest) = batches.split_at(1);
        first.iter().try_for_each(|batch| self.time(|| apply(batch)).map(drop))?;
        let (timed, shown) = rest.split_at(self.rounds as usize);
        let times = timed.iter().map(|batch| self.time(|| apply(batch)));
        let times = times.collect::<Result<_, _>>()?;
        shown.iter().try_for_each(|batch| self.show(what, || apply(batch)))?;
        Ok((what, median(times)))
    }

    fn time(&self, act: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
        self.device.synchronize()?;
        (self.meet)()?;
        let start = Instant::now();
        act()?;
        self.device.synchronize()?;
        (self.meet)()?;
        Ok(start.elapsed().as_secs_f64() * 1e3)
    }

    /// Says where the time of a run goes.
    fn show(&self, what: &str, act: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
        self.device.synchronize()?;
        (self.meet)()?;
        if self.is_first {
            profile::begin();
        }
        let ms = self.time(act)?;
        if self.is_first {
            output::profile(&format!("{what}, {ms:.3} ms:\n"), profile::end());
        }
        (self.meet)()
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
