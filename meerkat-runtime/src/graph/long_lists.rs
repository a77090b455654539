//! Long slab lists, laid out again: a vertex that has far more neighbours, or tombstones, than
//! its lists were laid out for gets lists for twice its neighbours, and the pool its old slabs.
//! So what an edge at a hub costs does not grow with the hub.
//!
//! ```text
//! an insertion that walks LONG_LIST slabs --note_long_list--> vertices
//!   --arcs_of--> arcs;  wanted_lists --> a row of new first slabs;  empty_lists --> the pool
//!   arcs --insert_edges--> the new lists
//! ```

use super::adjacency::Adjacency;
use super::build::buckets_of;
use super::insertion::NO_LIMIT;
use super::options::Endpoint;
use super::slab_graph::SlabGraph;
use crate::device::DeviceBuffer;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::{Graph, SlabLists};
use crate::{Error, Vertex, Weight};
use meerkat_macros::{DeviceStruct, kernel};

/// The lists of a vertex, and how many it wants.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
struct Wanted {
    first: u32,
    buckets: u32,
    wanted: u32,
}

/// How many lists some vertices want: room for twice their neighbours, which pays for the new
/// layout before the next.
#[kernel]
fn wanted_lists<W: Weight>(
    graph: &Graph<W>,
    vertices: &[Vertex],
    ratio: u32,
    wanted: &mut [Wanted],
) {
    let i = thread_id();
    if i < wanted.len() {
        let lists = graph.vertices[vertices[i]];
        let degree = graph.degrees[vertices[i]].load();
        let room = select(degree <= u32::MAX / 2, degree * 2, degree);
        let count: u32 = buckets_of(room, ratio);
        wanted[i] = Wanted { first: lists.first, buckets: lists.buckets, wanted: count };
    }
}

impl<W: Weight> SlabGraph<W> {
    /// Lays the lists out again that insertions found long, unless there is no memory: then
    /// they stay, and are found again when they have grown. Synchronises where there are any.
    pub(super) fn lay_out_long_lists(&mut self) {
        if !self.options().lays_out_again() {
            return;
        }
        // An error of the device shows at the next call.
        let _ = self.each_orientation(|adjacency, _| match adjacency.has_long_lists() {
            true => adjacency.lay_out_long_lists(),
            false => Ok(()),
        });
    }
}

impl<W: Weight> Adjacency<W> {
    /// Lays out the lists in which an insertion gave up after `deepest` slabs, which is more from
    /// now on: keys of one hash stay in one list. Where there is no memory, the insertion is to
    /// walk the lists.
    pub(super) fn lay_out_or_walk(&mut self, deepest: &mut u32) -> Result<(), Error> {
        *deepest = match self.lay_out_long_lists() {
            Err(error) if error.is_about_room() => NO_LIMIT,
            done => done.map(|()| deepest.saturating_mul(4))?,
        };
        Ok(())
    }

    fn lay_out_long_lists(&mut self) -> Result<(), Error> {
        let vertices = self.take_long_lists()?;
        if vertices.is_empty() {
            return Ok(());
        }
        // All that takes memory comes first.
        let list = DeviceBuffer::from_slice(self.device(), &vertices)?;
        let wanted = self.wanted_lists(&list)?;
        let heads = wanted.iter().map(|lists| u64::from(lists.wanted)).sum();
        self.reserve_row(heads)?;
        let arcs = self.arcs_of(&list)?;
        let mut taken = self.take_lists(&list)?;
        let mut first = self.take_row(heads as u32)?;

        self.empty_lists(self, false, &taken)?;
        for old in &wanted {
            taken.heads.extend(old.first..old.first + old.buckets);
        }
        self.reuse_slabs(taken)?;
        for (&vertex, new) in vertices.iter().zip(&wanted) {
            self.set_lists(vertex, SlabLists { first, buckets: new.wanted })?;
            first += new.wanted;
        }
        // The pool has as many slabs as the neighbours fill, since they came out of as many; so
        // no list lacks one.
        self.fill(&arcs, &[Endpoint::Source])?;
        if self.updates.is_empty() {
            return Ok(());
        }
        // None of these neighbours is an update.
        self.advance_updates()
    }

    /// What lists some vertices have and want. Synchronises.
    fn wanted_lists(&self, vertices: &DeviceBuffer<Vertex>) -> Result<Vec<Wanted>, Error> {
        let (device, count) = (self.device(), vertices.len());
        let mut wanted = DeviceBuffer::zeroed(device, count)?;
        wanted_lists::launch(device, count as u32, self, vertices, self.ratio, &mut wanted)?;
        wanted.to_vec()
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![wanted_lists::info::<()>()]
}
