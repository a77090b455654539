//! Memory as the processor has it, in builds without the feature `weak-memory`.

use super::Word;
use std::ops::Range;
use std::sync::atomic::Ordering;

/// Whether no launch has weak memory.
#[inline(always)]
pub(crate) fn is_off() -> bool {
    true
}

#[inline(always)]
pub(crate) fn load(word: Word<'_>, order: Ordering) -> u64 {
    word.load(order)
}

#[inline(always)]
pub(crate) fn store(word: Word<'_>, value: u64, order: Ordering) {
    word.store(value, order);
}

#[inline(always)]
pub(crate) fn update(word: Word<'_>, f: impl FnMut(u64) -> Option<u64>) -> u64 {
    word.update(f)
}

#[inline(always)]
pub(crate) fn fence() {}

#[inline(always)]
pub(crate) fn forget(_addresses: Range<usize>) {}

/// No launch has weak memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seeds;

impl Seeds {
    /// Refuses `MEERKAT_WEAK_MEMORY`, which asks for what is not here.
    pub(crate) fn asked_for() -> Result<Self, &'static str> {
        match std::env::var_os("MEERKAT_WEAK_MEMORY") {
            None => Ok(Seeds),
            Some(_) => Err("build with the feature `weak-memory` for that"),
        }
    }

    pub(crate) fn run(&self, _warps: u32, _run: &(dyn Fn(u32) + Sync)) -> bool {
        false
    }
}
