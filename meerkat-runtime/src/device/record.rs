//! Which kernels a program launches.

use super::variant::{KernelKey, KernelVariant};
use crate::program::KernelInfo;
use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The kernels that programs launch on a device [that has it](super::Device::with_kernel_record).
/// Copies are the same record.
///
/// Each is there with its type arguments, and under all schedules that a launch on CUDA may take:
/// where the launch leaves the choice to `Schedule::Auto`, under those that `Auto` chooses from.
/// So a run on the CPU, on a small input, shows what a GPU has to compile.
#[derive(Clone, Default)]
pub struct KernelRecord(Arc<Mutex<Recorded>>);

#[derive(Default)]
struct Recorded {
    seen: HashSet<KernelKey>,
    kernels: Vec<KernelVariant>,
}

impl KernelRecord {
    /// A record without kernels.
    pub fn new() -> KernelRecord {
        KernelRecord::default()
    }

    /// The kernels so far, in the order of their first launches.
    pub fn kernels(&self) -> Vec<KernelVariant> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).kernels.clone()
    }

    /// Adds a kernel, unless it is there.
    pub(crate) fn add(&self, key: KernelKey, info: &dyn Fn() -> KernelInfo) {
        let mut recorded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if recorded.seen.insert(key) {
            recorded.kernels.push(KernelVariant::new(info(), key.2));
        }
    }
}

impl fmt::Debug for KernelRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.lock().unwrap_or_else(PoisonError::into_inner).kernels.len();
        write!(f, "KernelRecord({count} kernels)")
    }
}
