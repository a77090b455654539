//! Batches in pinned memory, from which a device copies while it applies another.

use super::batch::{UpdateKind, check_length};
use super::device_batch::{BatchSource, DeviceBatch, sealed};
use super::layout::Edge;
use crate::device::{Device, PinnedList};
use crate::{Error, Weight};

/// A [`Batch`](super::Batch) in memory that the device copies from by itself: while it copies
/// one, it can apply another.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_runtime::graph::PinnedBatch;
/// use meerkat_runtime::prelude::*;
///
/// let device = Device::auto();
/// let mut graph = SlabGraph::<()>::from_edges(&device, 100, &[], &SlabOptions::DEFAULT)?;
/// let mut batches = Vec::new();
/// for src in 0..3 {
///     let mut batch = PinnedBatch::new(&device, 99)?;
///     let edges: Vec<_> = (0..99).map(|dst| Edge { src, dst, weight: () }).collect();
///     batch.insert(&edges)?;
///     batches.push(batch);
/// }
/// // Each is on its way while the one before is applied.
/// let mut ahead = batches[0].upload()?;
/// for next in &batches[1..] {
///     let arrived = std::mem::replace(&mut ahead, next.upload()?);
///     graph.apply(&arrived)?;
/// }
/// graph.apply(&ahead)?;
/// assert_eq!(graph.edge_count()?, 297);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct PinnedBatch<W: Weight = ()> {
    edges: PinnedList<Edge<W>>,
    /// For each update up to the last deletion whether it is one: 1 or 0.
    deletes: PinnedList<u8>,
    has_insertions: bool,
}

impl<W: Weight> PinnedBatch<W> {
    /// No updates, and room for `capacity`.
    ///
    /// # Errors
    /// No pinned memory.
    pub fn new(device: &Device, capacity: usize) -> Result<Self, Error> {
        let (edges, deletes) = (PinnedList::new(device, capacity)?, PinnedList::new(device, 0)?);
        Ok(PinnedBatch { edges, deletes, has_insertions: false })
    }

    /// Appends insertions. Waits for the copies of the batch that are under way.
    ///
    /// # Errors
    /// No pinned memory where there is no room left.
    pub fn insert(&mut self, edges: &[Edge<W>]) -> Result<(), Error> {
        self.edges.extend(edges)?;
        self.has_insertions |= !edges.is_empty();
        Ok(())
    }

    /// Appends deletions. Waits for the copies of the batch that are under way.
    ///
    /// # Errors
    /// As [`insert`](Self::insert).
    pub fn delete(&mut self, edges: &[Edge<W>]) -> Result<(), Error> {
        if edges.is_empty() {
            return Ok(());
        }
        let before = self.edges.len();
        self.edges.extend(edges)?;
        let mut flags = vec![0; before - self.deletes.len()];
        flags.resize(flags.len() + edges.len(), 1);
        self.deletes.extend(&flags).inspect_err(|_| self.edges.truncate(before))
    }

    /// Forgets the updates; their memory stays.
    pub fn clear(&mut self) {
        self.edges.clear();
        self.deletes.clear();
        self.has_insertions = false;
    }

    /// How many updates there are.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Begins to copy the batch to the device. Queued on CUDA, beside what the device does:
    /// who uses the copy waits for it.
    ///
    /// # Errors
    /// Too many updates; no memory.
    pub fn upload(&self) -> Result<DeviceBatch<W>, Error> {
        check_length(self.len())?;
        let (edges, arrival) = self.edges.upload()?;
        let batch = DeviceBatch::arriving(edges, self.kind(), arrival);
        if self.kind() != UpdateKind::Mixed {
            return Ok(batch);
        }
        // One copy after the other, so who waits for the second has both.
        let (deletes, arrival) = self.deletes.upload()?;
        Ok(batch.with_deletes(deletes, arrival))
    }

    fn kind(&self) -> UpdateKind {
        match (self.deletes.len(), self.has_insertions) {
            (0, _) => UpdateKind::Insertions,
            (_, false) => UpdateKind::Deletions,
            _ => UpdateKind::Mixed,
        }
    }
}

impl<W: Weight> sealed::Sealed<W> for PinnedBatch<W> {
    fn with_updates<T>(
        &self,
        device: &Device,
        act: impl FnOnce(&DeviceBatch<W>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.upload()?.with_updates(device, act)
    }
}

impl<W: Weight> BatchSource<W> for PinnedBatch<W> {}
