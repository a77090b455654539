//! Memory that runs out when a test says so.

use super::Device;
use crate::{Error, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// When the allocations of a device fail, for tests of what is left then; see
/// [`Device::with_memory_faults`]. Copies are the same faults.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_runtime::MemoryFaults;
/// use meerkat_runtime::prelude::*;
///
/// let faults = MemoryFaults::new();
/// let device = Device::cpu().with_memory_faults(&faults);
/// faults.fail_once(1);
/// assert!(DeviceBuffer::<u32>::zeroed(&device, 10).is_ok());
/// assert!(DeviceBuffer::<u32>::zeroed(&device, 10).is_err());
/// assert!(DeviceBuffer::<u32>::zeroed(&device, 10).is_ok());
/// assert!(faults.heal());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryFaults(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// How many allocations succeed before one fails, plus 1; 0 where none is to fail.
    left: AtomicU64,
    is_lasting: AtomicBool,
    has_failed: AtomicBool,
}

impl MemoryFaults {
    /// Nothing fails.
    pub fn new() -> Self {
        Self::default()
    }

    /// The allocation after `successes` others fails, and no other.
    pub fn fail_once(&self, successes: u32) {
        self.set(successes, false);
    }

    /// All allocations after `successes` others fail, until [`heal`](Self::heal).
    pub fn fail_from(&self, successes: u32) {
        self.set(successes, true);
    }

    /// Nothing fails any more. Whether anything did.
    pub fn heal(&self) -> bool {
        self.0.left.store(0, Relaxed);
        self.0.has_failed.swap(false, Relaxed)
    }

    fn set(&self, successes: u32, is_lasting: bool) {
        self.heal();
        self.0.is_lasting.store(is_lasting, Relaxed);
        self.0.left.store(u64::from(successes) + 1, Relaxed);
    }

    /// Whether the next allocation fails.
    fn fails(&self) -> bool {
        let State { left, is_lasting, has_failed } = &*self.0;
        let fails = match left.load(Relaxed) {
            0 => false,
            1 => {
                if !is_lasting.load(Relaxed) {
                    left.store(0, Relaxed);
                }
                true
            }
            more => {
                left.store(more - 1, Relaxed);
                false
            }
        };
        has_failed.fetch_or(fails, Relaxed);
        fails
    }
}

impl Device {
    /// The same device, whose allocations fail when `faults` says so: for tests. Host memory
    /// that is not a device's own never fails.
    #[must_use]
    pub fn with_memory_faults(self, faults: &MemoryFaults) -> Device {
        Device { memory_faults: Some(faults.clone()), ..self }
    }

    /// Asked before each allocation.
    pub(super) fn take_memory(&self, bytes: usize) -> Result<(), Error> {
        match &self.memory_faults {
            Some(faults) if bytes > 0 && faults.fails() => {
                Err(ErrorKind::OutOfMemory { bytes: bytes as u64 }.into())
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lasting_faults_end_when_they_are_healed() {
        let faults = MemoryFaults::new();
        faults.fail_from(2);
        let failed: Vec<_> = (0..5).map(|_| faults.fails()).collect();
        assert_eq!(failed, [false, false, true, true, true]);
        assert!(faults.heal());
        assert!(!faults.fails() && !faults.heal());
    }
}
