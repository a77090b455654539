//! Values of vertices, from their owners to all ranks, once: see `owner_gather.rs` for steps that do so again and again.
#![allow(unsafe_code)] // One write to a vertex that is listed once; the block says why.

use super::own_vertices::OwnVertices;
use super::part::Part;
use super::route::{take_at, taken_at};
use crate::communicator::{Plan, Transfer, exchange_into};
use crate::device::DeviceBuffer;
use crate::graph::EdgeLists;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::{Atomic, DeviceSlice};
use crate::{DeviceType, Element, Error, ErrorKind, Vertex};
use meerkat_macros::kernel;

/// Puts values to their vertices, each of which is listed once.
#[kernel]
pub(super) fn put_at<T: DeviceType>(values: &[T], vertices: &[Vertex], put: &mut [T]) {
    let i = thread_id();
    if i < values.len() && i < vertices.len() {
        let v = vertices[i];
        if v < put.len() {
            // SAFETY: `vertices` lists each vertex once, so each place is one lane's.
            unsafe { put.write(v, values[i]) }
        }
    }
}

/// Adds up lists that follow one another, each as long as the sums.
#[kernel]
fn add_lists(lists: &[u64], sums: &mut [u64]) {
    let i = thread_id();
    if i < sums.len() {
        let mut sum = 0u64;
        let mut at = i;
        while at < lists.len() {
            sum = sum.wrapping_add(lists[at]);
            at += sums.len();
        }
        sums[i] = sum;
    }
}

