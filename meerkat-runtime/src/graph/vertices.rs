//! Insertion and deletion of vertices (Awad et al., section 4.3).

use super::MAX_VERTICES;
use super::adjacency::Adjacency;
use super::layout::{EMPTY_KEY, Graph, NEXT_LANE, NULL_SLAB, SlabLists, TOMBSTONE_KEY};
use super::options::{End, Orientation};
use super::pool::take_slab;
use super::search::is_neighbor;
use super::slab_graph::SlabGraph;
use super::updates::BEGIN_AGAIN;
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, LevelQueue, lane_enqueue_frontier, warp_enqueue_frontier};
use crate::read::Direction;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, ErrorKind, Uniform, Vertex, Weight, kernel};

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

/// Sums the degrees of some vertices.
#[kernel]
pub fn sum_degrees(vertices: &[Vertex], degrees: &[Atomic<u32>], total: &[Atomic<u64>]) {
    let i = thread_id();
    let mut degree: u64 = 0;
    if i < vertices.len() {
        degree = degrees[vertices[i]].load() as u64;
    }
    let sum = warp_reduce_sum(degree);
    if lane_id() == 0 {
        total[0].fetch_add(sum);
    }
}

/// Lists the first slabs of all lists of some vertices, whose degrees become 0: a
/// warp takes its lanes' vertices in turn, a lane each of a vertex's lists.
#[kernel]
pub fn take_lists<W: Weight>(graph: &Graph<W>, vertices: &[Vertex], heads: &Frontier<u32>) {
    let i = thread_id();
    let mut v = 0u32;
    if i < vertices.len() {
        v = vertices[i];
        graph.degrees[v].store(0);
    }
    let mut work = warp_ballot(i < vertices.len());
    while work != 0 {
        let owner = warp_dequeue(&mut work);
        let lists = graph.vertices[warp_broadcast(v, owner)];
        let mut from: Uniform<u32> = 0u32;
        while from < lists.buckets {
            let bucket = from + lane_id();
            warp_enqueue_frontier(heads, lists.first + bucket, bucket < lists.buckets);
            from += 32;
        }
    }
}

/// Empties slab lists, by their first slabs, and gives up all slabs of theirs but
/// those: a warp takes its lanes' lists in turn, a lane each word of a slab.
#[kernel]
pub fn empty_lists<W: Weight>(graph: &Graph<W>, heads: &[u32], freed: &Frontier<u32>) {
    let i = thread_id();
    let mut own = NULL_SLAB;
    if i < heads.len() {
        own = heads[i];
    }
    let mut work = warp_ballot(i < heads.len());
    while work != 0 {
        let owner = warp_dequeue(&mut work);
        let head = warp_broadcast(own, owner);
        let mut slab = head;
        while slab != NULL_SLAB {
            let word = graph.slabs[slab].word(lane_id()).load();
            let next = warp_broadcast(word, NEXT_LANE);
            graph.slabs[slab].word(lane_id()).store(EMPTY_KEY);
            lane_enqueue_frontier(freed, slab, lane_id() == 0 && slab != head);
            slab = next;
        }
        if lane_id() == 0 && graph.updated.len() != 0 {
            graph.updated[head].store(BEGIN_AGAIN);
        }
    }
}

/// Deletes from the lists of every vertex the keys that are marked: a lane each of
/// a vertex's lists.
#[kernel]
pub fn delete_marked<W: Weight>(graph: &Graph<W>, marks: &[u32]) {
    let v = thread_id();
    let mut work = warp_ballot(v < graph.vertices.len());
    while work != 0 {
        let owner = warp_dequeue(&mut work);
        let source = warp_broadcast(v, owner);
        let lists = graph.vertices[source];
        let mut gone = 0u32;
        let mut bucket = lane_id();
        while bucket < lists.buckets {
            let mut slab = lists.first + bucket;
            while slab != NULL_SLAB {
                for place in 0..NEXT_LANE {
                    let key = graph.slabs[slab].word(place).load();
                    if is_neighbor(graph, place, key) && marks[key] == 1 {
                        graph.slabs[slab].word(place).store(TOMBSTONE_KEY);
                        gone += 1;
                    }
                }
                slab = graph.slabs[slab].word(NEXT_LANE).load();
            }
            bucket += 32;
        }
        let all = warp_reduce_sum(gone);
        if lane_id() == 0 && all != 0 {
            graph.degrees[source].fetch_sub(all);
        }
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
        vertices.iter().try_for_each(|&vertex| self.check_vertex(vertex))?;
        let mut ids = self.ids.clone();
        let deleted = ids.delete(vertices);
        let list = DeviceBuffer::from_slice(self.device(), &deleted)?;
        match (self.options().direction, self.options().orientation) {
            (Direction::Directed, Orientation::Both) => {
                let away = self.out_edges()?.arcs_of(&list)?;
                let back = self.in_edges()?.arcs_of(&list)?;
                self.in_edges()?.queue_deletions(&away, End::Destination)?;
                self.out_edges()?.queue_deletions(&back, End::Destination)?;
                self.wear.deleted += away.len().max(back.len()) as u64;
            }
            (Direction::Undirected, _) => {
                let away = self.out_edges()?.arcs_of(&list)?;
                self.out_edges()?.queue_deletions(&away, End::Destination)?;
                self.wear.deleted += away.len() as u64;
            }
            (Direction::Directed, _) => {
                let mut marks = vec![0; self.vertex_count() as usize];
                deleted.iter().for_each(|&vertex| marks[vertex as usize] = 1);
                let marks = DeviceBuffer::from_slice(self.device(), &marks)?;
                self.each_orientation(|adjacency, _| adjacency.delete_marked(&marks))?;
            }
        }
        self.each_orientation(|adjacency, _| adjacency.empty_lists(&list))?;
        self.ids = ids;
        self.compact_by_policy();
        Ok(())
    }

    /// The ids of deleted vertices that were not used again, ascending.
    pub fn deleted_vertices(&self) -> Vec<Vertex> {
        self.ids.deleted()
    }

    pub(super) fn check_vertex(&self, vertex: Vertex) -> Result<(), Error> {
        let count = self.vertex_count();
        if vertex < count && !self.ids.is_deleted(vertex) {
            return Ok(());
        }
        Err(ErrorKind::NoSuchVertex { vertex, count }.into())
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

    fn delete_marked(&self, marks: &DeviceBuffer<u32>) -> Result<(), Error> {
        delete_marked::launch(self.device(), self.vertex_count(), self, marks)
    }

    fn empty_lists(&mut self, vertices: &DeviceBuffer<Vertex>) -> Result<(), Error> {
        let (device, slabs) = (self.device().clone(), self.slab_count()?);
        let mut heads = LevelQueue::new(&device, slabs)?;
        let mut freed = LevelQueue::new(&device, slabs)?;
        take_lists::launch(&device, vertices.len() as u32, &*self, vertices, heads.next())?;
        let lists = heads.advance()?;
        empty_lists::launch(&device, lists, &*self, heads.current(), freed.next())?;
        freed.advance()?;
        self.begin_updates_again()?;
        self.give_back(&freed.to_buffer()?.to_vec()?)
    }
}
