//! Insertion and deletion of vertices (Awad et al., section IV-D).

use super::adjacency::Adjacency;
use super::arcs_to::arcs_to;
use super::device_batch::DeviceBatch;
use super::dynamic_graph::DynamicGraph;
use super::lists::{EdgeBuffer, EdgeLists, Internal};
use super::options::Endpoint;
use super::pool::take_slab;
use crate::device::DeviceBuffer;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::{Graph, SlabLists};
use crate::view::Atomic;
use crate::{Error, ErrorKind, Vertex, Weight};
use meerkat_macros::kernel;

/// Gives the vertices from `from` on a slab list each.
#[kernel]
fn add_lists<W: Weight>(graph: &Graph<W>, from: u32, lists: &mut [SlabLists]) {
    let i = thread_id();
    if i >= from && i < lists.len() {
        lists[i] = SlabLists { first: take_slab(graph), buckets: 1 };
    }
}

/// Sums the degrees of all vertices.
#[kernel]
pub(super) fn sum_all_degrees(degrees: &[Atomic<u32>], total: &[Atomic<u64>]) {
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

/// What vertices are to lose.
struct TakenVertices<L: EdgeLists> {
    /// The lists of each orientation, and how many arcs they have.
    lists: Vec<(L::Taken, u64)>,
    /// The arcs that lead to the vertices and are in no list of theirs.
    arcs: Vec<EdgeBuffer<L>>,
    /// Whether the arc back of each of their arcs is kept, too.
    mirrored: bool,
}

impl<L: EdgeLists> DynamicGraph<L> {
    /// Adds vertices without edges and returns their ids: those of deleted
    /// vertices first, from the smallest, then new ones. Synchronises.
    ///
    /// Cost: when the dictionary is full its capacity doubles; slabs are not
    /// copied on CUDA.
    ///
    /// # Errors
    /// More ids than the container can name, slabs that the options do not allow, no memory; the
    /// graph is as it was.
    pub fn insert_vertices(&mut self, count: u32) -> Result<Vec<Vertex>, Error> {
        let before = self.vertex_count();
        let total = self.vertices_after(count);
        L::check_vertices(total)?;
        self.each_orientation(|lists, _| lists.reserve_vertices(total as u32))?;
        self.with_updates(|updates| {
            updates.graph.each_orientation(|lists, _| lists.reserve_vertices(total as u32))
        })?;
        let inserted = self.ids.insert(count);
        match self.add_vertices(&inserted[..count as usize - (total as usize - before as usize)]) {
            Ok(()) => Ok(inserted),
            Err(error) => {
                self.ids.take_back(&inserted, before);
                Err(error)
            }
        }
    }

    /// The ids are there: those that are used again, and the new ones.
    fn add_vertices(&mut self, reused: &[Vertex]) -> Result<(), Error> {
        let reused = DeviceBuffer::from_slice(self.device(), reused)?;
        self.advance_version();
        let vertices = self.vertex_count();
        self.each_orientation(|lists, _| lists.add_vertices(vertices))?;
        self.with_updates(|updates| {
            let more = vertices.saturating_sub(updates.graph.vertex_count());
            updates.graph.insert_vertices(more)
        })?;
        self.ids.publish(&reused)
    }

    /// Deletes vertices with all their edges, out and in; degrees stay exact.
    /// Their ids stay in `0..vertex_count()`, without edges and refused by
    /// insertions, until [`insert_vertices`](Self::insert_vertices) uses them
    /// again; their slabs go back to the pool. Naming one twice does not matter.
    /// Synchronises.
    ///
    /// Cost: the edges of these vertices; in a directed graph that keeps one
    /// orientation only, and after an insertion that nobody waited for or that found no memory, a
    /// pass over all edges as well, and a list of those that lead to the vertices.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchVertex`] for one that is not there, and then nothing
    /// changed; no memory, likewise; the device fails.
    pub fn delete_vertices(&mut self, vertices: &[Vertex]) -> Result<(), Error> {
        self.ids.reserve()?;
        let gone = self.ids.delete(vertices).map_err(|vertex| self.no_such_vertex(vertex))?;
        let emptied = DeviceBuffer::from_slice(self.device(), &gone).and_then(|gone| {
            self.advance_version();
            let taken = self.take_vertices(&gone)?;
            // All that takes memory comes first.
            self.with_updates(|updates| {
                let taken = updates.graph.take_vertices(&gone)?;
                updates.graph.empty_vertices(&gone, taken)
            })?;
            self.empty_vertices(&gone, taken)?;
            self.ids.publish(&gone)
        });
        if let Err(error) = emptied {
            self.ids.undelete(&gone);
            return Err(error);
        }
        self.compact_by_policy();
        Ok(())
    }

    /// Deletes vertices once `follow` has taken their edges out of the graph, by the batch of
    /// deletions that it gets. Synchronises.
    ///
    /// # Errors
    /// As [`delete_vertices`](Self::delete_vertices), or what `follow` returns: the vertices are there.
    pub(crate) fn delete_vertices_after<T>(
        &mut self,
        vertices: &[Vertex],
        follow: impl FnOnce(&mut Self, &DeviceBatch<L::Carried>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        vertices.iter().try_for_each(|&vertex| self.check_vertex(vertex))?;
        let mut gone = vertices.to_vec();
        gone.sort_unstable();
        gone.dedup();
        // All that takes memory comes first.
        self.ids.reserve()?;
        let on_device = DeviceBuffer::from_slice(self.device(), &gone)?;
        let deletions = self.deletions_at(&on_device)?;
        let followed = follow(self, &deletions)?;
        self.ids.delete(&gone).map_err(|vertex| self.no_such_vertex(vertex))?;
        self.ids.publish(&on_device)?;
        self.advance_version();
        self.give_lists_back(&on_device)?;
        self.with_updates(|updates| updates.graph.give_lists_back(&on_device))?;
        Ok(followed)
    }

    /// Gives back the memory of lists without edges. Where there is none to list them, they stay
    /// where they are until a compaction.
    fn give_lists_back(&mut self, vertices: &DeviceBuffer<Vertex>) -> Result<(), Error> {
        let kept = self.orientations();
        let lists = kept.map(|lists| lists.take_lists(vertices, Internal::TOKEN));
        match lists.collect::<Result<Vec<_>, _>>() {
            Ok(lists) => {
                let taken = TakenVertices { lists, arcs: Vec::new(), mirrored: false };
                self.empty_vertices(vertices, taken)
            }
            Err(error) if error.is_out_of_memory() => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// All arcs of vertices, out and in, and the memory to take them. Synchronises.
    fn take_vertices(&self, vertices: &DeviceBuffer<Vertex>) -> Result<TakenVertices<L>, Error> {
        let kept = self.orientations();
        let lists: Result<Vec<_>, _> =
            kept.map(|lists| lists.take_lists(vertices, Internal::TOKEN)).collect();
        // Where both ends of an arc are kept, each leads to the other.
        let mirrored = self.is_undirected() || self.orientations().count() == 2;
        let asks = !mirrored || self.may_be_partial;
        let asked = self.orientations().filter(|_| asks);
        let arcs: Result<Vec<_>, _> = asked.map(|lists| arcs_to(lists, vertices)).collect();
        Ok(TakenVertices { lists: lists?, arcs: arcs?, mirrored })
    }

    /// Takes them out. Takes no memory.
    fn empty_vertices(
        &mut self,
        vertices: &DeviceBuffer<Vertex>,
        TakenVertices { lists: taken, arcs, mirrored }: TakenVertices<L>,
    ) -> Result<(), Error> {
        let kept: Vec<_> = self.orientations().collect();
        for (lists, arcs) in kept.iter().zip(&arcs) {
            lists.queue_deletions(arcs, Endpoint::Source, Internal::TOKEN)?;
        }
        for (at, (lists, (taken, _))) in kept.iter().zip(&taken).enumerate() {
            lists.empty_lists(kept[kept.len() - 1 - at], mirrored, taken, Internal::TOKEN)?;
        }
        self.counts.deleted += taken.iter().map(|&(_, arcs)| arcs).max().unwrap_or(0);
        let mut taken = taken.into_iter();
        self.each_orientation(|lists, _| match taken.next() {
            Some((taken, _)) => lists.reuse_lists(vertices, taken),
            None => Ok(()),
        })
    }

    /// How many ids there will be after [`insert_vertices`](Self::insert_vertices) of so many.
    pub(crate) fn vertices_after(&self, count: u32) -> u64 {
        u64::from(self.vertex_count()) + u64::from(count - self.ids.reused(count))
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
    /// Memory for this number of vertices in all; then [`add_vertices`](Self::add_vertices)
    /// finds what it needs.
    pub(super) fn reserve_vertices(&mut self, vertices: u32) -> Result<(), Error> {
        let more = vertices.saturating_sub(self.vertex_count());
        let left = self.slab_capacity() - self.slab_count()?;
        if left < more {
            self.reserve_slabs(more - left)?;
        }
        self.reserve_dictionary(vertices as usize)
    }

    pub(super) fn add_vertices(&mut self, vertices: u32) -> Result<(), Error> {
        let from = self.vertex_count();
        // There may be more, after vertices that one orientation had no room for.
        if from >= vertices {
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

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![add_lists::info::<()>(), sum_all_degrees::info()]
}
