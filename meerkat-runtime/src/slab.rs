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

/// From this number of slab lists on, the block walks a vertex together under
/// [`Schedule::Hybrid`](crate::Schedule::Hybrid).
#[doc(hidden)]
pub const HUB_LISTS: u32 = 64;

/// Up to this number of neighbours, a lane walks its vertex by itself under
/// [`Schedule::Hybrid`](crate::Schedule::Hybrid): half of the vertices of a power law have
/// no more, and a tile would wait for each of them in turn.
#[doc(hidden)]
pub const FEW_NEIGHBORS: u32 = 4;

/// Which neighbours a walk visits.
#[derive(Clone, Copy)]
pub(crate) enum Visited {
    All,
    /// Those of one slab list.
    List(u32),
    /// Those inserted since the update pointers were moved.
    Updates,
}

/// A vertex's neighbours, for the scalar form of operators: a CPU graph only.
pub(crate) fn neighbors_on_host<W: Weight>(
    graph: &Graph<W>,
    vertex: u32,
    which: Visited,
) -> Vec<(u32, W)> {
    let (lists, slabs) = (graph.vertices.at(vertex), graph.slabs.as_slice());
    let mut found = Vec::new();
    for bucket in 0..lists.buckets {
        let head = lists.first + bucket;
        let (mut at, first) = match which {
            Visited::List(only) if only != bucket => continue,
            Visited::Updates if graph.updated.at(head).load() != 1 => continue,
            Visited::Updates => (graph.updates.at(head).slab, graph.updates.at(head).lane),
            _ => (head, 0),
        };
        let from = at;
        while let Some(slab) = slabs.get(at as usize) {
            for lane in (0..31).filter(|lane| W::KEY_LANES >> lane & 1 == 1) {
                let key = slab.word(lane).load();
                if key < TOMBSTONE_KEY && (at != from || lane >= first) {
                    let weight = if W::IS_WEIGHTED { slab.word(lane + 1).load() } else { 0 };
                    found.push((key, W::from_bits(weight)));
                }
            }
            at = slab.word(NEXT_LANE).load();
        }
    }
    found
}
