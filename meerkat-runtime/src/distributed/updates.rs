//! The updates of a batch, to the ranks that keep their arcs.
//!
//! ```text
//! DeviceBatch --arc_keys--> the vertex that each arc lies with --Route--> arcs by rank
//!   --lengths, a gather of host words; an all-to-all--> DeviceBatch of the own arcs
//! ```
//!
//! Each rank brings a part of the batch. Updates keep their order within a part, and parts are
//! joined in the order of the ranks: so the last update of an edge decides, as on one device.

use super::part::Part;
use super::partition::Partition;
use super::route::{NOBODY, Route};
use crate::communicator::{Communicator, Plan, Transfer, agree_on, exchange_into};
use crate::device::{Device, DeviceBuffer};
use crate::graph::{DeviceBatch, Edge, EdgeLists};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::{Error, ErrorKind, Vertex, Weight};
use meerkat_macros::kernel;

/// The vertex with which each arc of a list of edges lies: its source or, `by_destination`, its
/// destination. Where edges are `mirrored`, an edge is two arcs in a row, and a loop one.
#[kernel]
fn arc_keys<W: Weight>(
    edges: &[Edge<W>],
    mirrored: bool,
    by_destination: bool,
    keys: &mut [Vertex],
) {
    let i = thread_id();
    if i < keys.len() {
        let edge = edges[select(mirrored, i / 2, i)];
        let is_back = mirrored && i % 2 == 1;
        let back = select(edge.src == edge.dst, NOBODY, edge.dst);
        let own = select(by_destination, edge.dst, edge.src);
        keys[i] = select(is_back, back, own);
    }
}

/// Takes the arcs with these numbers.
#[kernel]
fn take_arcs<W: Weight>(edges: &[Edge<W>], order: &[u32], mirrored: bool, arcs: &mut [Edge<W>]) {
    let i = thread_id();
    if i < arcs.len() {
        let at = order[i];
        let edge = edges[select(mirrored, at / 2, at)];
        let is_back = mirrored && at % 2 == 1;
        let src = select(is_back, edge.dst, edge.src);
        let dst = select(is_back, edge.src, edge.dst);
        arcs[i] = Edge::<W> { src, dst, weight: edge.weight };
    }
}

/// Whether the arcs with these numbers are to be deleted: 1 or 0.
#[kernel]
fn take_flags(deletes: &[u8], order: &[u32], mirrored: bool, flags: &mut [u32]) {
    let i = thread_id();
    if i < flags.len() {
        let at = select(mirrored, order[i] / 2, order[i]);
        let mut flag = 0u32;
        if at < deletes.len() {
            flag = deletes[at] as u32;
        }
        flags[i] = flag;
    }
}

/// Flags as batches have them.
#[kernel]
fn narrow_flags(flags: &[u32], deletes: &mut [u8]) {
    let i = thread_id();
    if i < deletes.len() {
        deletes[i] = flags[i] as u8;
    }
}

/// Which kinds of updates there are, as bits.
const INSERTS: u64 = 1;
const DELETES: u64 = 2;

/// The arcs of a part of a batch that lie in lists of one orientation, by the rank that keeps them.
#[derive(Debug)]
pub(super) struct Outgoing<W: Weight> {
    arcs: DeviceBuffer<Edge<W>>,
    counts: Vec<usize>,
    /// Flags of deletions, if there are both kinds in this part.
    flags: Option<DeviceBuffer<u32>>,
    kinds: u64,
}

/// In which lists of a rank an edge lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    pub(super) partition: Partition,
    /// An edge is two arcs.
    pub(super) mirrored: bool,
    /// Lists of destinations.
    pub(super) by_destination: bool,
}

impl<W: Weight> Outgoing<W> {
    /// Sorts the arcs of a part by the ranks that keep them. Synchronises.
    pub(super) fn of(updates: &DeviceBatch<W>, sides: Sides) -> Result<Self, Error> {
        let edges = updates.edges()?;
        let Sides { partition, mirrored, by_destination } = sides;
        let device = edges.device();
        let keys = keys_of(edges, mirrored, by_destination)?;
        // The updates have been validated.
        let Route { order, counts } = Route::of(&keys, NOBODY, partition)?;
        drop(keys);
        let (length, threads) = (order.len(), order.len() as u32);
        let mut arcs = DeviceBuffer::zeroed(device, length)?;
        take_arcs::launch(device, threads, edges, &order, mirrored, &mut arcs)?;
        let flags = match updates.deletes() {
            None => None,
            Some(deletes) => {
                let mut flags = DeviceBuffer::zeroed(device, length)?;
                take_flags::launch(device, threads, deletes, &order, mirrored, &mut flags)?;
                Some(flags)
            }
        };
        let kinds = match (&flags, updates.deletes_all()) {
            _ if updates.is_empty() => 0,
            (Some(_), _) => INSERTS | DELETES,
            (None, true) => DELETES,
            (None, false) => INSERTS,
        };
        Ok(Outgoing { arcs, counts, flags, kinds })
    }

    /// Flags for a batch of which other parts have other kinds. Queued on CUDA.
    fn into_flags(
        self,
        device: &Device,
    ) -> Result<(DeviceBuffer<Edge<W>>, DeviceBuffer<u32>), Error> {
        let Outgoing { arcs, flags, kinds, .. } = self;
        let flags = match flags {
            Some(flags) => flags,
            None => DeviceBuffer::filled(device, arcs.len(), u32::from(kinds == DELETES))?,
        };
        Ok((arcs, flags))
    }
}

