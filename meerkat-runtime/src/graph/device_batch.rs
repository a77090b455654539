//! Batches whose updates are on the device, or on their way to it.

use super::batch::{Batch, UpdateKind, check_length};
use super::layout::Edge;
use crate::device::{Arrival, Device, DeviceBuffer};
use crate::{Error, ErrorKind, Weight};

/// A [`Batch`] on a device: for updates that a kernel made, or that were copied ahead of
/// time.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_runtime::graph::DeviceBatch;
/// use meerkat_runtime::prelude::*;
///
/// let device = Device::auto();
/// let edge = |src, dst| Edge { src, dst, weight: () };
/// let mut graph = SlabGraph::from_edges(&device, 4, &[edge(0, 1)], &SlabOptions::DEFAULT)?;
/// let new = DeviceBuffer::from_slice(&device, &[edge(1, 2), edge(0, 1)])?;
/// let change = graph.apply(&DeviceBatch::insertions(new))?;
/// assert_eq!(change.inserted().to_vec()?, [edge(1, 2)]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct DeviceBatch<W: Weight = ()> {
    /// Dropped first: the copy is waited for before its memory goes.
    arrival: Arrival,
    pub(super) edges: DeviceBuffer<Edge<W>>,
    /// For each update up to the last deletion whether it is one: 1 or 0. None where all
    /// updates are of one kind.
    pub(super) deletes: DeviceBuffer<u8>,
    pub(super) kind: UpdateKind,
}

impl<W: Weight> DeviceBatch<W> {
    /// Insertions of edges; of those that are named several times the last counts.
    pub fn insertions(edges: DeviceBuffer<Edge<W>>) -> Self {
        Self::arriving(edges, UpdateKind::Insertions, Arrival::default())
    }

    /// Deletions of edges, whose weights do not matter.
    pub fn deletions(edges: DeviceBuffer<Edge<W>>) -> Self {
        Self::arriving(edges, UpdateKind::Deletions, Arrival::default())
    }

    /// Updates of one kind, or of which the flags follow, which are there after an arrival.
    pub(super) fn arriving(
        edges: DeviceBuffer<Edge<W>>,
        kind: UpdateKind,
        arrival: Arrival,
    ) -> Self {
        let deletes = DeviceBuffer::empty(edges.device());
        DeviceBatch { arrival, edges, deletes, kind }
    }

    /// The same with flags, which are there after an arrival, as the edges are then.
    pub(super) fn with_deletes(self, deletes: DeviceBuffer<u8>, arrival: Arrival) -> Self {
        let arrival = self.arrival.then(arrival);
        DeviceBatch { arrival, edges: self.edges, deletes, kind: UpdateKind::Mixed }
    }

    /// Updates in order: those with a 1 in `deletes` are deletions, all others insertions.
    ///
    /// # Errors
    /// Not a flag for each update.
    pub fn mixed(edges: DeviceBuffer<Edge<W>>, deletes: DeviceBuffer<u8>) -> Result<Self, Error> {
        deletes.check_device(edges.device())?;
        if deletes.len() != edges.len() {
            let (edges, flags) = (edges.len(), deletes.len());
            return Err(ErrorKind::FlagsOfBatch { edges, flags }.into());
        }
        let batch = Self::arriving(edges, UpdateKind::Mixed, Arrival::default());
        Ok(batch.with_deletes(deletes, Arrival::default()))
    }

    /// How many updates there are.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Whether all updates are deletions.
    pub(crate) fn deletes_all(&self) -> bool {
        self.kind == UpdateKind::Deletions
    }

    /// Flags of deletions up to the last, where there are both kinds: 1 or 0.
    pub(crate) fn deletes(&self) -> Option<&DeviceBuffer<u8>> {
        (self.kind == UpdateKind::Mixed).then_some(&self.deletes)
    }

    /// The edges that the updates name, in order. What is queued from now on waits for them, if
    /// they are on their way.
    ///
    /// # Errors
    /// The device fails.
    pub fn edges(&self) -> Result<&DeviceBuffer<Edge<W>>, Error> {
        self.arrival.join()?;
        Ok(&self.edges)
    }
}

impl<W: Weight> Batch<W> {
    /// The batch on a device. Queued on CUDA, once it has been read.
    ///
    /// # Errors
    /// Too many updates; no memory.
    pub fn to_device(&self, device: &Device) -> Result<DeviceBatch<W>, Error> {
        check_length(self.len())?;
        let edges = DeviceBuffer::from_slice(device, self.edges())?;
        match self.kind() {
            UpdateKind::Insertions => Ok(DeviceBatch::insertions(edges)),
            UpdateKind::Deletions => Ok(DeviceBatch::deletions(edges)),
            kind @ UpdateKind::Mixed => {
                let deletes = DeviceBuffer::from_slice(device, self.deletes())?;
                let batch = DeviceBatch::arriving(edges, kind, Arrival::default());
                Ok(batch.with_deletes(deletes, Arrival::default()))
            }
        }
    }
}

/// Where the updates of a batch are: in host memory ([`Batch`]), in pinned memory
/// ([`PinnedBatch`](super::PinnedBatch)), or on the device ([`DeviceBatch`]). What
/// [`SlabGraph::apply`](super::SlabGraph::apply) takes.
pub trait BatchSource<W: Weight>: sealed::Sealed<W> {}

pub(super) mod sealed {
    use super::{Batch, Device, DeviceBatch, Error, Weight};

    pub trait Sealed<W: Weight> {
        /// Does something with the updates on a device. Copies are queued on CUDA.
        fn with_updates<T>(
            &self,
            device: &Device,
            act: impl FnOnce(&DeviceBatch<W>) -> Result<T, Error>,
        ) -> Result<T, Error>;

        /// The updates, if they are in host memory that is not pinned.
        fn in_host_memory(&self) -> Option<&Batch<W>> {
            None
        }
    }
}

impl<W: Weight> sealed::Sealed<W> for Batch<W> {
    fn with_updates<T>(
        &self,
        device: &Device,
        act: impl FnOnce(&DeviceBatch<W>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        act(&self.to_device(device)?)
    }

    fn in_host_memory(&self) -> Option<&Batch<W>> {
        Some(self)
    }
}

impl<W: Weight> BatchSource<W> for Batch<W> {}

impl<W: Weight> sealed::Sealed<W> for DeviceBatch<W> {
    fn with_updates<T>(
        &self,
        device: &Device,
        act: impl FnOnce(&DeviceBatch<W>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        check_length(self.len())?;
        self.edges.check_device(device)?;
        self.arrival.join()?;
        act(self)
    }
}

impl<W: Weight> BatchSource<W> for DeviceBatch<W> {}
