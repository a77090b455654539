//! Values of vertices, from their owners to all ranks.
#![allow(unsafe_code)] // One write to a vertex that is listed once; the block says why.

use super::own_vertices::OwnVertices;
use super::part::Part;
use super::route::take_at;
use crate::communicator::gather_items;
use crate::device::DeviceBuffer;
use crate::graph::EdgeLists;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::{DeviceType, Error, ErrorKind, Vertex};
use meerkat_macros::kernel;

/// Puts values to their vertices, each of which is listed once.
#[kernel]
fn put_at<T: DeviceType>(values: &[T], vertices: &[Vertex], put: &mut [T]) {
    let i = thread_id();
    if i < values.len() && i < vertices.len() {
        let v = vertices[i];
        if v < put.len() {
            // SAFETY: `vertices` lists each vertex once, so each place is one lane's.
            unsafe { put.write(v, values[i]) }
        }
    }
}

/// Takes values of all vertices from their owners, again and again: memory for that.
#[derive(Debug)]
pub struct OwnerGather<T: DeviceType> {
    /// The own values side by side, and those of all ranks; none where ranks own ranges.
    packed: DeviceBuffer<T>,
    gathered: DeviceBuffer<T>,
}

impl<T: DeviceType> OwnerGather<T> {
    /// Memory for values of the vertices of a graph: where ranks own ranges, none.
    ///
    /// # Errors
    /// No memory.
    pub fn new<L: EdgeLists>(part: &Part<'_, L>) -> Result<Self, Error> {
        let (device, own) = (part.device(), part.own);
        let (mine, all) = match own.sorted() {
            Some(_) => (own.count(), own.all() as usize),
            None => (0, 0),
        };
        let packed = DeviceBuffer::zeroed(device, mine)?;
        Ok(OwnerGather { packed, gathered: DeviceBuffer::zeroed(device, all)? })
    }

    /// Writes to `into`, for every vertex, what its owner has in `from`; both have a value for each
    /// vertex. Collective. Takes no memory.
    ///
    /// Cost: all values over the wire, to each rank; where a hash divides the vertices, a pass over
    /// the own and a pass over all of them.
    ///
    /// # Errors
    /// Not a value for each vertex; as [`Communicator`](crate::communicator::Communicator).
    pub fn gather<L: EdgeLists>(
        &mut self,
        part: &Part<'_, L>,
        from: &DeviceBuffer<T>,
        into: &mut DeviceBuffer<T>,
    ) -> Result<(), Error> {
        check_length(part.own, from.len())?;
        check_length(part.own, into.len())?;
        let (own, communicator) = (part.own, part.communicator);
        if let Some(first) = own.first_of_range() {
            return gather_items(communicator, (from, first as usize), own.counts(), into);
        }
        let Some((order, first)) = own.sorted() else { return Ok(()) };
        let (device, places) = (part.device(), order.view_of(first..first + own.count()));
        take_at::launch(device, own.count() as u32, from, places, &mut self.packed)?;
        gather_items(communicator, (&self.packed, 0), own.counts(), &mut self.gathered)?;
        put_at::launch(device, own.all(), &self.gathered, order, into)
    }
}

impl<L: EdgeLists> Part<'_, L> {
    /// The values of all vertices on every rank, of lists with one for each vertex in which each rank
    /// has those of its own; or the error that kept this rank from having them. Collective;
    /// synchronises.
    ///
    /// # Errors
    /// That of any rank; no memory; as [`Communicator`](crate::communicator::Communicator).
    pub fn values_of_all<T: DeviceType>(
        &self,
        own: Result<Vec<T>, Error>,
    ) -> Result<Vec<T>, Error> {
        let device = self.device();
        let ready = own.and_then(|own| {
            check_length(self.own, own.len())?;
            let from = DeviceBuffer::<T>::from_slice(device, &own)?;
            let into = DeviceBuffer::<T>::zeroed(device, own.len())?;
            Ok((from, into, OwnerGather::new(self)?))
        });
        let (from, mut into, mut values) = self.agree(ready)?;
        values.gather(self, &from, &mut into)?;
        into.to_vec()
    }
}

fn check_length(own: &OwnVertices, length: usize) -> Result<(), Error> {
    if length == own.all() as usize {
        return Ok(());
    }
    Err(ErrorKind::StateOfAnotherGraph { vertices: length, of_graph: own.all() }.into())
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![put_at::info::<f64>()]
}