/// See [`arc_keys`]. Queued on CUDA.
fn keys_of<W: Weight>(
    edges: &DeviceBuffer<Edge<W>>,
    mirrored: bool,
    by_destination: bool,
) -> Result<DeviceBuffer<Vertex>, Error> {
    let (device, arcs) = (edges.device(), edges.len() * if mirrored { 2 } else { 1 });
    let mut keys = DeviceBuffer::zeroed(device, arcs)?;
    arc_keys::launch(device, arcs as u32, edges, mirrored, by_destination, &mut keys)?;
    Ok(keys)
}

impl<L: EdgeLists> Part<'_, L> {
    /// Edges sorted by the owners of their sources or, `by_destination`, of their destinations, and how many
    /// each rank has. Not collective; synchronises.
    ///
    /// # Errors
    /// An end that is no vertex; no memory; the device fails.
    pub fn sort_by_owner<W: Weight>(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        by_destination: bool,
    ) -> Result<(DeviceBuffer<Edge<W>>, Vec<usize>), Error> {
        let keys = keys_of(edges, false, by_destination)?;
        let route = Route::of(&keys, self.vertex_count(), self.partition)?;
        Ok((route.sorted(self.device(), edges)?, route.counts))
    }
}

/// Exchanges the arcs of a batch for lists of each orientation, of which there are `sides`: each rank gets
/// those that it keeps. Or the error that kept this rank from sorting its part. `terms` are the same on
/// all ranks, or none exchanges anything. Collective; synchronises.
///
/// Cost: a gather of host words, and an all-to-all for each orientation.
///
/// # Errors
/// Of any rank; terms that differ; as [`Communicator`].
pub(super) fn exchange<W: Weight>(
    communicator: &dyn Communicator,
    device: &Device,
    (terms, sides): (&[u64], usize),
    outgoing: Result<Vec<Outgoing<W>>, Error>,
) -> Result<Vec<DeviceBatch<W>>, Error> {
    let (size, of_side) = (communicator.size(), communicator.size() + 1);
    let length = terms.len() + sides * of_side;
    let (outgoing, all) = agree_on(communicator, outgoing, length, |outgoing| {
        let of_side = |side: &Outgoing<W>| {
            std::iter::once(side.kinds).chain(side.counts.iter().map(|&n| n as u64)).collect()
        };
        let of_sides = outgoing.iter().flat_map(|side| -> Vec<u64> { of_side(side) });
        terms.iter().copied().chain(of_sides).collect()
    })?;
    let of_ranks: Vec<(&[u64], &[u64])> =
        all.chunks(length.max(1)).map(|words| words.split_at(terms.len())).collect();
    if let Some(rank) = of_ranks.iter().position(|&(of_rank, _)| of_rank != of_ranks[0].0) {
        let what = format!(
            "rank {rank} asks for a graph of other vertices, ownership, direction or orientation than \
             rank 0"
        );
        return Err(ErrorKind::RanksOutOfStep { what }.into());
    }
    let mut incoming = Vec::with_capacity(sides);
    for (at, side) in outgoing.into_iter().enumerate() {
        let of_side: Vec<&[u64]> =
            of_ranks.iter().map(|(_, words)| &words[at * of_side..][..of_side]).collect();
        let kinds = of_side.iter().map(|words| words[0]).fold(0, |a, b| a | b);
        let rows: Vec<&[u64]> = of_side.iter().map(|words| &words[1..=size]).collect();
        let plan = Plan::of_rows(communicator.rank(), &rows)?;
        incoming.push(exchange_side(communicator, device, side, kinds, &plan)?);
    }
    Ok(incoming)
}

fn exchange_side<W: Weight>(
    communicator: &dyn Communicator,
    device: &Device,
    side: Outgoing<W>,
    kinds: u64,
    plan: &Plan,
) -> Result<DeviceBatch<W>, Error> {
    let (length, is_mixed) = (plan.received_in_all(), kinds == INSERTS | DELETES);
    let mut arcs = DeviceBuffer::<Edge<W>>::zeroed(device, length);
    if !is_mixed {
        exchange_into(communicator, plan, &mut arcs, |arcs| {
            vec![Transfer::new(&side.arcs, 0, arcs)]
        })?;
        return arcs.map(match kinds {
            DELETES => DeviceBatch::deletions,
            _ => DeviceBatch::insertions,
        });
    }
    let mut room = arcs.and_then(|arcs| {
        let flags = DeviceBuffer::<u32>::zeroed(device, length)?;
        let deletes = DeviceBuffer::<u8>::zeroed(device, length)?;
        Ok((arcs, flags, deletes, side.into_flags(device)?))
    });
    exchange_into(communicator, plan, &mut room, |(arcs, flags, _, (own, own_flags))| {
        vec![Transfer::new(own, 0, arcs), Transfer::new(own_flags, 0, flags)]
    })?;
    let (arcs, flags, mut deletes, _) = room?;
    narrow_flags::launch(device, length as u32, &flags, &mut deletes)?;
    DeviceBatch::mixed(arcs, deletes)
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        arc_keys::info::<()>(),
        arc_keys::info::<u32>(),
        take_arcs::info::<()>(),
        take_arcs::info::<f32>(),
        take_flags::info(),
        narrow_flags::info(),
    ]
}
