//! Items that kernels have listed, from the ranks that found them to the owners of their vertices.
//!
//! ```text
//! keys: a vertex for each item --Route--> by rank --lengths, a gather of host words-->
//!   Delivery --deliver: an all-to-all--> what all ranks have for the own vertices
//! ```

use super::part::Part;
use super::partition::Partition;
use super::route::{Route, taken_at};
use crate::communicator::{Communicator, agree, exchange_items, gather_items};
use crate::device::{Device, DeviceBuffer};
use crate::graph::EdgeLists;
use crate::view::{Atomic, DeviceSlice};
use crate::{DeviceType, Element, Error, Vertex};
use std::ops::Range;

/// Lists that are on their way to the owners of their vertices: all ranks know how many items there
/// are.
#[derive(Debug)]
pub struct Delivery<'a> {
    communicator: &'a dyn Communicator,
    device: &'a Device,
    route: Route,
    /// The vertices, those for rank 0 first.
    keys: DeviceBuffer<Vertex>,
    received: Vec<usize>,
    total: u64,
}

impl<'a> Delivery<'a> {
    /// Of items with these vertices, to the vertices' owners; or the error that kept this rank from
    /// listing them, which is then one of all ranks. Collective; synchronises.
    ///
    /// Cost: a few passes over the list; a gather of a host word for each rank.
    ///
    /// # Errors
    /// No memory on this rank or another; as [`Communicator`].
    pub fn to_owners<L: EdgeLists>(
        part: &Part<'a, L>,
        keys: Result<DeviceBuffer<Vertex>, Error>,
    ) -> Result<Self, Error> {
        let (communicator, device) = (part.communicator, part.device());
        Self::plan(communicator, device, part.partition, keys)
    }

    fn plan(
        communicator: &'a dyn Communicator,
        device: &'a Device,
        partition: Partition,
        keys: Result<DeviceBuffer<Vertex>, Error>,
    ) -> Result<Self, Error> {
        let routed = keys.and_then(|keys| {
            let route = Route::of(&keys, partition)?;
            let keys = route.sorted(device, &keys)?;
            Ok((route, keys))
        });
        let (route, keys) = agree(communicator, routed)?;
        let counts: Vec<u64> = route.counts.iter().map(|&count| count as u64).collect();
        let all = communicator.all_gather(&counts)?;
        let (rank, size) = (communicator.rank(), communicator.size());
        let received = all.iter().skip(rank).step_by(size).map(|&count| count as usize).collect();
        Ok(Delivery { communicator, device, route, keys, received, total: all.iter().sum() })
    }

    /// How many items all ranks have together, the same on each.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Which of the delivered items this rank has sent to itself.
    pub fn from_itself(&self) -> Range<u32> {
        let rank = self.communicator.rank();
        let before: usize = self.received.iter().take(rank).sum();
        let own = self.received.get(rank).copied().unwrap_or(0);
        before as u32..(before + own) as u32
    }

    /// The vertices of the items that this rank sends, as they are sent.
    pub fn keys(&self) -> &DeviceBuffer<Vertex> {
        &self.keys
    }

    /// The vertices of the items for this rank, those that rank 0 has first. Collective.
    ///
    /// # Errors
    /// As [`deliver`](Self::deliver).
    pub fn deliver_keys(&self) -> Result<DeviceBuffer<Vertex>, Error> {
        self.exchange(&self.keys)
    }

    /// A value of each item, the same way. `values` has one for each vertex of the graph. Collective.
    ///
    /// # Errors
    /// No memory on this rank or another; as [`Communicator`].
    pub fn deliver<T: DeviceType>(
        &self,
        values: &DeviceBuffer<T>,
    ) -> Result<DeviceBuffer<T>, Error> {
        let taken = taken_at(self.device, values, &self.keys);
        self.exchange(&agree(self.communicator, taken)?)
    }

    /// [`deliver`](Self::deliver) of values that kernels change: as they are now.
    ///
    /// # Errors
    /// As [`deliver`](Self::deliver).
    pub fn deliver_atomics<T: DeviceType>(
        &self,
        values: &DeviceBuffer<Atomic<T>>,
    ) -> Result<DeviceBuffer<T>, Error>
    where
        Atomic<T>: Element,
    {
        let view = values.view();
        let plain = DeviceSlice::<T>::from_raw(view.address_on_device(), view.len() as usize);
        let taken = values
            .check_device(self.device)
            .and_then(|()| taken_at(self.device, plain, &self.keys));
        self.exchange(&agree(self.communicator, taken)?)
    }

    fn exchange<T: DeviceType>(&self, sent: &DeviceBuffer<T>) -> Result<DeviceBuffer<T>, Error> {
        let room = DeviceBuffer::zeroed(self.device, self.received.iter().sum());
        let mut into = agree(self.communicator, room)?;
        exchange_items(self.communicator, sent, &self.route.counts, &mut into, &self.received)?;
        Ok(into)
    }
}

impl<L: EdgeLists> Part<'_, L> {
    /// Items sorted by the owners of their vertices `keys`, one for each item, and how many each rank
    /// has. Not collective; synchronises.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn sort_by_owner<T: DeviceType>(
        &self,
        keys: &DeviceBuffer<Vertex>,
        items: &DeviceBuffer<T>,
    ) -> Result<(DeviceBuffer<T>, Vec<usize>), Error> {
        let route = Route::of(keys, self.partition)?;
        Ok((route.sorted(self.device(), items)?, route.counts))
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
    let own = agree(communicator, own)?;
    let lengths = communicator.all_gather(&[own.len() as u64])?;
    let lengths: Vec<usize> = lengths.into_iter().map(|length| length as usize).collect();
    let room = DeviceBuffer::zeroed(device, lengths.iter().sum());
    let mut all = agree(communicator, room)?;
    gather_items(communicator, (&own, 0), &lengths, &mut all)?;
    Ok(all)
}

/// How even a number is that each rank has: the largest by the mean; 1 where all are alike.
pub(super) fn imbalance(of_ranks: &[u64]) -> f64 {
    let (sum, most) = (of_ranks.iter().sum::<u64>(), of_ranks.iter().max().copied().unwrap_or(0));
    if sum == 0 { 1.0 } else { most as f64 * of_ranks.len() as f64 / sum as f64 }
}