impl<L: EdgeLists> Part<'_, L> {
    /// The values of all vertices on every rank, of lists with one for each vertex in which each rank
    /// has those of its own; or the error that kept this rank from having them. Collective;
    /// synchronises.
    ///
    /// # Errors
    /// Not a value for each vertex; that of any rank; no memory; as [`Communicator`](crate::communicator::Communicator).
    pub fn values_of_all<T: DeviceType>(
        &self,
        own: Result<&DeviceBuffer<T>, Error>,
    ) -> Result<Vec<T>, Error> {
        let own = own.map(|own| (own, own.view()));
        self.gathered_values(own)?.to_vec()
    }

    /// [`values_of_all`](Self::values_of_all) of values that kernels change: as they are now.
    ///
    /// # Errors
    /// As [`values_of_all`](Self::values_of_all).
    pub fn atomics_of_all<T: DeviceType>(
        &self,
        own: Result<&DeviceBuffer<Atomic<T>>, Error>,
    ) -> Result<Vec<T>, Error>
    where
        Atomic<T>: Element,
    {
        let plain = |own: &DeviceBuffer<Atomic<T>>| {
            let view = own.view();
            DeviceSlice::<T>::from_raw(view.address_on_device(), view.len() as usize)
        };
        self.gathered_values(own.map(|own| (own, plain(own))))?.to_vec()
    }

    /// [`values_of_all`](Self::values_of_all) of values that the host has.
    ///
    /// # Errors
    /// As [`values_of_all`](Self::values_of_all).
    pub fn host_values_of_all<T: DeviceType>(
        &self,
        own: Result<Vec<T>, Error>,
    ) -> Result<Vec<T>, Error> {
        match own.and_then(|own| DeviceBuffer::<T>::from_slice(self.device(), &own)) {
            Ok(own) => self.values_of_all(Ok(&own)),
            Err(error) => self.values_of_all::<T>(Err(error)),
        }
    }

    /// The sums, on every rank, of what all ranks have for each vertex; or the error that kept this rank
    /// from having any. Collective; synchronises.
    ///
    /// Cost: all values over the wire twice: to their owners, which add them up, and back.
    ///
    /// # Errors
    /// Not a value for each vertex; that of any rank; no memory; as
    /// [`Communicator`](crate::communicator::Communicator).
    pub fn sums_of_all(
        &self,
        of_rank: Result<&DeviceBuffer<Atomic<u64>>, Error>,
    ) -> Result<Vec<u64>, Error> {
        let (device, own, communicator) = (self.device(), self.own, self.communicator);
        let (rank, n) = (communicator.rank(), own.all() as usize);
        let counts: Vec<u64> = own.counts().iter().map(|&count| count as u64).collect();
        let plan = Plan::of_rows(rank, &vec![&counts[..]; communicator.size()])?;
        let mut room = of_rank.and_then(|of_rank| {
            check_length(own, of_rank.len())?;
            let view = of_rank.view();
            let plain = DeviceSlice::<u64>::from_raw(view.address_on_device(), n);
            of_rank.check_device(device)?;
            let sorted = match own.sorted() {
                Some((order, _)) => Some(taken_at(device, plain, order)?),
                None => None,
            };
            Ok((of_rank, sorted, DeviceBuffer::<u64>::zeroed(device, plan.received_in_all())?))
        });
        exchange_into(communicator, &plan, &mut room, |(of_rank, sorted, lists)| {
            vec![match sorted {
                Some(sorted) => Transfer::new(&*sorted, 0, lists),
                None => Transfer::into_others(*of_rank, 0, lists),
            }]
        })?;
        let summed = room.and_then(|(_, _, lists)| {
            let mut sums = DeviceBuffer::<u64>::zeroed(device, own.count())?;
            add_lists::launch(device, own.count() as u32, &lists, &mut sums)?;
            Ok((
                sums,
                DeviceBuffer::<u64>::zeroed(device, n)?,
                DeviceBuffer::<u64>::zeroed(device, n)?,
            ))
        });
        let (plan, mut room) = (Plan::gather_of(rank, own.counts().to_vec()), summed);
        exchange_into(communicator, &plan, &mut room, |(sums, gathered, _)| {
            vec![Transfer::new(&*sums, 0, gathered)]
        })?;
        let (_, gathered, mut of_vertices) = room?;
        let Some((order, _)) = own.sorted() else { return gathered.to_vec() };
        put_at::launch(device, own.all(), &gathered, order, &mut of_vertices)?;
        of_vertices.to_vec()
    }

    fn gathered_values<T: DeviceType, E: Element>(
        &self,
        own: Result<(&DeviceBuffer<E>, DeviceSlice<T>), Error>,
    ) -> Result<DeviceBuffer<T>, Error> {
        let (of_rank, device, n) = (self.own, self.device(), self.own.all() as usize);
        let plan = Plan::gather_of(self.communicator.rank(), of_rank.counts().to_vec());
        let mut room = own.and_then(|(own, view)| {
            check_length(of_rank, own.len())?;
            own.check_device(device)?;
            let (packed, all) = match of_rank.sorted() {
                Some((order, first)) => {
                    let places = order.view_of(first..first + of_rank.count());
                    let mut packed = DeviceBuffer::<T>::zeroed(device, of_rank.count())?;
                    take_at::launch(device, of_rank.count() as u32, view, places, &mut packed)?;
                    (Some(packed), n)
                }
                None => (None, 0),
            };
            Ok((own, packed, DeviceBuffer::zeroed(device, n)?, DeviceBuffer::zeroed(device, all)?))
        });
        let start = of_rank.first_of_range().unwrap_or(0) as usize;
        exchange_into(self.communicator, &plan, &mut room, |(own, packed, gathered, _)| {
            vec![match packed {
                Some(packed) => Transfer::new(&*packed, 0, gathered),
                None => Transfer::into_others(*own, start, gathered),
            }]
        })?;
        let (_, _, gathered, mut into) = room?;
        let Some((order, _)) = of_rank.sorted() else { return Ok(gathered) };
        put_at::launch(device, of_rank.all(), &gathered, order, &mut into)?;
        Ok(into)
    }
}

pub(super) fn check_length(own: &OwnVertices, length: usize) -> Result<(), Error> {
    if length == own.all() as usize {
        return Ok(());
    }
    Err(ErrorKind::StateOfAnotherGraph { vertices: length, of_graph: own.all() }.into())
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![put_at::info::<f64>(), add_lists::info()]
}
