//! Where the time of a program goes: what each kernel took, and what calls into the driver did.
//!
//! ```
//! # fn main() -> Result<(), meerkat_runtime::Error> {
//! use meerkat_runtime::device::profile;
//! use meerkat_runtime::prelude::*;
//!
//! profile::begin();
//! let edges = [Edge { src: 0, dst: 1, weight: () }];
//! SlabGraph::from_edges(&Device::auto(), 2, &edges, &SlabOptions::DEFAULT)?;
//! let profile = profile::end()?;
//! assert!(profile.kernels.iter().all(|kernel| kernel.launches > 0));
//! eprintln!("{profile}");
//! # Ok(())
//! # }
//! ```

use super::variant::KernelKey;
use crate::Error;
use crate::cuda::{Call, Context, Event, count_calls, counted};
use crate::program::KernelInfo;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What all launches of a kernel came to.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct KernelTime {
    /// The name of its entry point, with type arguments.
    pub name: String,
    /// How often it was launched.
    pub launches: u64,
    /// For how many threads: those that were asked for, which are the items of an operator that
    /// has a lane for each.
    pub threads: u64,
    /// Milliseconds from the start of its launches to their ends: between events on CUDA, of the
    /// host's clock on the CPU.
    pub ms: f64,
}

/// What calls of a kind into the driver came to, on the host's clock.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CallTime {
    /// `copies to the host`, and so on.
    pub name: &'static str,
    /// How often.
    pub calls: u64,
    /// How many bytes it was about; 0 for waits.
    pub bytes: u64,
    /// Milliseconds until they returned. A wait for a kernel is in here, too.
    pub ms: f64,
}

/// Where time went between [`begin`] and [`end`], in all threads of the process. Shown, it is a
/// table of kernels, the longest first, and one of calls.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Profile {
    /// The kernels that were launched, the longest first.
    pub kernels: Vec<KernelTime>,
    /// The calls into the driver, of the kinds that there were.
    pub calls: Vec<CallTime>,
    /// How long it was, in milliseconds of the host's clock.
    pub wall_ms: f64,
}

/// How many launches may wait for their times to be taken.
const PENDING: usize = 4096;

#[derive(Default)]
struct Recorded {
    rows: Vec<KernelTime>,
    places: HashMap<KernelKey, usize>,
    /// Rows, and the events around launches.
    pending: Vec<(usize, Event, Event)>,
    start: Option<Instant>,
    /// Why some times are missing. It is nothing to those who launch.
    failed: Option<Error>,
}

impl Recorded {
    fn row(&mut self, key: KernelKey, info: &dyn Fn() -> KernelInfo) -> usize {
        let rows = &mut self.rows;
        *self.places.entry(key).or_insert_with(|| {
            let name = info().name().to_owned();
            rows.push(KernelTime { name, launches: 0, threads: 0, ms: 0.0 });
            rows.len() - 1
        })
    }

    /// Counts a launch: the row of its kernel.
    fn count(&mut self, key: KernelKey, info: &dyn Fn() -> KernelInfo, threads: u32) -> usize {
        let at = self.row(key, info);
        let row = &mut self.rows[at];
        (row.launches, row.threads) = (row.launches + 1, row.threads + u64::from(threads));
        at
    }

    /// Takes the times of the first launches. Waits for them.
    fn take_times(&mut self, count: usize) {
        for (row, start, end) in self.pending.drain(..count) {
            match start.elapsed_ms(&end) {
                Ok(ms) => self.rows[row].ms += f64::from(ms),
                Err(error) => self.failed = Some(error.into()),
            }
        }
    }
}

static IS_ON: AtomicBool = AtomicBool::new(false);
static RECORDED: Mutex<Option<Recorded>> = Mutex::new(None);

fn recorded() -> MutexGuard<'static, Option<Recorded>> {
    RECORDED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins to record, and forgets what was recorded before. A launch on CUDA takes a few
/// microseconds of the host more meanwhile. Where threads launch on one device at once, what one
/// queues may be counted to the kernel of another as well. Until [`end`] devices stay that are dropped.
pub fn begin() {
    *recorded() = Some(Recorded { start: Some(Instant::now()), ..Recorded::default() });
    count_calls(true);
    IS_ON.store(true, Relaxed);
}

