//! How long calls into the driver keep the host, while somebody wants to know: for profiles.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// A kind of call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// A wait for the stream alone.
    Wait,
    /// A copy to the host, with the wait for all that was queued before.
    ToHost,
    /// A copy from the host: until its memory may be used again.
    ToDevice,
    /// An allocation, or memory that grows.
    Allocate,
    /// A module that is loaded.
    Load,
}

impl Call {
    /// All kinds, and how a profile names them.
    pub(crate) const NAMED: [(Call, &str); 5] = [
        (Call::Wait, "waits for the device"),
        (Call::ToHost, "copies to the host"),
        (Call::ToDevice, "copies to the device"),
        (Call::Allocate, "allocations"),
        (Call::Load, "loads of kernels"),
    ];
}

/// What calls of a kind came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CallCount {
    pub(crate) calls: u64,
    pub(crate) bytes: u64,
    pub(crate) nanoseconds: u64,
}

#[derive(Debug)]
struct Counters {
    calls: AtomicU64,
    bytes: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Counters {
    const fn none() -> Self {
        let [calls, bytes, nanoseconds] = [const { AtomicU64::new(0) }; 3];
        Counters { calls, bytes, nanoseconds }
    }
}

static COUNTERS: [Counters; Call::NAMED.len()] = [const { Counters::none() }; Call::NAMED.len()];
static IS_COUNTING: AtomicBool = AtomicBool::new(false);

/// Begins to count, from 0; or ends it.
pub(crate) fn count_calls(begin: bool) {
    IS_COUNTING.store(begin, Relaxed);
    if begin {
        for counters in &COUNTERS {
            counters.calls.store(0, Relaxed);
            counters.bytes.store(0, Relaxed);
            counters.nanoseconds.store(0, Relaxed);
        }
    }
}

/// What was counted so far.
pub(crate) fn counted(call: Call) -> CallCount {
    let counters = &COUNTERS[call as usize];
    CallCount {
        calls: counters.calls.load(Relaxed),
        bytes: counters.bytes.load(Relaxed),
        nanoseconds: counters.nanoseconds.load(Relaxed),
    }
}

/// A call that goes on until this is dropped.
pub(super) struct Timed {
    call: Call,
    bytes: u64,
    start: Instant,
}

/// Counts a call, if calls are counted. A load of a flag otherwise.
pub(super) fn timed(call: Call, bytes: usize) -> Option<Timed> {
    IS_COUNTING.load(Relaxed).then(|| Timed { call, bytes: bytes as u64, start: Instant::now() })
}

impl Drop for Timed {
    fn drop(&mut self) {
        let counters = &COUNTERS[self.call as usize];
        let spent = u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        counters.calls.fetch_add(1, Relaxed);
        counters.bytes.fetch_add(self.bytes, Relaxed);
        counters.nanoseconds.fetch_add(spent, Relaxed);
    }
}
