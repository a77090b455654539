//! What a batch changes, found on the device.
//!
//! ```text
//! DeviceBatch --keep_last--> the last update of each edge
//!   --find_changes, a search in the graph--> Change
//! ```
//!
//! The table of a set of edges (`edge_set`) names the last update of each edge.

use super::adjacency::{Adjacency, spread};
use super::batch::UpdateKind;
use super::compact_slabs::Compact;
use super::device_batch::DeviceBatch;
use super::edge_set::HashedEdges;
use super::ids::Ids;
use super::layout::{Edge, NO_ITEM, as_listed, item_of_tile};
use super::lists::{ChangeSearch, EdgeLists, Internal};
use super::options::Endpoint;
use super::search::{arc_and_list, find_edge};
use super::validate::{NONE_REFUSED, is_deletion, none_refused, queue_check};
use super::version::Version;
use crate::Direction;
use crate::device::{Device, DeviceBuffer, Words, read_together};
use crate::frontier::{Frontier, block_enqueue_frontier};
use crate::neighbors::{NOT_FOUND, Neighbors};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::{Graph, NULL_SLAB};
use crate::view::{Atomic, DeviceSlice};
use crate::{Error, TileUniform, Weight};
use meerkat_macros::{device, kernel};

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

    /// The edges that go.
    pub(super) fn into_deleted(self) -> DeviceBuffer<Edge<W>> {
        self.deleted
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
    block_enqueue_frontier(kept, edge, i != NO_ITEM);
}

