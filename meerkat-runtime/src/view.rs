//! Device memory as kernels see it: slices, atomics and slabs.
//!
//! A view is a pointer and a length, copied into kernels by value. On the CPU
//! back end it points to host memory and every access is checked; on CUDA the
//! host only carries it.
#![allow(unsafe_code)] // Views are pointers; each block says why it may follow one.

mod atomic;
mod slab;

pub use atomic::Atomic;
pub use slab::{Slab, SlabWords};

use crate::device_type::{DeviceType, Element};
use crate::program::Program;
use crate::trap::{self, Fault};
use std::marker::PhantomData;
use std::mem::size_of;
use std::ops::{Index, IndexMut};

/// In the length of a view without its memory, beside how many elements there were.
const DETACHED: u64 = 1 << 63;

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

    /// A view of memory that no [`DeviceBuffer`](crate::DeviceBuffer) owns, as an argument of a launch:
    /// of a tensor that another library has put on the device, say. `address` is as kernels of the
    /// device use it; on the CPU that is where it is in memory.
    ///
    /// # Safety
    /// There are `length` elements at `address`, aligned, each a value of its type; they stay there
    /// until what is launched with the view is done, and meanwhile nobody writes them but by atomic
    /// operations on elements that are [`Atomic`].
    pub unsafe fn foreign(address: u64, length: usize) -> Self {
        Self::from_raw(address, length)
    }

    /// How many elements there are.
    #[allow(clippy::len_without_is_empty)] // A word of the language, which has `len() == 0`.
    #[inline]
    pub fn len(&self) -> u32 {
        self.length as u32
    }

    /// Where it is, as kernels of its device use it.
    pub(crate) fn address_on_device(&self) -> u64 {
        self.data.addr() as u64
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

// Of any type: an element without a layout is reported where the slice is declared.
impl<E> DeviceSlice<E> {
    #[track_caller]
    #[inline]
    fn address(&self, index: u32) -> *mut E {
        // The length of a detached view is below every index.
        if i64::from(index) >= self.length as i64 {
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

// SAFETY: `repr(C)`, a pointer and a 64-bit length; CUDA's `Slice` is the same.
unsafe impl<E: Element> DeviceType for DeviceSlice<E> {
    const HAS_PADDING: bool = size_of::<Self>() != size_of::<*mut E>() + size_of::<u64>();
    const IS_VIEW: bool = true;
    fn detached(self) -> Self {
        DeviceSlice { data: std::ptr::null_mut(), length: self.length | DETACHED, ..self }
    }
    fn is_detached(&self) -> bool {
        self.length >= DETACHED
    }
    fn cuda_name(program: &mut Program) -> String {
        format!("Slice<{}>", E::element_name(program))
    }
}
