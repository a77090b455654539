//! One orientation of a graph of compact slabs, as the host owns it.

use super::build;
use super::insert::insert_arcs;
use super::pool::{InsertOutcome, Pool};
use super::search::{delete_arcs, search_arcs};
use super::view::Compact;
use crate::device::{Device, DeviceBuffer, read_together};
use crate::graph::convert::{ARCS_AT_ONCE, collect, degrees_of};
use crate::graph::layout::Edge;
use crate::graph::options::Endpoint;
use crate::launch::HostArg;
use crate::view::{Atomic, Slab};
use crate::{Error, Neighbors, Weight};
use std::marker::PhantomData;
use std::ops::Range;

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
    weight: PhantomData<W>,
}

/// Sixteenths of buckets that are full when they are laid out for a degree that is known.
const LOAD: u32 = 11;

impl<W: Weight> CompactEdges<W> {
    /// Empty lists for vertices of these degrees, which count `arcs` arcs. Synchronises.
    pub(super) fn planned(degrees: &DeviceBuffer<Atomic<u32>>, arcs: u64) -> Result<Self, Error> {
        let device = degrees.device();
        let vertices = degrees.len() as u32;
        let average_degree = arcs.div_ceil(u64::from(vertices.max(1))) as u32;
        let record = quads_of_record::<W>(average_degree);
        let (pool, first_pair, most_pairs) = build::pool_for::<W>(degrees, record, LOAD)?;
        let quads = vertices as usize * record as usize;
        let edges = CompactEdges {
            device: device.clone(),
            records: DeviceBuffer::of_bytes(device, quads.div_ceil(8), u8::MAX)?,
            pool,
            vertices,
            record,
            average_degree,
            most_lists: most_pairs.max(1),
            weight: PhantomData,
        };
        build::place(&edges, degrees, LOAD, first_pair)?;
        Ok(edges)
    }

    /// Inserts edges into the lists of these ends of theirs; lists that have got long are laid out
    /// again. Synchronises.
    pub(super) fn insert(
        &mut self,
        edges: &DeviceBuffer<Edge<W>>,
        ends: &[Endpoint],
    ) -> Result<(), Error> {
        while !edges.is_empty() {
            // Inserting an edge twice is inserting it once.
            for &end in ends {
                self.queue_insertions(edges, end)?;
            }
            match InsertOutcome::of(&read_together(&[self.pool.found()])?) {
                InsertOutcome::Done => break,
                InsertOutcome::LongLists => match self.lay_out_noted(false) {
                    // Every edge is there; the lists are laid out another time.
                    Err(error) if !error.is_about_room() => return Err(error),
                    _ => break,
                },
                InsertOutcome::NoSlab => self.pool.grow()?,
                InsertOutcome::NoPlace => self.lay_out_noted(true)?,
            }
        }
        Ok(())
    }

    pub(super) fn queue_insertions(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
    ) -> Result<(), Error> {
        let threads = edges.len() as u32;
        insert_arcs::launch(&self.device, threads, self, edges, end.is_reversed())
    }

    pub(super) fn queue_deletions(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
    ) -> Result<(), Error> {
        let threads = edges.len() as u32;
        delete_arcs::launch(&self.device, threads, self, edges, end.is_reversed())
    }

    pub(super) fn queue_searches(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
        found: &DeviceBuffer<Atomic<u32>>,
    ) -> Result<(), Error> {
        let threads = edges.len() as u32;
        search_arcs::launch(&self.device, threads, self, edges, end.is_reversed(), found)
    }

    /// The same lists as another container's. Synchronises.
    pub(crate) fn of<G: Neighbors<Carried = W>>(
        device: &Device,
        vertices: u32,
        graph: impl HostArg<G> + Copy,
    ) -> Result<Self, Error> {
        let degrees = degrees_of(device, vertices, graph)?;
        let on_host = degrees.to_vec()?;
        let arcs = on_host.iter().map(|&degree| u64::from(degree)).sum();
        let mut edges = Self::planned(&degrees, arcs)?;
        for (range, arcs) in parts(&on_host) {
            let part = collect(device, graph, range, arcs)?;
            edges.insert(&part, &[Endpoint::Source])?;
        }
        Ok(edges)
    }

    /// How many neighbours each vertex has: they are counted. Queued on CUDA.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn degrees(&self) -> Result<DeviceBuffer<Atomic<u32>>, Error> {
        degrees_of(&self.device, self.vertices, self)
    }

    /// All arcs, in no order. Synchronises.
    pub(super) fn arcs(&self) -> Result<Vec<Edge<W>>, Error> {
        let mut all = Vec::new();
        for (range, arcs) in parts(&self.degrees()?.to_vec()?) {
            all.append(&mut collect(&self.device, self, range, arcs)?.to_vec()?);
        }
        Ok(all)
    }

    /// The device it is on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Makes room for the slabs that so many more edges usually take.
    pub(super) fn reserve(&mut self, edges: u64) -> Result<(), Error> {
        // A list that goes on takes a slab for two keys of its own, and then larger ones.
        self.pool.reserve([edges / 2, edges / 4, edges / 8, edges / 16])
    }

    /// Bytes of device memory.
    pub(super) fn bytes(&self) -> u64 {
        self.records.bytes() + self.pool.bytes()
    }

    fn view(&self) -> Compact<W> {
        Compact {
            records: self.records.view(),
            pool: self.pool.slabs.view(),
            counters: self.pool.counters.view(),
            pages: self.pool.pages.view(),
            free: self.pool.free.view(),
            given_back: self.pool.given_back(),
            fresh: self.pool.fresh,
            vertices: self.vertices,
            record: self.record,
            average_degree: self.average_degree,
            most_lists: self.most_lists,
            weight: PhantomData,
        }
    }
}

/// Ranges of vertices of at most [`ARCS_AT_ONCE`] arcs each, unless one has more; and how many.
fn parts(degrees: &[u32]) -> Vec<(Range<u32>, u64)> {
    let mut parts: Vec<(Range<u32>, u64)> = Vec::new();
    for (vertex, &degree) in (0..).zip(degrees) {
        match parts.last_mut() {
            Some((range, arcs)) if *arcs + u64::from(degree) <= ARCS_AT_ONCE => {
                range.end = vertex + 1;
                *arcs += u64::from(degree);
            }
            _ => parts.push((vertex..vertex + 1, degree.into())),
        }
    }
    parts
}

/// Quads of a record: 32 bytes where most lists fit there and would not fit in 16, or where a
/// neighbour has a weight.
fn quads_of_record<W: Weight>(average_degree: u32) -> u32 {
    if W::IS_WEIGHTED || (5..=12).contains(&average_degree) { 2 } else { 1 }
}

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl<W: Weight> HostArg<Compact<W>> for &CompactEdges<W> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Compact<W>, Error> {
        self.records.check_device(device)?;
        Ok(self.view())
    }
}
