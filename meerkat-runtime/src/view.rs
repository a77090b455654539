//! Device memory as kernels see it: slices, atomics and slabs.
//!
//! A view is a pointer and a length, copied into kernels by value. On the CPU
//! back end it points to host memory and every access is checked; on CUDA the
//! host only carries it.
#![allow(unsafe_code)] // Views are pointers; each block says why it may follow one.

mod slab;

use crate::device_type::{DeviceType, Element};
use crate::lanes::ops::Aggregate;
use crate::lanes::trap::{self, Fault};
use crate::lanes::weak;
pub(crate) use slab::load_row;
pub use slab::{Slab, SlabWords};
use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::mem::{size_of, transmute_copy};
use std::ops::{Index, IndexMut};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A run of elements in device memory, as a kernel's `&[T]` sees it.
#[repr(C)]
pub struct DeviceSlice<E> {
    data: *mut E,
    length: u64,
    elements: PhantomData<E>,
}

impl<E> Clone for DeviceSlice<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for DeviceSlice<E> {}

impl<E> std::fmt::Debug for DeviceSlice<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DeviceSlice").field("length", &self.length).finish_non_exhaustive()
    }
}

// SAFETY: kernels share views between threads; what they may do through one is
// what `Element` types allow: read, write atomically, or write the own item. A view of
// another type is never made, only named in code with an error.
unsafe impl<E> Send for DeviceSlice<E> {}
// SAFETY: as for `Send`.
unsafe impl<E> Sync for DeviceSlice<E> {}

impl<E: Element> DeviceSlice<E> {
    /// A view of `length` elements at `address` of its device.
    pub(crate) fn from_raw(address: u64, length: usize) -> Self {
        DeviceSlice {
            data: address as usize as *mut E,
            length: length as u64,
            elements: PhantomData,
        }
    }

    /// How many elements there are.
    #[allow(clippy::len_without_is_empty)] // A word of the language, which has `len() == 0`.
    #[inline]
    pub fn len(&self) -> u32 {
        self.length as u32
    }

    /// The elements, for host code that reads a CPU graph.
    pub(crate) fn as_slice(&self) -> &[E] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: the view was made for this much memory and is alive.
        unsafe { std::slice::from_raw_parts(self.data, self.length as usize) }
    }
}

// Of any type: that an element has no layout is told where the slice is declared.
impl<E> DeviceSlice<E> {
    #[track_caller]
    #[inline]
    fn address(&self, index: u32) -> *mut E {
        if u64::from(index) >= self.length {
            trap::raise(Fault::Index { index: index.into(), length: self.length });
        }
        // SAFETY: the index was just found to be in bounds.
        unsafe { self.data.add(index as usize) }
    }

    /// The element; the CPU back end traps an index past the end.
    #[doc(hidden)]
    #[track_caller]
    #[inline]
    pub fn at(&self, index: u32) -> &E {
        let element = self.address(index);
        // SAFETY: in bounds of the memory the view was made for, which outlives
        // the launch; elements other lanes write are `Atomic`.
        unsafe { &*element }
    }

    /// The element that only the calling lane writes, as the checker proved.
    #[doc(hidden)]
    #[track_caller]
    #[inline]
    #[allow(clippy::mut_from_ref)]
    pub fn at_own_item(&self, index: u32) -> &mut E {
        let element = self.address(index);
        // SAFETY: in bounds as in `at`; no other lane reads or writes it, since
        // an element of `&mut [T]` is reached only by its own item.
        unsafe { &mut *element }
    }
}

impl<T: DeviceType> DeviceSlice<T> {
    /// Writes an element that the checker cannot prove to be the lane's own.
    ///
    /// # Safety
    /// No other lane of the launch reads or writes the element.
    #[track_caller]
    #[inline]
    pub unsafe fn write(&self, index: u32, value: T) {
        *self.at_own_item(index) = value;
    }

    /// [`write`](Self::write), for generated code: the kernel's `unsafe` block
    /// has vouched for it.
    #[doc(hidden)]
    #[track_caller]
    #[inline]
    pub fn write_vouched(&self, index: u32, value: T) {
        *self.at_own_item(index) = value;
    }
}

impl<E: Element> Index<u32> for DeviceSlice<E> {
    type Output = E;
    #[track_caller]
    fn index(&self, index: u32) -> &E {
        self.at(index)
    }
}

impl<E: Element> IndexMut<u32> for DeviceSlice<E> {
    #[track_caller]
    fn index_mut(&mut self, index: u32) -> &mut E {
        self.at_own_item(index)
    }
}

/// A value that lanes share: every access is one atomic operation, of 4 or 8 bytes,
/// relaxed unless its name says more.
#[repr(transparent)]
pub struct Atomic<T>(UnsafeCell<T>);

// SAFETY: every access goes through an atomic of the same size, but for `Slab::pair`, which
// relies on the hardware: x86-64, AArch64 and PTX allow overlapping atomics of 4 and 8 bytes.
unsafe impl<T: Send> Send for Atomic<T> {}
// SAFETY: as for `Send`.
unsafe impl<T: Send> Sync for Atomic<T> {}

/// The value's bytes as a number, zero-extended.
#[inline(always)]
pub(crate) fn bits_of<T: Copy>(value: T) -> u64 {
    match size_of::<T>() {
        // SAFETY: both are 4 bytes without padding that matters to a comparison.
        4 => u64::from(unsafe { transmute_copy::<T, u32>(&value) }),
        // SAFETY: both are 8 bytes.
        8 => unsafe { transmute_copy::<T, u64>(&value) },
        _ => 0,
    }
}

#[inline(always)]
fn of_bits<T: Copy>(bits: u64) -> T {
    match size_of::<T>() {
        // SAFETY: the bits came from a `T` of 4 bytes, by `bits_of`.
        4 => unsafe { transmute_copy::<u32, T>(&(bits as u32)) },
        // SAFETY: the bits came from a `T` of 8 bytes, by `bits_of`.
        _ => unsafe { transmute_copy::<u64, T>(&bits) },
    }
}

impl<T: DeviceType + std::fmt::Debug> std::fmt::Debug for Atomic<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Atomic").field(&self.load()).finish()
    }
}

impl<T: DeviceType> Atomic<T> {
    const SIZE: () = assert!(
        size_of::<T>() == 4 || size_of::<T>() == 8,
        "an `Atomic<T>` holds 4 or 8 bytes: split the struct, or pack it"
    );

    #[inline(always)]
    fn word(&self) -> Word<'_> {
        const { Self::SIZE };
        match size_of::<T>() {
            // SAFETY: an `Atomic` exists only in memory of a device or a block, which is aligned
            // to 8; all access is atomic.
            4 => Word::Narrow(unsafe { AtomicU32::from_ptr(self.0.get().cast()) }),
            // SAFETY: likewise.
            _ => Word::Wide(unsafe { AtomicU64::from_ptr(self.0.get().cast()) }),
        }
    }

    /// Reads the value.
    #[inline]
    pub fn load(&self) -> T {
        of_bits(weak::load(self.word(), Relaxed))
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
        of_bits(weak::load(self.word(), Acquire))
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
        of_bits(weak::update(self.word(), |bits| f(of_bits(bits)).map(bits_of)))
    }
}

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

macro_rules! fetch {
    ($($name:ident: $bound:ident, $join:expr, $doc:literal;)*) => {$(
        impl<T: DeviceType + crate::lanes::ops::$bound> Atomic<T> {
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