/// What was recorded since [`begin`]; nothing without one. Waits for the launches.
///
/// # Errors
/// The device fails.
pub fn end() -> Result<Profile, Error> {
    IS_ON.store(false, Relaxed);
    count_calls(false);
    let mut recorded = recorded().take().unwrap_or_default();
    recorded.take_times(recorded.pending.len());
    if let Some(error) = recorded.failed {
        return Err(error);
    }
    let wall_ms = recorded.start.map_or(0.0, |start| start.elapsed().as_secs_f64() * 1e3);
    let calls = Call::NAMED.into_iter().map(|(call, name)| {
        let count = counted(call);
        let ms = count.nanoseconds as f64 / 1e6;
        CallTime { name, calls: count.calls, bytes: count.bytes, ms }
    });
    let calls = calls.filter(|call| call.calls > 0).collect();
    let mut kernels = recorded.rows;
    kernels.sort_by(|a, b| b.ms.total_cmp(&a.ms));
    Ok(Profile { kernels, calls, wall_ms })
}

/// Whether `MEERKAT_PROFILE` asks for a profile: set, and not `0`. The `meerkat` command prints one
/// then; a program of your own may ask, too.
pub fn is_asked_for() -> bool {
    std::env::var_os("MEERKAT_PROFILE").is_some_and(|value| !value.is_empty() && value != "0")
}

/// A launch on CUDA, of which the start is on the stream.
pub(super) struct OnCuda(Event);

impl OnCuda {
    /// None where nothing is recorded.
    pub(super) fn begin(context: &Arc<Context>) -> Result<Option<OnCuda>, Error> {
        if !IS_ON.load(Relaxed) {
            return Ok(None);
        }
        let start = Event::new(context)?;
        start.record()?;
        Ok(Some(OnCuda(start)))
    }

    /// The launch is on the stream.
    pub(super) fn end(
        self,
        context: &Arc<Context>,
        key: KernelKey,
        info: &dyn Fn() -> KernelInfo,
        threads: u32,
    ) {
        let end = Event::new(context).and_then(|end| end.record().map(|()| end));
        let mut recorded = recorded();
        let Some(recorded) = recorded.as_mut() else { return };
        let row = recorded.count(key, info, threads);
        match end {
            Ok(end) => recorded.pending.push((row, self.0, end)),
            Err(error) => recorded.failed = Some(error.into()),
        }
        if recorded.pending.len() >= PENDING {
            // The older half is over, most often.
            recorded.take_times(PENDING / 2);
        }
    }
}

/// Runs a launch on the CPU, and takes its time where it is recorded.
pub(crate) fn on_cpu<T>(
    key: KernelKey,
    info: &dyn Fn() -> KernelInfo,
    threads: u32,
    launch: impl FnOnce() -> T,
) -> T {
    if !IS_ON.load(Relaxed) {
        return launch();
    }
    let start = Instant::now();
    let done = launch();
    let ms = start.elapsed().as_secs_f64() * 1e3;
    if let Some(recorded) = recorded().as_mut() {
        let row = recorded.count(key, info, threads);
        recorded.rows[row].ms += ms;
    }
    done
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: f64 = self.kernels.iter().map(|kernel| kernel.ms).sum();
        writeln!(f, "{:>10}  {:>5}  {:>9}  {:>12}  kernel", "ms", "%", "launches", "threads")?;
        for KernelTime { name, launches, threads, ms } in &self.kernels {
            let share = if all > 0.0 { ms / all * 100.0 } else { 0.0 };
            writeln!(f, "{ms:>10.3}  {share:>5.1}  {launches:>9}  {threads:>12}  {name}")?;
        }
        writeln!(f, "{all:>10.3}  in kernels, of {:.3} ms", self.wall_ms)?;
        if !self.calls.is_empty() {
            writeln!(f, "{:>10}  {:>9}  {:>16}  the host, in", "ms", "calls", "bytes")?;
        }
        for CallTime { name, calls, bytes, ms } in &self.calls {
            writeln!(f, "{ms:>10.3}  {calls:>9}  {bytes:>16}  {name}")?;
        }
        Ok(())
    }
}
