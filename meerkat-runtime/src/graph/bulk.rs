//! Edges in bulk: lists on the device inserted, deleted and searched for at full
//! speed.

use super::batch::check_length;
use super::device_batch::DeviceBatch;
use super::dynamic_graph::DynamicGraph;
use super::layout::Edge;
use super::lists::{EdgeBuffer, EdgeLists, Internal, Tombstones};
use super::validate::{check_insertions, check_range};
use crate::device::DeviceBuffer;
use crate::view::Atomic;
use crate::{Error, ErrorKind};

impl<L: EdgeLists> DynamicGraph<L> {
    /// [`insert`](Self::insert) of edges that are on the device already, for speed:
    /// what it changed is not found out. With weights no edge may be named twice,
    /// in an undirected graph in neither direction: which of the weights it would
    /// get is open. Where updates are kept apart, what is new has to be found out: that is
    /// [`apply`](Self::apply), and an edge that gets another weight is an update; in slabs it is
    /// none. Synchronises.
    ///
    /// # Errors
    /// An edge outside the graph or a NaN, and then nothing was inserted. No memory: what
    /// fitted is in the graph, and the same call later completes it.
    pub fn insert_buffer(&mut self, edges: &EdgeBuffer<L>) -> Result<(), Error> {
        edges.check_device(self.device())?;
        if self.updates.is_some() {
            let batch = DeviceBatch::insertions(edges.first(edges.len())?);
            return self.apply(&batch).map(drop);
        }
        check_insertions(&self.ids, edges)?;
        self.advance_version();
        // At most: those that are there are counted again.
        self.counts.inserted += edges.len() as u64;
        let options = *self.options();
        let before = std::mem::replace(&mut self.may_be_partial, true);
        self.each_orientation(|lists, end| {
            lists.insert(edges, options.ends_of(end), Tombstones::Swept)
        })?;
        self.may_be_partial = before;
        self.compact_by_policy();
        Ok(())
    }

    /// [`delete`](Self::delete) of edges that are on the device already, for speed: what it
    /// changed is not found out. Edges outside the graph are not in it, so nothing happens
    /// to them. Queued on CUDA, unless it compacts or lays long lists out again.
    ///
    /// # Errors
    /// The device fails.
    pub fn delete_buffer(&mut self, edges: &EdgeBuffer<L>) -> Result<(), Error> {
        self.queue_deletions(edges)?;
        self.counts.deleted += edges.len() as u64;
        self.compact_by_policy();
        Ok(())
    }

    /// Queues an insertion as [`insert_buffer`](Self::insert_buffer) without waiting: an edge
    /// outside the graph, or with NaN, is left out and nobody says so.
    /// [`insert_buffer`](Self::insert_buffer) of the same edges completes it if
    /// the slabs did not suffice. Synchronises where vertices have been deleted. Where updates
    /// are kept apart, it is [`insert_buffer`](Self::insert_buffer).
    ///
    /// # Errors
    /// An edge of a deleted vertex, and then nothing was inserted; the device fails.
    pub fn queue_insertions(&mut self, edges: &EdgeBuffer<L>) -> Result<(), Error> {
        if self.updates.is_some() {
            return self.insert_buffer(edges);
        }
        if self.ids.has_deleted() {
            edges.check_device(self.device())?;
            check_insertions(&self.ids, edges)?;
        }
        self.advance_version();
        self.may_be_partial = true;
        self.each_end(|lists, end| lists.queue_insertions(edges, end, Internal::TOKEN))
    }

    /// Queues the deletion of edges that are on the device already. Deleting twice is deleting
    /// once, and what is outside the graph is not in it.
    ///
    /// # Errors
    /// The device fails.
    pub fn queue_deletions(&mut self, edges: &EdgeBuffer<L>) -> Result<(), Error> {
        self.advance_version();
        self.forget_updates_in_bulk(edges)?;
        self.each_end(|lists, end| lists.queue_deletions(edges, end, Internal::TOKEN))
    }

    /// Queues a search for edges that are on the device already; `found` gets 1 or 0 for
    /// each, 0 for one outside the graph.
    ///
    /// # Errors
    /// `found` is shorter than `edges`; the device fails.
    pub fn queue_searches(
        &self,
        edges: &EdgeBuffer<L>,
        found: &DeviceBuffer<Atomic<u32>>,
    ) -> Result<(), Error> {
        if found.len() < edges.len() {
            let (index, length) = (edges.len() - 1, found.len());
            return Err(ErrorKind::OutOfBounds { index, length }.into());
        }
        match self.any_orientation() {
            Some((lists, end)) => lists.queue_searches(edges, end, found, Internal::TOKEN),
            None => Ok(()),
        }
    }

    /// Whether each of the edges is in the graph; weights do not matter.
    /// Synchronises.
    ///
    /// # Errors
    /// An edge outside the graph; the device fails.
    pub fn contains(&self, edges: &[Edge<L::Carried>]) -> Result<Vec<bool>, Error> {
        check_length(edges.len())?;
        let edges = DeviceBuffer::from_slice(self.device(), edges)?;
        check_range(&self.ids, &edges)?;
        let found = DeviceBuffer::zeroed(self.device(), edges.len())?;
        self.queue_searches(&edges, &found)?;
        Ok(found.to_vec()?.into_iter().map(|found| found == 1).collect())
    }

    /// Makes room for the insertion of so many more edges into each orientation, as they usually
    /// take it, so that insertions need not. Synchronises.
    ///
    /// # Errors
    /// No memory, or more than can be numbered; the graph is as it was.
    pub fn reserve(&mut self, edges: u64) -> Result<(), Error> {
        self.each_orientation(|lists, _| lists.reserve(edges))
    }
}
