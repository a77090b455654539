//! One orientation of a graph of compact slabs, as the host owns it.

use super::build;
use super::pool::Pool;
use super::view::Compact;
use crate::device::{Device, DeviceBuffer};
use crate::graph::convert::{degrees_of, neighbors_of};
use crate::graph::statistics::largest_of;
use crate::launch::HostArg;
use crate::view::{Atomic, Slab};
use crate::{Error, Vertex, Weight};
use std::marker::PhantomData;

/// The neighbours of every vertex in one direction, in compact slabs: what `&Compact<W>` of an
/// operator takes.
#[derive(Debug)]
pub struct CompactEdges<W: Weight = ()> {
    pub(super) device: Device,
    pub(super) records: DeviceBuffer<Slab>,
    pub(super) pool: Pool,
    pub(super) vertices: u32,
    /// Quads of a record.
    pub(super) record: u32,
    pub(super) average_degree: u32,
    pub(super) most_lists: u32,
    /// Whether an insertion noted a list, as was last read.
    pub(super) has_long_lists: bool,
    /// What came since a moment, if that is tracked.
    pub(super) updates: Option<Box<CompactEdges<W>>>,
    weight: PhantomData<W>,
}

/// Sixteenths of buckets that are full when they are laid out for a degree that is known. With 11
/// RMAT-22 takes a tenth more memory, and batches of up to 2^20 insertions are faster: see
/// docs/BENCHMARKS.md.
const LOAD: u32 = 13;

impl<W: Weight> CompactEdges<W> {
    /// Empty lists for vertices of these degrees, which count `arcs` arcs. Synchronises.
    pub(super) fn planned(
        degrees: &DeviceBuffer<Atomic<u32>>,
        arcs: u64,
        limit: u32,
    ) -> Result<Self, Error> {
        let device = degrees.device();
        let vertices = degrees.len() as u32;
        let average_degree = arcs.div_ceil(u64::from(vertices.max(1))) as u32;
        let plan = build::Plan::of::<W>(degrees, LOAD)?;
        let (record, (pool, first_pair)) = (plan.record, plan.pool(degrees, limit)?);
        let quads = vertices as usize * record as usize;
        let edges = CompactEdges {
            device: device.clone(),
            records: DeviceBuffer::of_bytes(device, quads.div_ceil(8), u8::MAX)?,
            pool,
            vertices,
            record,
            average_degree,
            most_lists: plan.most_pairs.max(1),
            has_long_lists: false,
            updates: None,
            weight: PhantomData,
        };
        build::place(&edges, degrees, LOAD, first_pair)?;
        Ok(edges)
    }

    /// How many neighbours each vertex has: they are counted. Queued on CUDA.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn degrees(&self) -> Result<DeviceBuffer<Atomic<u32>>, Error> {
        degrees_of(&self.device, self.vertices, self)
    }

    /// The neighbours of a vertex and the weights of their edges, ascending. Synchronises.
    ///
    /// # Errors
    /// No such vertex; the device fails.
    pub fn neighbors(&self, vertex: Vertex) -> Result<Vec<(Vertex, W)>, Error> {
        neighbors_of(self, vertex)
    }

    /// The vertex with the most neighbours, of equals the smallest; none in a graph without
    /// vertices. Synchronises.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn vertex_of_largest_degree(&self) -> Result<Option<Vertex>, Error> {
        largest_of(&self.degrees()?)
    }

    /// The device it is on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    pub(super) fn view(&self) -> Compact<W> {
        let updates = self.updates.as_deref();
        let of_updates = updates.unwrap_or(self);
        Compact {
            records: self.records.view(),
            pool: self.pool.slabs.view(),
            counters: self.pool.counters.view(),
            pages: self.pool.pages.view(),
            free: self.pool.free.view(),
            given_back: self.pool.given_back,
            fresh: self.pool.fresh,
            open: self.pool.open,
            vertices: self.vertices,
            record: self.record,
            average_degree: self.average_degree,
            most_lists: self.most_lists,
            updated_records: of_updates.records.view(),
            updated_pool: of_updates.pool.slabs.view(),
            updated_record: updates.map_or(0, |updates| updates.record),
            weight: PhantomData,
        }
    }
}

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl<W: Weight> HostArg<Compact<W>> for &CompactEdges<W> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Compact<W>, Error> {
        self.records.check_device(device)?;
        Ok(self.view())
    }
}
