//! Ids of edges: a batch finds those that are there, and takes ids that are free for the others.

use super::column::grow;
use super::store::{EdgeId, NO_EDGE};
use crate::device::{Device, DeviceBuffer, read_together};
use crate::frontier::{Frontier, block_enqueue_frontier};
use crate::graph::block_arrays::Blocks;
use crate::graph::compact_slabs::Compact;
use crate::graph::{
    Change, DeviceBatch, DynamicGraph, Edge, EdgeLists, Graph, HashedEdges, NOT_FOUND,
};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::{Atomic, DeviceSlice};
use crate::{Direction, Error, ErrorKind, Neighbors};
use meerkat_macros::{device, kernel};
use std::mem;

/// The n-th id that a batch takes: the last of those that are free first, then new ones.
#[device]
fn nth_id(free: &[u32], free_count: u32, used: u32, n: u32) -> u32 {
    if n < free_count { free[free_count - 1 - n] } else { used + (n - free_count) }
}

/// Whether an update deletes, by the flags of its batch.
#[device]
fn deletes_at(deletes: &[u8], i: u32) -> bool {
    i < deletes.len() && deletes[i] == 1
}

/// Gives the edge of each insertion that is the last of its edge (`last`) its id: the one that it has,
/// or one that it takes.
#[kernel]
fn name_edges<G: Neighbors<Carried = u32>>(
    graph: &G,
    vertices: u32,
    edges: &[Edge],
    deletes: &[u8],
    last: &[Atomic<u32>],
    reversed: bool,
    free: &[u32],
    free_count: &[Atomic<u32>],
    used: u32,
    taken: &[Atomic<u32>],
    ids: &[Atomic<u32>],
) {
    let slot = thread_id();
    if slot < last.len() {
        let i = last[slot].load();
        if i != NO_EDGE && !deletes_at(deletes, i) {
            let found: u64 = find_id(graph, vertices, edges[i], reversed);
            let mut id = found as u32;
            if found == NOT_FOUND {
                let n = taken[0].fetch_add_aggregated(1);
                id = nth_id(free, free_count[0].load(), used, n);
            }
            ids[i].store(id);
        }
    }
}

/// The id of an edge, or [`NOT_FOUND`].
#[device]
fn find_id<G: Neighbors<Carried = u32>>(
    graph: &G,
    vertices: u32,
    edge: Edge,
    reversed: bool,
) -> u64 {
    let mut found: u64 = NOT_FOUND;
    if edge.src < vertices && edge.dst < vertices {
        let src = select(reversed, edge.dst, edge.src);
        let dst = select(reversed, edge.src, edge.dst);
        found = graph.find(src, dst);
    }
    found
}

/// The id of each edge of a list, or [`NO_EDGE`].
#[kernel]
fn find_ids<G: Neighbors<Carried = u32>>(
    graph: &G,
    vertices: u32,
    edges: &[Edge],
    reversed: bool,
    ids: &mut [u32],
) {
    let i = thread_id();
    if i < edges.len() {
        let found: u64 = find_id(graph, vertices, edges[i], reversed);
        ids[i] = select(found == NOT_FOUND, NO_EDGE, found as u32);
    }
}

/// The updates of a batch with ids for weights, and the flags of deletions.
#[kernel]
fn carry_ids(
    edges: &[Edge],
    deletes: &[u8],
    ids: &[u32],
    named: &mut [Edge<u32>],
    flags: &mut [u8],
) {
    let i = thread_id();
    if i < edges.len() {
        named[i] = Edge { src: edges[i].src, dst: edges[i].dst, weight: ids[i] };
        flags[i] = deletes_at(deletes, i) as u8;
    }
}

/// Lists the ids that a batch has taken.
#[kernel]
fn list_taken(free: &[u32], free_count: u32, used: u32, taken: &mut [u32]) {
    let n = thread_id();
    if n < taken.len() {
        taken[n] = nth_id(free, free_count, used, n);
    }
}

