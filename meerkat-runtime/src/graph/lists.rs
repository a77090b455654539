//! What the owner of a graph asks of the lists of one orientation, whatever holds them.
//!
//! ```text
//! DynamicGraph<L>: ids, batches, the transaction, files
//!   --ListOperations--> L: lists built, arcs inserted, deleted, searched for, laid out again
//! ```

use super::layout::Edge;
use super::options::{Endpoint, SlabOptions};
use super::statistics::Statistics;
use crate::device::{Device, DeviceBuffer, Words};
use crate::frontier::Frontier;
use crate::launch::HostArg;
use crate::neighbors::{Neighbors, UpdatedNeighbors};
use crate::view::{Atomic, DeviceSlice};
use crate::{Error, Vertex, Weight};
use std::ops::Range;

/// The lists of one orientation of a [`DynamicGraph`](super::DynamicGraph), in one of the
/// containers that batches can change: [`Adjacency`](super::Adjacency) in slabs,
/// [`CompactEdges`](super::compact_slabs::CompactEdges) in compact slabs,
/// [`BlockEdges`](super::block_arrays::BlockEdges) in block arrays. Sealed; a container of
/// one's own that only operators read needs [`Neighbors`](crate::Neighbors) and
/// [`Container`](crate::Container).
pub trait EdgeLists: ListOperations {}

impl<L: ListOperations> EdgeLists for L {}

/// A list of edges on the device.
pub(super) type EdgeBuffer<L> = DeviceBuffer<Edge<<L as ListOperations>::Carried>>;

/// A list of edges for a kernel that takes as many of them as a word on the device says.
pub struct Listed<W: Weight> {
    pub(super) edges: DeviceSlice<Edge<W>>,
    pub(super) limit: DeviceSlice<Atomic<u32>>,
    /// Unless the word says all, none.
    pub(super) whole: bool,
    /// Into the lists of their destinations.
    pub(super) reversed: bool,
    /// What changes is listed as it lies there.
    pub(super) mirrored: bool,
}

/// The updates of a batch, and where what they change is listed.
pub struct ChangeSearch<'a, W: Weight> {
    pub(super) edges: &'a DeviceBuffer<Edge<W>>,
    pub(super) deletes: &'a DeviceBuffer<u8>,
    pub(super) deletes_all: bool,
    /// The last update of each edge.
    pub(super) last: &'a DeviceBuffer<Atomic<u32>>,
    pub(super) reversed: bool,
    pub(super) mirrored: bool,
    pub(super) limit: DeviceSlice<Atomic<u32>>,
    pub(super) deleted: Frontier<Edge<W>>,
    pub(super) inserted: Frontier<Edge<W>>,
}

/// What a list of insertions came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InsertOutcome {
    /// Every edge is there.
    Done,
    /// No slab left, for some.
    NoSlab,
    /// A list that is to be laid out again first, for some.
    NoPlace,
}

/// What an insertion may do to tombstones.
#[derive(Clone, Copy, Debug)]
pub enum Tombstones<'a, W: Weight> {
    /// They are wanted still: these edges were deleted, and may come back without that memory is
    /// taken. A list that is laid out meanwhile gets places for them.
    Kept(&'a DeviceBuffer<Edge<W>>),
    /// Lists may be laid out again.
    Swept,
}

/// An arc as a debug pass finds it: vertex, neighbour, bits of the weight.
pub(super) type RawArc = (u32, u32, u32);

/// What the owner of lists shows to call what would not be safe for others: nobody else can make one,
/// so what a bound on [`EdgeLists`] lets others call is safe.
#[derive(Clone, Copy, Debug)]
pub struct Internal(());

impl Internal {
    pub(super) const TOKEN: Internal = Internal(());
}

/// What [`EdgeLists`] do. Lists are those of `end`s of edges: a list of edges gets into the lists
/// of their sources, or of their destinations. What is queued waits for nothing.
pub trait ListOperations: Sized {
    /// What edges carry.
    type Carried: Weight;
    /// What operators take.
    type View: UpdatedNeighbors<Carried = Self::Carried>;
    /// The lists as an argument of a launch.
    type Arg<'a>: HostArg<Self::View> + Copy
    where
        Self: 'a;
    /// The lists of deleted vertices.
    type Taken;

