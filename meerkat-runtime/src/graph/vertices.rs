//! Insertion and deletion of vertices (Awad et al., section IV-D).

use super::MAX_VERTICES;
use super::adjacency::Adjacency;
use super::layout::{Graph, SlabLists};
use super::pool::take_slab;
use super::slab_graph::SlabGraph;
use crate::device::DeviceBuffer;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, ErrorKind, Vertex, Weight, kernel};

/// Gives the vertices from `from` on a slab list each.
#[kernel]
pub fn add_lists<W: Weight>(graph: &Graph<W>, from: u32, lists: &mut [SlabLists]) {
    let i = thread_id();
    if i >= from && i < lists.len() {
        lists[i] = SlabLists { first: take_slab(graph), buckets: 1 };
    }
}

/// Sums the degrees of all vertices.
#[kernel]
pub fn sum_all_degrees(degrees: &[Atomic<u32>], total: &[Atomic<u64>]) {
    let i = thread_id();
    let mut degree: u64 = 0;
    if i < degrees.len() {
        degree = degrees[i].load() as u64;
    }
    let sum = warp_reduce_sum(degree);
    if lane_id() == 0 {
        total[0].fetch_add(sum);
    }
}

impl<W: Weight> SlabGraph<W> {
    /// Adds vertices without edges and returns their ids: those of deleted
    /// vertices first, from the smallest, then new ones. Synchronises.
    ///
    /// Cost: when the dictionary is full its capacity doubles; slabs are not
    /// copied on CUDA.
    ///
    /// # Errors
    /// More than 2^32 - 4 ids, slabs that the options do not allow, no memory; the
    /// graph is as it was.
    pub fn insert_vertices(&mut self, count: u32) -> Result<Vec<Vertex>, Error> {
        let mut ids = self.ids.clone();
        let total = u64::from(ids.count) + u64::from(count - ids.reused(count));
        if total > MAX_VERTICES {
            return Err(ErrorKind::TooManyVertices { count: total }.into());
        }
        let inserted = ids.insert(count);
        let vertices = ids.count;
        self.each_orientation(|adjacency, _| adjacency.reserve_vertices(vertices))?;
        self.each_orientation(|adjacency, _| adjacency.add_vertices(vertices))?;
        self.ids = ids;
        Ok(inserted)
    }

    /// Deletes vertices with all their edges, out and in; degrees stay exact.
    /// Their ids stay in `0..vertex_count()`, without edges and refused by
    /// insertions, until [`insert_vertices`](Self::insert_vertices) uses them
    /// again; their slabs go back to the pool. Naming one twice does not matter.
    /// Synchronises.
    ///
    /// Cost: the edges of these vertices; in a directed graph that keeps one
    /// orientation only, a pass over all edges as well.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchVertex`] for one that is not there, and then nothing
    /// changed; no memory, likewise; the device fails.
    pub fn delete_vertices(&mut self, vertices: &[Vertex]) -> Result<(), Error> {
        let without = self.ids.without(vertices);
        let ids = without.map_err(|vertex| self.no_such_vertex(vertex))?;
        let deleted = DeviceBuffer::from_slice(self.device(), ids.gone_from(&self.ids))?;
        self.empty_vertices(&deleted)?;
        self.ids = ids;
        self.compact_by_policy();
        Ok(())
    }

    /// The ids of deleted vertices that were not used again, ascending.
    pub fn deleted_vertices(&self) -> Vec<Vertex> {
        self.ids.deleted()
    }

    pub(super) fn check_vertex(&self, vertex: Vertex) -> Result<(), Error> {
        if vertex < self.vertex_count() && !self.ids.is_deleted(vertex) {
            return Ok(());
        }
        Err(self.no_such_vertex(vertex))
    }

    fn no_such_vertex(&self, vertex: Vertex) -> Error {
        ErrorKind::NoSuchVertex { vertex, count: self.vertex_count() }.into()
    }
}

impl<W: Weight> Adjacency<W> {
    /// Memory for so many vertices in all; then [`add_vertices`](Self::add_vertices)
    /// finds what it needs.
    fn reserve_vertices(&mut self, vertices: u32) -> Result<(), Error> {
        let more = vertices - self.vertex_count();
        let left = self.slab_capacity() - self.slab_count()?;
        if left < more {
            self.reserve_slabs(more - left)?;
        }
        self.reserve_dictionary(vertices as usize)
    }

    fn add_vertices(&mut self, vertices: u32) -> Result<(), Error> {
        let from = self.vertex_count();
        if from == vertices {
            return Ok(());
        }
        // Kernels get the lists either to read or to write.
        let mut lists = self.take_dictionary(vertices as usize)?;
        let device = self.device().clone();
        let done = add_lists::launch(&device, vertices, &*self, from, &mut lists);
        self.put_dictionary(lists);
        done
    }
}