/// Lists what the updates that `last` names change in a graph: with the weights
/// that edges have, those that go; with their new ones, those that come. Nothing if
/// one of the updates is refused (`limit`). A tile takes `per_tile` slots, its lanes' in turn; the
/// lists of destinations are searched if `reversed`, and both arcs listed if
/// `mirrored`.
#[kernel]
fn find_changes<W: Weight>(
    graph: &Graph<W>,
    edges: &[Edge<W>],
    deletes: &[u8],
    deletes_all: bool,
    last: &[Atomic<u32>],
    per_tile: u32,
    reversed: bool,
    mirrored: bool,
    limit: &[Atomic<u32>],
    deleted: &Frontier<Edge<W>>,
    inserted: &Frontier<Edge<W>>,
) {
    let me = tile::<8>().lane_id();
    let slot = item_of_tile(last.len(), per_tile);
    let mut i = NO_ITEM;
    if slot != NO_ITEM && limit[0].load() >= edges.len() {
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
    let is_deleted = pending && (deletes_all || is_deletion(deletes, i));
    let named: Edge<W> = as_listed(arc, reversed);
    let (may_go, may_come, old): (bool, bool, Edge<W>) = changed_by(named, found, is_deleted);
    let (goes, comes) = (pending && may_go, pending && may_come);
    block_enqueue_frontier(deleted, old, goes);
    block_enqueue_frontier(inserted, named, comes);
    if mirrored {
        // The other arc; a loop has none.
        let is_pair = named.src != named.dst;
        block_enqueue_frontier(deleted, turned(old), goes && is_pair);
        block_enqueue_frontier(inserted, turned(named), comes && is_pair);
    }
}

/// [`find_changes`] in any container, a lane each.
#[kernel]
fn find_changes_alone<W: Weight, G: Neighbors<Carried = W>>(
    graph: &G,
    edges: &[Edge<W>],
    deletes: &[u8],
    deletes_all: bool,
    last: &[Atomic<u32>],
    reversed: bool,
    mirrored: bool,
    limit: &[Atomic<u32>],
    deleted: &Frontier<Edge<W>>,
    inserted: &Frontier<Edge<W>>,
) {
    let slot = thread_id();
    let mut i = NO_ITEM;
    if slot < last.len() && limit[0].load() >= edges.len() {
        i = last[slot].load();
    }
    let pending = i != NO_ITEM;
    let mut named: Edge<W> = Edge { src: 0, dst: 0, weight: W::ZERO };
    let mut found: u64 = NOT_FOUND;
    if pending {
        named = edges[i];
        // In range, since none of the updates is refused.
        let arc: Edge<W> = as_listed(named, reversed);
        found = graph.find(arc.src, arc.dst);
    }
    let is_deleted = pending && (deletes_all || is_deletion(deletes, i));
    let (may_go, may_come, old): (bool, bool, Edge<W>) = changed_by(named, found, is_deleted);
    let (goes, comes) = (pending && may_go, pending && may_come);
    block_enqueue_frontier(deleted, old, goes);
    block_enqueue_frontier(inserted, named, comes);
    if mirrored {
        // The other arc; a loop has none.
        let is_pair = named.src != named.dst;
        block_enqueue_frontier(deleted, turned(old), goes && is_pair);
        block_enqueue_frontier(inserted, turned(named), comes && is_pair);
    }
}

/// What an update changes whose edge was `found` in the graph: whether that goes, whether it comes,
/// and the edge as it was.
#[device]
fn changed_by<W: Weight>(named: Edge<W>, found: u64, is_deleted: bool) -> (bool, bool, Edge<W>) {
    let differs = is_deleted || found != named.weight.to_bits() as u64;
    let old: Edge<W> = Edge { src: named.src, dst: named.dst, weight: W::from_bits(found as u32) };
    (found != NOT_FOUND && differs, !is_deleted && differs, old)
}

/// The other arc of an edge.
#[device]
fn turned<W: Weight>(edge: Edge<W>) -> Edge<W> {
    Edge::<W> { src: edge.dst, dst: edge.src, weight: edge.weight }
}

/// The last record of each edge, in no order: what a sequence of insertions
/// leaves. Synchronises.
pub(crate) fn last_of_each<W: Weight>(
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

/// A change by lists in which no edge is twice. (No method of `Change`: rustc would name it where
/// one is filled in.)
pub(super) fn change_by<W: Weight>(
    deleted: DeviceBuffer<Edge<W>>,
    inserted: DeviceBuffer<Edge<W>>,
    basis: Version,
) -> Change<W> {
    Change { deleted, inserted, basis }
}

/// A change of nothing.
pub(super) fn no_change<W: Weight>(device: &Device, basis: Version) -> Change<W> {
    change_by(DeviceBuffer::empty(device), DeviceBuffer::empty(device), basis)
}

/// What the kernels of a batch count, a word each.
#[derive(Clone, Copy)]
enum Count {
    /// The place of the first update that is refused, or [`NONE_REFUSED`].
    Limit,
    Deleted,
    Inserted,
}

/// How many counts there are.
pub(super) const COUNTS: usize = 3;

/// The lists that the kernels of a batch fill.
pub(super) struct ChangeLists<W: Weight> {
    counts: DeviceBuffer<Atomic<u32>>,
    change: Change<W>,
}

impl<W: Weight> ChangeLists<W> {
    /// Empty ones, with room for `deleted` and `inserted` arcs.
    pub(super) fn new(
        device: &Device,
        [deleted, inserted]: [usize; 2],
        basis: Version,
    ) -> Result<Self, Error> {
        let counts = DeviceBuffer::from_slice(device, &[NONE_REFUSED, 0, 0])?;
        let (deleted, inserted) = (unfilled(device, deleted)?, unfilled(device, inserted)?);
        Ok(ChangeLists { counts, change: Change { deleted, inserted, basis } })
    }

    fn word(&self, count: Count) -> DeviceSlice<Atomic<u32>> {
        self.counts.view_of(count as usize..count as usize + 1)
    }

    /// The word that is the place of the first update that is refused.
    pub(super) fn limit(&self) -> DeviceSlice<Atomic<u32>> {
        self.word(Count::Limit)
    }

    /// Where kernels list arcs that go.
    pub(super) fn deleted(&self) -> Frontier<Edge<W>> {
        Frontier { items: self.change.deleted.view(), length: self.word(Count::Deleted) }
    }

    /// Where kernels list arcs that come.
    pub(super) fn inserted(&self) -> Frontier<Edge<W>> {
        Frontier { items: self.change.inserted.view(), length: self.word(Count::Inserted) }
    }

    /// The arcs that are listed as gone: their list, and the word that says how many.
    pub(super) fn all_deleted(&self) -> (&DeviceBuffer<Edge<W>>, DeviceSlice<Atomic<u32>>) {
        (&self.change.deleted, self.word(Count::Deleted))
    }

    /// The arcs that are listed as new: their list, and the word that says how many.
    pub(super) fn all_inserted(&self) -> (&DeviceBuffer<Edge<W>>, DeviceSlice<Atomic<u32>>) {
        (&self.change.inserted, self.word(Count::Inserted))
    }

    /// No list, for kernels that need not list anything.
    pub(super) fn nowhere(&self) -> Frontier<Edge<W>> {
        Frontier { items: self.change.inserted.view_of(0..0), length: self.word(Count::Inserted) }
    }

    /// The counts, to be read.
    pub(super) fn words(&self) -> Words<'_> {
        (&self.counts, 0..COUNTS)
    }

    /// The error if an update was refused, by the counts that were read.
    pub(super) fn check(
        ids: &Ids,
        edges: &DeviceBuffer<Edge<W>>,
        counts: &[u32],
    ) -> Result<(), Error> {
        none_refused(ids, edges, counts[Count::Limit as usize])
    }

    /// How many arcs were listed, by the counts that were read.
    pub(super) fn count(counts: &[u32]) -> u32 {
        counts[Count::Deleted as usize] + counts[Count::Inserted as usize]
    }

    /// The lists, by the counts that were read.
    pub(super) fn finish(mut self, counts: &[u32]) -> Change<W> {
        self.change.deleted.truncate(counts[Count::Deleted as usize] as usize);
        self.change.inserted.truncate(counts[Count::Inserted as usize] as usize);
        self.change
    }
}

/// Memory for a list of edges that kernels fill.
#[allow(unsafe_code)] // Unfilled memory; the block says why.
fn unfilled<W: Weight>(device: &Device, length: usize) -> Result<DeviceBuffer<Edge<W>>, Error> {
    // SAFETY: an edge is numbers, of which any bytes are values.
    unsafe { DeviceBuffer::unfilled(device, length) }
}

/// What a batch changes, by a search in one orientation of a graph. Synchronises.
pub(super) fn changes_in<L: EdgeLists>(
    (own, end): (&L, Endpoint),
    ids: &Ids,
    updates: &DeviceBatch<L::Carried>,
    direction: Direction,
    basis: Version,
) -> Result<Change<L::Carried>, Error> {
    let DeviceBatch { edges, deletes, kind, .. } = updates;
    let mirrored = direction == Direction::Undirected;
    let arcs = if mirrored { 2 } else { 1 } * edges.len();
    let inserted = if *kind == UpdateKind::Deletions { 0 } else { arcs };
    let lists = ChangeLists::new(own.device(), [arcs, inserted], basis)?;
    queue_check(ids, updates, lists.limit())?;
    let set = HashedEdges::of(edges, direction)?;
    let search = ChangeSearch {
        edges,
        deletes,
        deletes_all: *kind == UpdateKind::Deletions,
        last: set.last(),
        reversed: end.is_reversed(),
        mirrored,
        limit: lists.limit(),
        deleted: lists.deleted(),
        inserted: lists.inserted(),
    };
    own.queue_change_search(search, Internal::TOKEN)?;
    let counts = read_together(&[lists.words()])?;
    ChangeLists::check(ids, edges, &counts)?;
    Ok(lists.finish(&counts))
}

impl<W: Weight> Adjacency<W> {
    pub(super) fn queue_change_search(&self, search: ChangeSearch<'_, W>) -> Result<(), Error> {
        let ChangeSearch { edges, deletes, deletes_all, last, reversed, mirrored, .. } = search;
        let ChangeSearch { limit, deleted, inserted, .. } = search;
        let (threads, per_tile) = spread(self.device(), last.len());
        find_changes::launch(
            self.device(),
            threads,
            self,
            edges,
            deletes,
            deletes_all,
            last,
            per_tile,
            reversed,
            mirrored,
            limit,
            deleted,
            inserted,
        )
    }
}

/// Queues a search for changes in any container, by lanes.
pub(super) fn search_alone<L: EdgeLists>(
    lists: &L,
    search: ChangeSearch<'_, L::Carried>,
) -> Result<(), Error> {
    let ChangeSearch { edges, deletes, deletes_all, last, reversed, mirrored, .. } = search;
    let ChangeSearch { limit, deleted, inserted, .. } = search;
    find_changes_alone::launch(
        lists.device(),
        last.len() as u32,
        lists.arg(),
        edges,
        deletes,
        deletes_all,
        last,
        reversed,
        mirrored,
        limit,
        deleted,
        inserted,
    )
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        list_last::info::<u32>(),
        find_changes::info::<()>(),
        find_changes::info::<f32>(),
        find_changes_alone::info::<(), Compact>(),
        find_changes_alone::info::<f32, Compact<f32>>(),
    ]
}
