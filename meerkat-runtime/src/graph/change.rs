//! What a batch changes, found on the device.
//!
//! ```text
//! Batch --upload--> updates --keep_last--> the last of each edge
//!   --find_changes, a search in the graph--> Change
//! ```
//!
//! The table of a set of edges (`edge_set`) names the last update of each edge.

use super::adjacency::{Adjacency, spread};
use super::batch::Batch;
use super::edge_set::HashedEdges;
use super::ids::Ids;
use super::layout::{Edge, NO_ITEM, item_of_tile};
use super::options::Endpoint;
use super::search::{NOT_FOUND, arc_and_list, find_edge};
use super::validate::{is_deletion, none_refused, queue_check};
use super::version::Version;
use crate::Direction;
use crate::device::{Device, DeviceBuffer};
use crate::frontier::{Frontier, warp_enqueue_frontier};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::{Graph, NULL_SLAB};
use crate::view::Atomic;
use crate::{Error, TileUniform, Weight};
use meerkat_macros::kernel;

/// What a batch changes in a graph, on the device: no edge twice in a list, in no
/// order, and in an undirected graph both arcs of an edge.
///
/// The graph goes over to its new state by the deletions, then the insertions:
/// [`SlabGraph::apply_deletions`](super::SlabGraph::apply_deletions),
/// [`SlabGraph::apply_insertions`](super::SlabGraph::apply_insertions). It is a proof: only
/// the graph that it was found in takes it, once, and only while that is as it was.
#[derive(Debug)]
pub struct Change<W: Weight = ()> {
    deleted: DeviceBuffer<Edge<W>>,
    inserted: DeviceBuffer<Edge<W>>,
    pub(super) basis: Version,
}

impl<W: Weight> Change<W> {
    /// No change.
    pub(super) fn none(device: &Device, basis: Version) -> Result<Self, Error> {
        let list = || DeviceBuffer::zeroed(device, 0);
        Ok(Change { deleted: list()?, inserted: list()?, basis })
    }

    /// The edges that are there and will not be, or will have another weight; with the
    /// weight that they have.
    pub fn deleted(&self) -> &DeviceBuffer<Edge<W>> {
        &self.deleted
    }

    /// The edges that are not there and will be, or have another weight; with the weight
    /// that they will have.
    pub fn inserted(&self) -> &DeviceBuffer<Edge<W>> {
        &self.inserted
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.deleted.is_empty() && self.inserted.is_empty()
    }
}

/// Lists the edges of the updates that `last` names.
#[kernel]
fn list_last<W: Weight>(edges: &[Edge<W>], last: &[Atomic<u32>], kept: &Frontier<Edge<W>>) {
    let slot = thread_id();
    let mut i = NO_ITEM;
    if slot < last.len() {
        i = last[slot].load();
    }
    let mut edge: Edge<W> = Edge { src: 0, dst: 0, weight: W::ZERO };
    if i != NO_ITEM {
        edge = edges[i];
    }
    warp_enqueue_frontier(kept, edge, i != NO_ITEM);
}

/// Lists what the updates that `last` names change in a graph: with the weights
/// that edges have, those that go; with their new ones, those that come. Nothing if
/// the batch was `refused`. A tile takes `per_tile` slots, its lanes' in turn; the
/// lists of destinations are searched if `reversed`, and both arcs listed if
/// `mirrored`.
#[kernel]
fn find_changes<W: Weight>(
    graph: &Graph<W>,
    edges: &[Edge<W>],
    deletes: &[u8],
    last: &[Atomic<u32>],
    per_tile: u32,
    reversed: bool,
    mirrored: bool,
    refused: &[Atomic<u32>],
    deleted: &Frontier<Edge<W>>,
    inserted: &Frontier<Edge<W>>,
) {
    let me = tile::<8>().lane_id();
    let slot = item_of_tile(last.len(), per_tile);
    let mut i = NO_ITEM;
    if slot != NO_ITEM && refused[0].load() == 0 {
        i = last[slot].load();
    }
    let (arc, head) = arc_and_list(graph, edges, i, reversed);
    let pending = head != NULL_SLAB;
    let mut found: u64 = NOT_FOUND;
    let mut work = tile::<8>().ballot(pending);
    while work != 0 {
        let lane = tile::<8>().dequeue(&mut work);
        let slab = tile::<8>().broadcast(head, lane);
        let wanted = tile::<8>().broadcast(arc.dst, lane);
        let bits: TileUniform<8, u64> = find_edge(graph, slab, wanted);
        if me == lane {
            found = bits;
        }
    }
    let src = select(reversed, arc.dst, arc.src);
    let dst = select(reversed, arc.src, arc.dst);
    let named: Edge<W> = Edge { src, dst, weight: arc.weight };
    let is_deleted = pending && is_deletion(deletes, i);
    let differs = is_deleted || found != named.weight.to_bits() as u64;
    let goes = pending && found != NOT_FOUND && differs;
    let comes = pending && !is_deleted && differs;
    let old: Edge<W> = Edge { src: named.src, dst: named.dst, weight: W::from_bits(found as u32) };
    warp_enqueue_frontier(deleted, old, goes);
    warp_enqueue_frontier(inserted, named, comes);
    if mirrored {
        // The other arc; a loop has none.
        let is_pair = named.src != named.dst;
        let old_arc: Edge<W> = Edge { src: old.dst, dst: old.src, weight: old.weight };
        let named_arc: Edge<W> = Edge { src: named.dst, dst: named.src, weight: named.weight };
        warp_enqueue_frontier(deleted, old_arc, goes && is_pair);
        warp_enqueue_frontier(inserted, named_arc, comes && is_pair);
    }
}