/// Appends the ids of edges that went to those that are free.
#[kernel]
fn give_ids_back(gone: &[Edge<u32>], undirected: bool, free: &Frontier<u32>) {
    let i = thread_id();
    let mut id = 0u32;
    let mut is_one = false;
    if i < gone.len() {
        let edge = gone[i];
        id = edge.weight;
        // Both arcs of an edge have the same.
        is_one = !undirected || edge.src <= edge.dst;
    }
    block_enqueue_frontier(free, id, is_one);
}

/// Which ids are free.
#[derive(Debug)]
pub(super) struct EdgeIds {
    /// All below it were given out some time.
    used: u32,
    /// A list of those that are free, with room for all.
    free: DeviceBuffer<u32>,
    free_count: DeviceBuffer<Atomic<u32>>,
}

/// A batch whose edges have ids.
pub(super) struct Named {
    pub(super) batch: DeviceBatch<u32>,
    /// The id of each update, [`NO_EDGE`] where it is to have no values.
    ids: DeviceBuffer<Atomic<u32>>,
    /// The ids that were free before.
    pub(super) taken: DeviceBuffer<u32>,
    /// How many ids were free before, and are with the batch without its deletions.
    free_count: [u32; 2],
    /// All ids in use are below it, with the batch.
    pub(super) used: u32,
}

impl Named {
    pub(super) fn ids(&self) -> DeviceSlice<u32> {
        self.ids.plain_view(0..self.ids.len())
    }
}

/// Where edges are searched for: lists, and whether they are those of destinations.
pub(super) fn lists_of<L: EdgeLists>(graph: &DynamicGraph<L>) -> Result<(&L, bool), Error> {
    match graph.out_edges() {
        Ok(out) => Ok((out, false)),
        Err(_) => graph.in_edges().map(|into| (into, true)),
    }
}

impl EdgeIds {
    pub(super) fn new(device: &Device) -> Result<Self, Error> {
        let (free, free_count) =
            (DeviceBuffer::growable(device, 0, 0)?, DeviceBuffer::zeroed(device, 1)?);
        Ok(EdgeIds { used: 0, free, free_count })
    }

    /// Those of a file.
    pub(super) fn from_parts(device: &Device, used: u32, free: &[u32]) -> Result<Self, Error> {
        let mut ids = EdgeIds { used, ..Self::new(device)? };
        ids.reserve(used)?;
        ids.free.write(0, free)?;
        ids.free_count.write(0, &[free.len() as u32])?;
        Ok(ids)
    }

    /// All ids in use are below the number; those that are free. Synchronises.
    pub(super) fn to_parts(&self) -> Result<(u32, Vec<u32>), Error> {
        let count = self.free_count.read(0, 1)?[0] as usize;
        Ok((self.used, self.free.read(0, count)?))
    }

    /// All ids in use are below it.
    pub(super) fn used(&self) -> u32 {
        self.used
    }

    /// How many edges have one. Synchronises.
    pub(super) fn in_use(&self) -> Result<u32, Error> {
        Ok(self.used - self.free_count.read(0, 1)?[0])
    }

    pub(super) fn bytes(&self) -> u64 {
        self.free.bytes() + self.free_count.bytes()
    }

    /// Memory for all ids below `used`; then [`keep`](Self::keep) takes none.
    pub(super) fn reserve(&mut self, used: u32) -> Result<(), Error> {
        grow(&mut self.free, used as usize)
    }

