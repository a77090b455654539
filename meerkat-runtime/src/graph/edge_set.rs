//! Sets of edges: a list on the device, and a table to look its edges up in.
//!
//! The table is open addressing with numbers of edges, two slots or more to an edge of
//! the list: a slot belongs to the edge that it names, and is raised to where that is in
//! the list for the last time. So a slot is 4 bytes, and edges are compared where they
//! lie.

use super::layout::{Edge, NO_ITEM};
use crate::Direction;
use crate::device::{Device, DeviceBuffer};
use crate::launch::HostArg;
use crate::program::KernelInfo;
use crate::random::mixed;
use crate::scalar::*;
use crate::view::{Atomic, DeviceSlice};
use crate::{Error, Weight};
use meerkat_macros::{DeviceStruct, device, kernel};

/// A set of edges as kernels see it; the host has it as [`HashedEdges`].
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct EdgeSet<W: Weight = ()> {
    /// The list.
    pub(crate) edges: DeviceSlice<Edge<W>>,
    /// The table: numbers of edges, or [`NO_ITEM`].
    pub(crate) last: DeviceSlice<Atomic<u32>>,
    /// Whether the two arcs of an edge are one.
    pub(crate) mirrored: bool,
}

/// What an arc is known by: where arcs are mirrored, it begins at its smaller end.
#[device]
fn arc_of<W: Weight>(set: &EdgeSet<W>, src: u32, dst: u32) -> (u32, u32) {
    if set.mirrored && dst < src { (dst, src) } else { (src, dst) }
}

/// What an edge of the list is known by.
#[device]
fn named_arc<W: Weight>(set: &EdgeSet<W>, i: u32) -> (u32, u32) {
    let edge = set.edges[i];
    arc_of(set, edge.src, edge.dst)
}

/// Where an arc is looked for first.
#[device]
fn first_slot<W: Weight>(set: &EdgeSet<W>, src: u32, dst: u32) -> u32 {
    let hash: u64 = mixed((src as u64) << 32 | dst as u64) >> 32;
    ((hash * set.last.len() as u64) >> 32) as u32
}

/// Where it is looked for next.
#[device]
fn next_slot<W: Weight>(set: &EdgeSet<W>, slot: u32) -> u32 {
    select(slot + 1 < set.last.len(), slot + 1, 0u32)
}

/// Whether the set has an edge, found out by a lane alone; weights do not matter.
#[device]
pub fn contains_edge<W: Weight>(set: &EdgeSet<W>, src: u32, dst: u32) -> bool {
    let (wanted_src, wanted_dst) = arc_of(set, src, dst);
    let mut slot: u32 = first_slot(set, wanted_src, wanted_dst);
    let mut named = set.last[slot].load();
    while named != NO_ITEM {
        let (named_src, named_dst) = named_arc(set, named);
        if named_src == wanted_src && named_dst == wanted_dst {
            return true;
        }
        slot = next_slot(set, slot);
        named = set.last[slot].load();
    }
    false
}

/// Fills the table: the number of each edge's last record gets into one slot.
#[kernel]
fn keep_last<W: Weight>(set: &EdgeSet<W>) {
    let i = thread_id();
    if i < set.edges.len() {
        let (src, dst) = named_arc(set, i);
        let mut slot: u32 = first_slot(set, src, dst);
        let mut is_placed = false;
        while !is_placed {
            let mut named = set.last[slot].load();
            if named == NO_ITEM {
                named = set.last[slot].compare_and_swap(NO_ITEM, i);
            }
            if named == NO_ITEM {
                is_placed = true;
            } else {
                let (other_src, other_dst) = named_arc(set, named);
                is_placed = other_src == src && other_dst == dst;
                if is_placed && named < i {
                    set.last[slot].fetch_max(i);
                }
                slot = next_slot(set, slot);
            }
        }
    }
}

/// Up to here a list has few edges.
const FEW: usize = 1 << 15;

/// A list of edges on the device as a set, to be passed as `&EdgeSet<W>` to an operator,
/// which asks it with [`contains_edge`].
#[derive(Debug)]
pub struct HashedEdges<'a, W: Weight = ()> {
    edges: &'a DeviceBuffer<Edge<W>>,
    last: DeviceBuffer<Atomic<u32>>,
    mirrored: bool,
}

impl<'a, W: Weight> HashedEdges<'a, W> {
    /// The set of a list's edges; if they are undirected, an edge is the same as the
    /// opposite one. Queued on CUDA.
    ///
    /// Cost: 8 bytes an edge, 32 of few.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn of(edges: &'a DeviceBuffer<Edge<W>>, direction: Direction) -> Result<Self, Error> {
        let device = edges.device();
        // Few edges wait for the longest of their searches, many for memory.
        let slots = edges.len() * if edges.len() <= FEW { 8 } else { 2 };
        // An empty table could not be asked.
        let last = DeviceBuffer::filled(device, slots.max(1), NO_ITEM)?;
        let set = HashedEdges { edges, last, mirrored: direction == Direction::Undirected };
        keep_last::launch(device, edges.len() as u32, &set)?;
        Ok(set)
    }

    /// The table: one slot names the last record of each edge, the others [`NO_ITEM`].
    pub(crate) fn last(&self) -> &DeviceBuffer<Atomic<u32>> {
        &self.last
    }
}

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl<W: Weight> HostArg<EdgeSet<W>> for &HashedEdges<'_, W> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<EdgeSet<W>, Error> {
        // SAFETY: what the caller promises of the set holds for its edges.
        let edges = unsafe { self.edges.to_device_arg(device) }?;
        // SAFETY: and for its table.
        let last = unsafe { (&self.last).to_device_arg(device) }?;
        Ok(EdgeSet { edges, last, mirrored: self.mirrored })
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![keep_last::info::<()>()]
}