/// The last record of each edge, in no order: what a sequence of insertions
/// leaves. Synchronises.
pub(super) fn last_of_each<W: Weight>(
    edges: &DeviceBuffer<Edge<W>>,
    direction: Direction,
) -> Result<DeviceBuffer<Edge<W>>, Error> {
    let device = edges.device();
    let set = HashedEdges::of(edges, direction)?;
    let last = set.last();
    let mut items = DeviceBuffer::zeroed(device, edges.len())?;
    let length = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
    let kept = Frontier { items: items.view(), length: length.view() };
    list_last::launch(device, last.len() as u32, edges, last, kept)?;
    items.truncate(length.read(0, 1)?[0] as usize);
    Ok(items)
}

/// The lists that the kernels of a batch fill.
struct ChangeLists<W: Weight> {
    /// What [`find_refused`](super::validate::find_refused) found, and the lengths
    /// of the lists.
    counts: DeviceBuffer<Atomic<u32>>,
    change: Change<W>,
}

impl<W: Weight> ChangeLists<W> {
    /// For lists of this number of arcs.
    fn new(device: &Device, arcs: usize, basis: Version) -> Result<Self, Error> {
        let counts = DeviceBuffer::zeroed(device, 3)?;
        let list = || DeviceBuffer::zeroed(device, arcs);
        Ok(ChangeLists { counts, change: Change { deleted: list()?, inserted: list()?, basis } })
    }

    fn queue(
        &self,
        adjacency: &Adjacency<W>,
        end: Endpoint,
        updates: (&DeviceBuffer<Edge<W>>, &DeviceBuffer<u8>),
        direction: Direction,
    ) -> Result<(), Error> {
        let ((edges, deletes), Change { deleted, inserted, .. }) = (updates, &self.change);
        let set = HashedEdges::of(edges, direction)?;
        let last = set.last();
        let deleted = Frontier { items: deleted.view(), length: self.counts.view_of(1..2) };
        let inserted = Frontier { items: inserted.view(), length: self.counts.view_of(2..3) };
        let (threads, per_tile) = spread(edges.device(), last.len());
        find_changes::launch(
            edges.device(),
            threads,
            adjacency,
            edges,
            deletes,
            last,
            per_tile,
            end.is_reversed(),
            direction == Direction::Undirected,
            &self.counts,
            deleted,
            inserted,
        )
    }
}

/// What a batch changes, by a search in one orientation of a graph. Synchronises.
pub(super) fn changes_in<W: Weight>(
    (adjacency, end): (&Adjacency<W>, Endpoint),
    ids: &Ids,
    batch: &Batch<W>,
    direction: Direction,
    basis: Version,
) -> Result<Change<W>, Error> {
    let device = adjacency.device();
    let arcs = if direction == Direction::Undirected { 2 } else { 1 } * batch.len();
    let mut found = ChangeLists::new(device, arcs, basis)?;
    let edges = DeviceBuffer::from_slice(device, batch.edges())?;
    let deletes = DeviceBuffer::from_slice(device, batch.deletes())?;
    queue_check(ids, &edges, &deletes, &found.counts)?;
    found.queue(adjacency, end, (&edges, &deletes), direction)?;
    let counts = found.counts.to_vec()?;
    none_refused(ids, &edges, counts[0])?;
    found.change.deleted.truncate(counts[1] as usize);
    found.change.inserted.truncate(counts[2] as usize);
    Ok(found.change)
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![list_last::info::<u32>(), find_changes::info::<()>(), find_changes::info::<f32>()]
}
