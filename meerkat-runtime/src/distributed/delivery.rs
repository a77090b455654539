//! Items that kernels have listed, from the ranks that found them to the owners of their vertices.
//!
//! ```text
//! keys: a vertex for each item --Route--> by rank --lengths, a gather of host words-->
//!   Delivery --deliver: an all-to-all--> what all ranks have for the own vertices
//! ```

use super::part::Part;
use super::route::{Route, taken_at};
use crate::communicator::{Communicator, Plan, Transfer, exchange_into};
use crate::device::{Device, DeviceBuffer};
use crate::graph::EdgeLists;
use crate::view::{Atomic, DeviceSlice};
use crate::{DeviceType, Element, Error, ErrorKind, Vertex};
use std::ops::Range;

/// Lists that are on their way to the owners of their vertices: all ranks know how many items there
/// are.
#[derive(Debug)]
pub struct Delivery<'a> {
    communicator: &'a dyn Communicator,
    device: &'a Device,
    plan: Plan,
    /// The vertices, those for rank 0 first.
    keys: DeviceBuffer<Vertex>,
    /// How many vertices the graph has.
    vertices: u32,
    total: u64,
}

impl<'a> Delivery<'a> {
    /// Of items with these vertices, to the vertices' owners; or the error that kept this rank from
    /// listing them, which is then one of all ranks. Collective; synchronises.
    ///
    /// Cost: a few passes over the list; a gather of a host word for each rank.
    ///
    /// # Errors
    /// A key that is no vertex; no memory on this rank or another; as [`Communicator`].
    pub fn to_owners<L: EdgeLists>(
        part: &Part<'a, L>,
        keys: Result<DeviceBuffer<Vertex>, Error>,
    ) -> Result<Self, Error> {
        let (communicator, device) = (part.communicator, part.device());
        let vertices = part.vertex_count();
        let routed = keys.and_then(|keys| {
            let route = Route::of(&keys, vertices, part.partition)?;
            Ok((route.sorted(device, &keys)?, route.counts))
        });
        let (keys, plan) = Plan::exchange(communicator, routed)?;
        let total = plan.total();
        Ok(Delivery { communicator, device, plan, keys, vertices, total })
    }

    /// How many items all ranks have together, the same on each.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Which of the delivered items this rank has sent to itself.
    pub fn from_itself(&self) -> Range<u32> {
        let (rank, received) = (self.communicator.rank(), self.plan.received());
        let before: usize = received.iter().take(rank).sum();
        let own = received.get(rank).copied().unwrap_or(0);
        before as u32..(before + own) as u32
    }

    /// The vertices of the items that this rank sends, as they are sent.
    pub fn keys(&self) -> &DeviceBuffer<Vertex> {
        &self.keys
    }

    /// The vertices of the items for this rank, those that rank 0 has first. Collective.
    ///
    /// # Errors
    /// No memory on this rank or another; as [`Communicator`].
    pub fn deliver_keys(&self) -> Result<DeviceBuffer<Vertex>, Error> {
        let mut keys = DeviceBuffer::zeroed(self.device, self.plan.received_in_all());
        exchange_into(self.communicator, &self.plan, &mut keys, |keys| {
            vec![Transfer::new(&self.keys, 0, keys)]
        })?;
        keys
    }

    /// [`deliver_keys`](Self::deliver_keys), and a value of each item with its vertex, in one exchange.
    /// `values` has one for each vertex of the graph. Collective.
    ///
    /// # Errors
    /// Not a value for each vertex; no memory on this rank or another; as [`Communicator`].
    pub fn deliver<T: DeviceType>(
        &self,
        values: &DeviceBuffer<T>,
    ) -> Result<(DeviceBuffer<Vertex>, DeviceBuffer<T>), Error> {
        self.deliver_taken(
            self.check(values).and_then(|()| taken_at(self.device, values, &self.keys)),
        )
    }

    /// [`deliver`](Self::deliver) of values that kernels change: as they are now.
    ///
    /// # Errors
    /// As [`deliver`](Self::deliver).
    pub fn deliver_atomics<T: DeviceType>(
        &self,
        values: &DeviceBuffer<Atomic<T>>,
    ) -> Result<(DeviceBuffer<Vertex>, DeviceBuffer<T>), Error>
    where
        Atomic<T>: Element,
    {
        let view = values.view();
        let plain = DeviceSlice::<T>::from_raw(view.address_on_device(), view.len() as usize);
        self.deliver_taken(
            self.check(values).and_then(|()| taken_at(self.device, plain, &self.keys)),
        )
    }

    /// Whether there is a value for each vertex.
    fn check<E: Element>(&self, values: &DeviceBuffer<E>) -> Result<(), Error> {
        let (vertices, of_graph) = (values.len(), self.vertices);
        match vertices == of_graph as usize {
            true => values.check_device(self.device),
            false => Err(ErrorKind::StateOfAnotherGraph { vertices, of_graph }.into()),
        }
    }

    /// Delivers keys with the values that were taken for them.
    fn deliver_taken<T: DeviceType>(
        &self,
        taken: Result<DeviceBuffer<T>, Error>,
    ) -> Result<(DeviceBuffer<Vertex>, DeviceBuffer<T>), Error> {
        let length = self.plan.received_in_all();
        let mut room = taken.and_then(|taken| {
            let keys = DeviceBuffer::zeroed(self.device, length)?;
            Ok((keys, DeviceBuffer::zeroed(self.device, length)?, taken))
        });
        exchange_into(self.communicator, &self.plan, &mut room, |(keys, values, taken)| {
            vec![Transfer::new(&self.keys, 0, keys), Transfer::new(&*taken, 0, values)]
        })?;
        room.map(|(keys, values, _)| (keys, values))
    }
}

/// The lists of all ranks on each of them, that of rank 0 first; or the error that kept a rank from
/// having one. Collective; synchronises.
///
/// # Errors
/// No memory on this rank or another; as [`Communicator`].
pub fn gather_lists<T: DeviceType>(
    communicator: &dyn Communicator,
    device: &Device,
    own: Result<DeviceBuffer<T>, Error>,
) -> Result<DeviceBuffer<T>, Error> {
    let counted = own.map(|own| {
        let length = own.len();
        (own, length)
    });
    let (own, plan) = Plan::gather(communicator, counted)?;
    let mut all = DeviceBuffer::zeroed(device, plan.received_in_all());
    exchange_into(communicator, &plan, &mut all, |all| vec![Transfer::new(&own, 0, all)])?;
    all
}

/// How even a number is that each rank has: the largest by the mean; 1 where all are alike.
pub(super) fn imbalance(of_ranks: &[u64]) -> f64 {
    let (sum, most) = (of_ranks.iter().sum::<u64>(), of_ranks.iter().max().copied().unwrap_or(0));
    if sum == 0 { 1.0 } else { most as f64 * of_ranks.len() as f64 / sum as f64 }
}
