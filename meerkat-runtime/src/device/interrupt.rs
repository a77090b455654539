//! Work that its user may end early.

use std::fmt;
use std::sync::Arc;

/// Asked before each launch on a device [that has it](super::Device::with_interrupt) whether the work
/// is to end.
///
/// A launch that is not made is an error, as one that fails is: a batch is taken back then, by further
/// launches. So it says yes once, and no until the call that it has ended has returned.
#[derive(Clone)]
pub struct Interrupt(Arc<dyn Fn() -> bool + Send + Sync>);

impl Interrupt {
    /// Work ends where `is_wanted` says so. It is called often, and from any thread.
    pub fn new(is_wanted: impl Fn() -> bool + Send + Sync + 'static) -> Interrupt {
        Interrupt(Arc::new(is_wanted))
    }

    pub(super) fn is_wanted(&self) -> bool {
        (self.0)()
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interrupt")
    }
}