    /// The ids of the edges that a batch inserts. Nothing is changed. Synchronises.
    pub(super) fn name<L: EdgeLists<Carried = u32>>(
        &self,
        graph: &DynamicGraph<L>,
        updates: &DeviceBatch,
    ) -> Result<Named, Error> {
        let (device, edges) = (graph.device(), updates.edges()?);
        let ids = DeviceBuffer::filled(device, edges.len(), NO_EDGE)?;
        let taken = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
        let none = DeviceBuffer::empty(device);
        let deletes = updates.deletes().unwrap_or(&none);
        if !updates.deletes_all() {
            self.queue_search(graph, edges, deletes, &taken, &ids)?;
        }
        let mut named = DeviceBuffer::zeroed(device, edges.len())?;
        let mut flags = DeviceBuffer::zeroed(device, edges.len())?;
        let view = ids.plain_view(0..ids.len());
        let threads = edges.len() as u32;
        carry_ids::launch(device, threads, edges, deletes, view, &mut named, &mut flags)?;
        let counts = read_together(&[(&taken, 0..1), (&self.free_count, 0..1)])?;
        let (count, free) = (counts[0], counts[1]);
        let fresh = count.saturating_sub(free);
        let used = self.used.checked_add(fresh).filter(|&used| used < NO_EDGE);
        let length = self.used as usize + fresh as usize;
        let used = used.ok_or(ErrorKind::BufferTooLong { length })?;
        let mut taken = DeviceBuffer::zeroed(device, count as usize)?;
        list_taken::launch(device, count, &self.free, free, self.used, &mut taken)?;
        let batch = match (updates.deletes_all(), updates.deletes()) {
            (true, _) => DeviceBatch::deletions(named),
            (_, None) => DeviceBatch::insertions(named),
            (_, Some(_)) => DeviceBatch::mixed(named, flags)?,
        };
        let free_count = [free, free.saturating_sub(count)];
        Ok(Named { batch, ids, taken, free_count, used })
    }

    fn queue_search<L: EdgeLists<Carried = u32>>(
        &self,
        graph: &DynamicGraph<L>,
        edges: &DeviceBuffer<Edge>,
        deletes: &DeviceBuffer<u8>,
        taken: &DeviceBuffer<Atomic<u32>>,
        ids: &DeviceBuffer<Atomic<u32>>,
    ) -> Result<(), Error> {
        let (lists, reversed) = lists_of(graph)?;
        let direction = match graph.is_undirected() {
            true => Direction::Undirected,
            false => Direction::Directed,
        };
        let set = HashedEdges::of(edges, direction)?;
        name_edges::launch(
            graph.device(),
            set.last().len() as u32,
            lists.arg(),
            graph.vertex_count(),
            edges,
            deletes,
            set.last(),
            reversed,
            &self.free,
            &self.free_count,
            self.used,
            taken,
            ids,
        )
    }

    /// The ids that a batch takes are in use from now on; returns below which number all were before. Takes no
    /// memory. Queued on CUDA.
    pub(super) fn keep(&mut self, named: &Named) -> Result<u32, Error> {
        let [before, after] = named.free_count;
        if before != after {
            self.free_count.write(0, &[after])?;
        }
        Ok(mem::replace(&mut self.used, named.used))
    }

    /// The batch was refused: its ids, which [`keep`](Self::keep) took, are free again. Takes no memory.
    /// Queued on CUDA.
    pub(super) fn take_back(&mut self, named: &Named, used: u32) -> Result<(), Error> {
        let [before, after] = named.free_count;
        self.used = used;
        if before != after { self.free_count.write(0, &[before]) } else { Ok(()) }
    }

    /// The ids of edges that went are free. Takes no memory. Queued on CUDA.
    pub(super) fn give_back(
        &mut self,
        change: &Change<u32>,
        undirected: bool,
    ) -> Result<(), Error> {
        let gone = change.deleted();
        let free = Frontier { items: self.free.view(), length: self.free_count.view() };
        give_ids_back::launch(gone.device(), gone.len() as u32, gone, undirected, free)
    }
}

/// The ids of some edges, or [`NO_EDGE`]. Queued on CUDA.
pub(super) fn ids_of<L: EdgeLists<Carried = u32>>(
    graph: &DynamicGraph<L>,
    edges: &DeviceBuffer<Edge>,
) -> Result<DeviceBuffer<EdgeId>, Error> {
    let ((lists, reversed), vertices) = (lists_of(graph)?, graph.vertex_count());
    let mut ids = DeviceBuffer::zeroed(graph.device(), edges.len())?;
    let threads = edges.len() as u32;
    find_ids::launch(graph.device(), threads, lists.arg(), vertices, edges, reversed, &mut ids)?;
    Ok(ids)
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        name_edges::info::<Graph<u32>>(),
        name_edges::info::<Compact<u32>>(),
        name_edges::info::<Blocks<u32>>(),
        find_ids::info::<Graph<u32>>(),
        carry_ids::info(),
        list_taken::info(),
        give_ids_back::info(),
    ]
}
