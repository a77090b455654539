//! What an access to a value that lanes share does on the CPU: what the processor does or,
//! in a launch with weak memory, what a GPU may do.

#[cfg_attr(not(feature = "weak-memory"), path = "strong.rs")]
pub(crate) mod weak;

use std::sync::atomic::Ordering::{self, Relaxed};
use std::sync::atomic::{AtomicU32, AtomicU64};

/// The memory of an atomic, as a number.
#[derive(Clone, Copy)]
pub(crate) enum Word<'a> {
    Narrow(&'a AtomicU32),
    Wide(&'a AtomicU64),
}

impl Word<'_> {
    #[inline(always)]
    pub(crate) fn load(self, order: Ordering) -> u64 {
        match self {
            Word::Narrow(word) => word.load(order).into(),
            Word::Wide(word) => word.load(order),
        }
    }

    #[inline(always)]
    pub(crate) fn store(self, value: u64, order: Ordering) {
        match self {
            Word::Narrow(word) => word.store(value as u32, order),
            Word::Wide(word) => word.store(value, order),
        }
    }

    /// Writes what `f` makes of the value, if anything; returns the value before.
    #[inline(always)]
    pub(crate) fn update(self, mut f: impl FnMut(u64) -> Option<u64>) -> u64 {
        match self {
            Word::Narrow(word) => word
                .fetch_update(Relaxed, Relaxed, |bits| f(bits.into()).map(|new| new as u32))
                .unwrap_or_else(|unchanged| unchanged)
                .into(),
            Word::Wide(word) => {
                word.fetch_update(Relaxed, Relaxed, f).unwrap_or_else(|unchanged| unchanged)
            }
        }
    }

    /// Its address, and how many bytes it has.
    #[cfg(feature = "weak-memory")]
    pub(crate) fn place(self) -> (usize, usize) {
        match self {
            Word::Narrow(word) => (std::ptr::from_ref(word).addr(), 4),
            Word::Wide(word) => (std::ptr::from_ref(word).addr(), 8),
        }
    }
}

/// What the lane wrote before it is seen by others before what it writes after it.
pub(crate) fn fence() {
    weak::fence();
    std::sync::atomic::fence(Ordering::SeqCst);
}
