//! A slab graph as kernels see it: what lies where.

use crate::Weight;
use crate::view::{Atomic, DeviceSlice, Slab};
use meerkat_macros::DeviceStruct;
use std::marker::PhantomData;

/// A place in a slab that holds no key yet. Only this ends a slab list.
pub const EMPTY_KEY: u32 = u32::MAX;
/// A place whose key was deleted; it is not used again before compaction.
pub const TOMBSTONE_KEY: u32 = u32::MAX - 1;
/// Stands for a word of a slab that is no key: a weight, or the link.
pub(crate) const NO_KEY: u32 = u32::MAX - 2;
/// No next slab.
pub const NULL_SLAB: u32 = u32::MAX;
/// The next slab is being linked by another warp.
pub const LOCKED_SLAB: u32 = u32::MAX - 1;
/// The lane whose word links to the next slab.
pub const NEXT_LANE: u32 = 31;

/// Where a vertex's slab lists start: `buckets` slabs from `first` on.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct SlabLists {
    /// The first slab of its first list.
    pub first: u32,
    /// How many lists.
    pub buckets: u32,
}

/// The place of a slab list where the next key goes, or went first since
/// [`SlabGraph::update_slab_pointers`](crate::SlabGraph::update_slab_pointers).
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct UpdatePointer {
    /// The slab.
    pub slab: u32,
    /// The lane in it; [`NEXT_LANE`] if the slab was full, and then updates begin
    /// in the next.
    pub lane: u32,
}

/// A slab graph as kernels see it; the host owns it as a
/// [`SlabGraph`](crate::SlabGraph).
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct Graph<W: Weight = ()> {
    /// The slab lists of each vertex.
    #[doc(hidden)]
    pub vertices: DeviceSlice<SlabLists>,
    /// The out-degree of each vertex.
    #[doc(hidden)]
    pub degrees: DeviceSlice<Atomic<u32>>,
    /// All slabs, by number.
    #[doc(hidden)]
    pub slabs: DeviceSlice<Slab>,
    /// The counters of the pool: see `graph/pool.rs`.
    pub(crate) pool: DeviceSlice<Atomic<u32>>,
    /// Slabs that were given back: the pool hands them out first.
    pub(crate) free: DeviceSlice<u32>,
    /// The first slab that was never in use.
    pub(crate) fresh: u32,
    /// Where the updates of each slab list begin, by its first slab; empty if
    /// updates are not tracked.
    #[doc(hidden)]
    pub updates: DeviceSlice<UpdatePointer>,
    /// Whether each slab list has updates, by its first slab: 1 or 0.
    pub(crate) updated: DeviceSlice<Atomic<u32>>,
    /// Edges a vertex at the build, rounded up; schedules go by it.
    #[doc(hidden)]
    pub average_degree: u32,
    /// The most slab lists of one vertex at the build; schedules go by it.
    #[doc(hidden)]
    pub most_lists: u32,
    pub(crate) weight: PhantomData<W>,
}

/// What was inserted into a slab graph since its update pointers were moved, as kernels see it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct UpdatedSlabs<W: Weight = ()> {
    pub(crate) vertices: DeviceSlice<SlabLists>,
    pub(crate) degrees: DeviceSlice<Atomic<u32>>,
    pub(crate) slabs: DeviceSlice<Slab>,
    pub(crate) updates: DeviceSlice<UpdatePointer>,
    pub(crate) updated: DeviceSlice<Atomic<u32>>,
    pub(crate) average_degree: u32,
    pub(crate) most_lists: u32,
    pub(crate) weight: PhantomData<W>,
}

/// From this number of slab lists on, the block walks a vertex together under
/// [`Schedule::Hybrid`](crate::Schedule::Hybrid).
#[doc(hidden)]
pub const HUB_LISTS: u32 = 64;