    /// The lists, to be passed to a launch.
    fn arg(&self) -> Self::Arg<'_>;
    /// The device they are on.
    fn device(&self) -> &Device;
    /// How many vertices there are.
    fn vertex_count(&self) -> u32;
    /// Whether a list may get any length: see [`Container::has_endless_lists`](crate::Container::has_endless_lists).
    fn has_endless_lists(&self) -> bool {
        false
    }

    /// Refuses more vertices than lists can name.
    fn check_vertices(count: u64) -> Result<(), Error>;
    /// Empty lists for vertices of these degrees, which count `arcs` arcs; all of these are to be
    /// [`fill`](Self::fill)ed in, part by part. Synchronises.
    fn planned(
        degrees: DeviceBuffer<Atomic<u32>>,
        arcs: u64,
        options: &SlabOptions,
        _: Internal,
    ) -> Result<Self, Error>;
    /// Inserts edges that the degrees have counted; with weights no edge is repeated, unless with
    /// the same weight. Synchronises. [`finish_filling`](Self::finish_filling) follows the last.
    fn fill(&mut self, edges: &EdgeBuffer<Self>, ends: &[Endpoint]) -> Result<(), Error>;
    /// Ends a build.
    fn finish_filling(&mut self) -> Result<(), Error>;
    /// Fills lists in with all of another container, whose degrees they were planned for and which
    /// [names each neighbour once](Neighbors::has_no_repeats), unless these lists have no such way:
    /// `false`. Queued on CUDA.
    fn copy<G: Neighbors<Carried = Self::Carried>>(
        &mut self,
        _source: impl HostArg<G> + Copy,
        _: Internal,
    ) -> Result<bool, Error> {
        Ok(false)
    }

    /// Queues insertions.
    fn queue_insertions(
        &self,
        edges: &EdgeBuffer<Self>,
        end: Endpoint,
        _: Internal,
    ) -> Result<(), Error>;
    /// Queues deletions.
    fn queue_deletions(
        &self,
        edges: &EdgeBuffer<Self>,
        end: Endpoint,
        _: Internal,
    ) -> Result<(), Error>;
    /// Queues searches: `found` gets 1 or 0 for each edge.
    fn queue_searches(
        &self,
        edges: &EdgeBuffer<Self>,
        end: Endpoint,
        found: &DeviceBuffer<Atomic<u32>>,
        _: Internal,
    ) -> Result<(), Error>;
    /// Whether the edges of a change, each of which is new and named once, may take the places of
    /// tombstones, by [`queue_restorations`](Self::queue_restorations). Else they are put where
    /// there never was a key: lists that tell new keys by their places need that.
    const REUSES_TOMBSTONES: bool = false;
    /// Whether restorations bring all back that was deleted, as long as no list was laid out again
    /// but by [`insert`](Self::insert) for them.
    const RESTORES_ALL: bool = true;
    /// Queues the way back of deletions: to places of tombstones. Takes no memory. Where `inserts`, it
    /// is a way in, and an edge that finds no place soon is left out.
    fn queue_restorations(
        &self,
        edges: DeviceSlice<Edge<Self::Carried>>,
        end: Endpoint,
        inserts: bool,
        _: Internal,
    ) -> Result<(), Error>;
    /// Queues a search for what updates change.
    fn queue_change_search(
        &self,
        search: ChangeSearch<'_, Self::Carried>,
        _: Internal,
    ) -> Result<(), Error>;
    /// Queues insertions that list the arcs that are new in `new`, if that has room. They may
    /// give up in a long list: see [`patience`](Self::patience).
    fn queue_listed_insertions(
        &self,
        listed: &Listed<Self::Carried>,
        patience: u32,
        new: Frontier<Edge<Self::Carried>>,
        _: Internal,
    ) -> Result<(), Error>;
    /// Queues deletions that list the arcs that were there in `gone`, if that has room.
    fn queue_listed_deletions(
        &self,
        listed: &Listed<Self::Carried>,
        gone: Frontier<Edge<Self::Carried>>,
        _: Internal,
    ) -> Result<(), Error>;

