//! A value that lanes share.

use crate::atomics::{Word, weak};
use crate::device_type::{DeviceType, Element, bits_of, of_bits};
use crate::ops::{Aggregate, Arithmetic, Integer};
use crate::program::Program;
use std::cell::UnsafeCell;
use std::mem::size_of;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};

/// A value that lanes share: every access is one atomic operation, of 4 or 8 bytes,
/// relaxed unless its name says more.
#[repr(transparent)]
pub struct Atomic<T>(UnsafeCell<T>);

// SAFETY: every access goes through an atomic of the same size, but for the words of a
// `Slab::pair`: decision 45 says what is relied on there.
unsafe impl<T: Send> Send for Atomic<T> {}
// SAFETY: as for `Send`.
unsafe impl<T: Send> Sync for Atomic<T> {}

impl<T: DeviceType + std::fmt::Debug> std::fmt::Debug for Atomic<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Atomic").field(&self.load()).finish()
    }
}

impl<T: DeviceType> Atomic<T> {
    pub(crate) const IS_WORD: () = {
        assert!(
            size_of::<T>() == 4 || size_of::<T>() == 8,
            "an `Atomic<T>` holds 4 or 8 bytes: split the struct, or pack it"
        );
        assert!(
            !T::HAS_PADDING,
            "an `Atomic<T>` holds no padding: add a field for the bytes between or after the \
             others"
        );
    };

    #[inline(always)]
    fn word(&self) -> Word<'_> {
        const { Self::IS_WORD };
        match size_of::<T>() {
            // SAFETY: an `Atomic` exists only in memory of a device or a block. That begins at
            // a multiple of 8, and `Atomic`s of 4 or 8 bytes lie there one after another, so each
            // is aligned to its size, whatever `T` asks for; all access is atomic.
            4 => Word::Narrow(unsafe { AtomicU32::from_ptr(self.0.get().cast()) }),
            // SAFETY: likewise.
            _ => Word::Wide(unsafe { AtomicU64::from_ptr(self.0.get().cast()) }),
        }
    }

    /// The value that was found in the word.
    #[inline(always)]
    fn value(bits: u64) -> T {
        // SAFETY: what is in the word was written as a `T`, or is the zeros of new memory.
        unsafe { of_bits(bits) }
    }

    /// Reads the value.
    #[inline]
    pub fn load(&self) -> T {
        Self::value(weak::load(self.word(), Relaxed))
    }

    /// [`load`](Self::load), faster of memory of the block on CUDA and slower of any other.
    #[inline]
    pub fn load_shared(&self) -> T {
        self.load()
    }

    /// Reads the value, and sees whatever the lane that stored it with
    /// [`store_release`](Self::store_release) wrote before that.
    #[inline]
    pub fn load_acquire(&self) -> T {
        Self::value(weak::load(self.word(), Acquire))
    }

    /// Writes the value after all that the lane wrote before: who reads it with
    /// [`load_acquire`](Self::load_acquire) sees that, too.
    #[inline]
    pub fn store_release(&self, value: T) {
        weak::store(self.word(), bits_of(value), Release);
    }

    /// Writes the value.
    #[inline]
    pub fn store(&self, value: T) {
        weak::store(self.word(), bits_of(value), Relaxed);
    }

    /// Writes the value and returns the one before.
    #[inline]
    pub fn swap(&self, value: T) -> T {
        self.update(|_| Some(value))
    }

    /// Writes `new` if the value is `current`; returns the value before.
    #[inline]
    pub fn compare_and_swap(&self, current: T, new: T) -> T {
        self.update(|value| (bits_of(value) == bits_of(current)).then_some(new))
    }

    /// Writes the smaller of the two, and of a NaN and a number the number; returns the value
    /// before.
    #[inline]
    pub fn fetch_min(&self, value: T) -> T {
        self.replace_if(value, |before| T::atomic_less(value, before))
    }

    /// Writes the larger of the two, and of a NaN and a number the number; returns the value
    /// before.
    #[inline]
    pub fn fetch_max(&self, value: T) -> T {
        self.replace_if(value, |before| T::atomic_less(before, value))
    }

    /// Writes a value that is better than the one before; any number is better than a NaN.
    #[inline]
    fn replace_if(&self, value: T, is_better: impl Fn(T) -> bool) -> T {
        self.update(|before| {
            let is_first = T::atomic_nan(before) && !T::atomic_nan(value);
            (is_first || is_better(before)).then_some(value)
        })
    }

    /// [`fetch_add`](Atomic::fetch_add), of integers of 32 or 64 bits. On CUDA the lanes of a
    /// warp that are together and add to the same address share one atomic.
    #[inline]
    pub fn fetch_add_aggregated(&self, value: T) -> T
    where
        T: Aggregate,
    {
        self.fetch_add(value)
    }

    #[inline]
    fn update(&self, mut f: impl FnMut(T) -> Option<T>) -> T {
        Self::value(weak::update(self.word(), |bits| f(Self::value(bits)).map(bits_of)))
    }
}

macro_rules! fetch {
    ($($name:ident: $bound:ident, $join:expr, $doc:literal;)*) => {$(
        impl<T: DeviceType + $bound> Atomic<T> {
            #[doc = $doc]
            #[inline]
            pub fn $name(&self, value: T) -> T {
                self.update(|before| Some($join(before, value)))
            }
        }
    )*};
}

fetch! {
    fetch_add: Arithmetic, T::add, "Adds, wrapping; returns the value before.";
    fetch_sub: Arithmetic, T::sub, "Subtracts, wrapping; returns the value before.";
    fetch_and: Integer, |a, b| a & b, "Ands; returns the value before.";
    fetch_or: Integer, |a, b| a | b, "Ors; returns the value before.";
    fetch_xor: Integer, |a, b| a ^ b, "Exclusive-ors; returns the value before.";
}

// SAFETY: `Atomic` is `repr(transparent)` over a cell of the value.
unsafe impl<T: DeviceType> Element for Atomic<T> {
    type Value = T;
    const SHARED_WORD: usize = size_of::<T>();
    fn element_name(program: &mut Program) -> String {
        format!("Atomic<{}>", T::cuda_name(program))
    }
}