    /// How long insertions are to go on in long lists, in the container's own terms.
    fn patience(&self) -> u32;
    /// The three words that insertions leave: to be read, and then noted.
    fn found(&self, _: Internal) -> Words<'_>;
    /// Takes note of the words that insertions left that had this patience.
    fn note_found(&mut self, words: &[u32], patience: u32) -> InsertOutcome;
    /// Makes room after insertions of these edges found none; the patience to go on with.
    /// Synchronises.
    fn make_room(
        &mut self,
        outcome: InsertOutcome,
        patience: u32,
        edges: &EdgeBuffer<Self>,
        ends: &[Endpoint],
    ) -> Result<u32, Error>;
    /// Goes on after a lane found no room. Takes no memory.
    fn forget_exhaustion(&mut self) -> Result<(), Error>;
    /// Inserts edges and makes room as they need. Synchronises.
    fn insert(
        &mut self,
        edges: &EdgeBuffer<Self>,
        ends: &[Endpoint],
        tombstones: Tombstones<'_, Self::Carried>,
    ) -> Result<(), Error>;
    /// Makes room for the insertion of so many more edges.
    fn reserve(&mut self, edges: u64) -> Result<(), Error>;

    /// Whether an insertion found a long list, as was last noted.
    fn has_long_lists(&self) -> bool;
    /// Lays the lists out again that insertions found long; whether other lists would be any shorter.
    /// Synchronises.
    fn lay_out_long_lists(&mut self) -> Result<bool, Error>;

    /// Lays out some lists of these vertices that take far more memory than their neighbours ask for:
    /// how many. Synchronises.
    fn sweep(&mut self, vertices: Range<Vertex>, _: Internal) -> Result<usize, Error>;

    /// Whether the lists of updates are lists apart ([`updates_apart`](Self::updates_apart)), and not
    /// noted in the lists.
    const KEEPS_UPDATES_APART: bool = false;
    /// Begins to note updates, none so far.
    fn track_updates(&mut self) -> Result<(), Error> {
        Ok(())
    }
    /// Begins a new set of noted updates.
    fn advance_updates(&mut self) -> Result<(), Error> {
        Ok(())
    }
    /// Where operators find the lists of updates that are kept apart.
    fn updates_apart(&mut self) -> Option<&mut Option<Box<Self>>> {
        None
    }

    /// How many neighbours each vertex has, for the caller to keep. Queued on CUDA.
    fn copied_degrees(&self) -> Result<DeviceBuffer<Atomic<u32>>, Error>;
    /// How many arcs there are. Synchronises.
    fn arc_count(&self) -> Result<u64, Error>;
    /// Bytes of device memory.
    fn bytes(&self) -> u64;
    /// How full the lists are. Synchronises.
    fn statistics(&self) -> Result<Statistics, Error>;
    /// All arcs, if what must hold between operations does: for tests.
    fn checked_arcs(&self) -> Result<Vec<RawArc>, Error>;

    /// Memory for this number of vertices in all; then [`add_vertices`](Self::add_vertices) finds
    /// what it needs.
    fn reserve_vertices(&mut self, vertices: u32) -> Result<(), Error>;
    /// Empty lists for new vertices, up to this number in all.
    fn add_vertices(&mut self, vertices: u32) -> Result<(), Error>;
    /// The lists of some vertices, and how many arcs they have. Synchronises.
    fn take_lists(
        &self,
        vertices: &DeviceBuffer<Vertex>,
        _: Internal,
    ) -> Result<(Self::Taken, u64), Error>;
    /// Empties lists; if `mirrored`, the arc back of each of their arcs leaves `back`.
    fn empty_lists(
        &self,
        back: &Self,
        mirrored: bool,
        taken: &Self::Taken,
        _: Internal,
    ) -> Result<(), Error>;
    /// Uses again what the lists gave up. Takes no memory that is not there.
    fn reuse_lists(
        &mut self,
        vertices: &DeviceBuffer<Vertex>,
        taken: Self::Taken,
    ) -> Result<(), Error>;
}
