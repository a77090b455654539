//! Reading a graph back: edges, neighbours, degrees, compressed sparse rows.

use super::adjacency::Adjacency;
use super::compact_slabs::Compact;
use super::dynamic_graph::DynamicGraph;
use super::layout::Edge;
use super::lists::{EdgeBuffer, EdgeLists, Internal};
use super::options::{Endpoint, SlabOptions};
use super::search::out_degree;
use super::vertices::sum_all_degrees;
use crate::frontier::{Frontier, warp_enqueue_frontier};
use crate::launch::{HostArg, VertexItems, of_view};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::Graph;
use crate::view::Atomic;
use crate::{Device, DeviceBuffer, Error, ErrorKind};
use crate::{Neighbors, Schedule, Vertex, Weight};
use meerkat_macros::{kernel, vertex_operator};
use rayon::prelude::*;
use std::ops::Range;

/// Compressed sparse rows: the neighbours of vertex `v` are
/// `neighbors[offsets[v]..offsets[v + 1]]`, ascending, with their weights beside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Csr<W: Weight = ()> {
    /// Where the neighbours of each vertex begin, and at last where they end.
    pub offsets: Vec<u64>,
    /// The neighbours of vertex 0, of vertex 1, and so on.
    pub neighbors: Vec<u32>,
    /// The weight of each.
    pub weights: Vec<W>,
}

/// How many arcs are listed on the device at once: lists have up to 2^32 - 1 elements, and
/// take memory beside the graph.
pub(crate) const ARCS_AT_ONCE: u64 = 1 << 26;

/// How many vertices have their degrees summed up together.
const CHUNK: u32 = 1024;

/// Sums the degrees of each [`CHUNK`] of vertices, which whole warps have.
#[kernel]
fn sum_degrees_of_chunks(degrees: &[Atomic<u32>], sums: &[Atomic<u64>]) {
    let i = thread_id();
    let mut degree: u64 = 0;
    if i < degrees.len() {
        degree = degrees[i].load() as u64;
    }
    let sum = warp_reduce_sum(degree);
    if lane_id() == 0 && sum != 0 {
        sums[i / CHUNK].fetch_add(sum);
    }
}

/// Lists the edges of `v`.
#[vertex_operator]
fn collect_edges<G: Neighbors>(v: Vertex, graph: &G, edges: &Frontier<Edge<G::Carried>>) {
    for_each_neighbor(graph, v, true, |dst, weight| {
        warp_enqueue_frontier(edges, Edge::<G::Carried> { src: v, dst, weight }, true);
    });
}

/// Counts the neighbours of `v`.
#[vertex_operator]
fn store_degrees<G: Neighbors>(v: Vertex, graph: &G, degrees: &[Atomic<u32>]) {
    degrees[v].store(out_degree(graph, v));
}

/// Sums the degrees of some vertices.
#[kernel]
pub(super) fn sum_degrees<G: Neighbors>(graph: &G, vertices: &[Vertex], total: &[Atomic<u64>]) {
    let i = thread_id();
    let mut degree: u64 = 0;
    if i < vertices.len() {
        degree = out_degree(graph, vertices[i]) as u64;
    }
    let sum = block_reduce_sum(degree);
    if block_thread_id() == 0 {
        total[0].fetch_add(sum);
    }
}

/// How many neighbours each vertex has, in any container. Queued on CUDA.
pub(crate) fn degrees_of<G: Neighbors>(
    device: &Device,
    vertices: u32,
    graph: impl HostArg<G>,
) -> Result<DeviceBuffer<Atomic<u32>>, Error> {
    let degrees = DeviceBuffer::zeroed(device, vertices as usize)?;
    store_degrees::launch(device, 0..vertices, graph, &degrees)?;
    Ok(degrees)
}

/// Their sum. Synchronises.
pub(crate) fn sum_of(degrees: &DeviceBuffer<Atomic<u32>>) -> Result<u64, Error> {
    let total = DeviceBuffer::<Atomic<u64>>::zeroed(degrees.device(), 1)?;
    sum_all_degrees::launch(degrees.device(), degrees.len() as u32, degrees, &total)?;
    Ok(total.read(0, 1)?[0])
}

/// Few vertices are hubs, perhaps: up to 64 blocks share each of them. (By one block, the 100,000
/// neighbours of a hub took 0.2 ms to list, on an H200.)
pub(super) const OF_HUBS: Schedule = Schedule::Hybrid;

/// The arcs of some vertices, which are `count`, in no order. Synchronises.
pub(super) fn collect<G: Neighbors>(
    device: &Device,
    graph: impl HostArg<G>,
    vertices: impl HostArg<VertexItems>,
    schedule: Schedule,
    count: u64,
) -> Result<DeviceBuffer<Edge<G::Carried>>, Error> {
    let edges = DeviceBuffer::zeroed(device, usize::try_from(count).unwrap_or(usize::MAX))?;
    let length = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
    let list = Frontier { items: edges.view(), length: length.view() };
    collect_edges::launch_with(schedule, device, vertices, graph, list)?;
    // The list must outlive the launch.
    device.synchronize()?;
    Ok(edges)
}

/// A list of vertices, for [`collect`].
pub(super) fn items_of(vertices: &DeviceBuffer<Vertex>) -> VertexItems {
    VertexItems { list: vertices.view(), ..VertexItems::all(vertices.len() as u32) }
}

/// Counts an edge for each neighbour of `v`.
#[vertex_operator]
pub fn count_neighbors<G: Neighbors>(v: Vertex, graph: &G, counts: &[Atomic<u32>]) {
    for_each_neighbor(graph, v, true, |dst| {
        counts[dst].fetch_add(1);
    });
}

impl<W: Weight> Csr<W> {
    /// How many rows there are, if offsets and weights are whole.
    pub(crate) fn check(&self) -> Result<u32, Error> {
        let count = self.neighbors.len();
        let ascends = self.offsets.first() == Some(&0)
            && self.offsets.is_sorted()
            && self.offsets.last() == Some(&(count as u64));
        if !ascends {
            return Err(ErrorKind::BrokenCsr { what: "offsets" }.into());
        }
        if self.weights.len() != count {
            return Err(ErrorKind::BrokenCsr { what: "weights" }.into());
        }
        let rows = self.offsets.len() as u64 - 1;
        u32::try_from(rows).map_err(|_| ErrorKind::TooManyVertices { count: rows }.into())
    }
}

impl<L: EdgeLists> DynamicGraph<L> {
    /// All edges with their weights, ascending by (source, destination); of an
    /// undirected graph both arcs of each. Synchronises.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn to_edges(&self) -> Result<Vec<Edge<L::Carried>>, Error> {
        self.to_edges_in_parts(ARCS_AT_ONCE)
    }

    /// [`to_edges`](Self::to_edges) by way of lists of `most` arcs on the device.
    pub(super) fn to_edges_in_parts(&self, most: u64) -> Result<Vec<Edge<L::Carried>>, Error> {
        let mut edges = Vec::new();
        self.for_each_part(most, |part| {
            edges.extend_from_slice(part);
            Ok(())
        })?;
        Ok(edges)
    }

    /// Hands out the edges, ascending by (source, destination), by way of lists of `most` arcs
    /// on the device; of a graph that keeps in-edges only all at once. Synchronises.
    pub(super) fn for_each_part(
        &self,
        most: u64,
        mut act: impl FnMut(&[Edge<L::Carried>]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some((lists, end)) = self.any_orientation() else { return Ok(()) };
        let sort = |edges: &mut Vec<Edge<L::Carried>>| {
            edges.par_sort_unstable_by_key(|edge| (edge.src, edge.dst));
        };
        let mut reversed = Vec::new();
        for (vertices, arcs) in ranges(lists, most)? {
            let mut edges = arcs_within(lists, vertices, arcs)?.to_vec()?;
            if end == Endpoint::Destination {
                reversed.append(&mut edges);
            } else {
                sort(&mut edges);
                act(&edges)?;
            }
        }
        if end == Endpoint::Destination {
            let swap = |edge: &mut Edge<L::Carried>| std::mem::swap(&mut edge.src, &mut edge.dst);
            reversed.par_iter_mut().for_each(swap);
            sort(&mut reversed);
            act(&reversed)?;
        }
        Ok(())
    }

    /// The out-neighbours of a vertex and the weights of their edges, ascending.
    /// Synchronises.
    ///
    /// # Errors
    /// No such vertex; the graph keeps in-edges only; the device fails.
    pub fn neighbors(&self, vertex: Vertex) -> Result<Vec<(Vertex, L::Carried)>, Error> {
        self.check_vertex(vertex)?;
        neighbors_of(self.out_edges()?, vertex)
    }

    /// The out-degree of each vertex, exact after every batch. Synchronises.
    ///
    /// Cost: a copy in slabs, a pass over the records of block arrays, and over the lists of compact slabs but
    /// for hubs; if the graph keeps in-edges only, a pass over them.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn out_degrees(&self) -> Result<Vec<u32>, Error> {
        self.degrees(self.out_edges().ok(), self.in_edges().ok())
    }

    /// The in-degree of each vertex, exact after every batch. Synchronises.
    ///
    /// Cost: as [`out_degrees`](Self::out_degrees); if the graph keeps out-edges only, a pass over them.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn in_degrees(&self) -> Result<Vec<u32>, Error> {
        self.degrees(self.in_edges().ok(), self.out_edges().ok())
    }

    fn degrees(&self, kept: Option<&L>, opposite: Option<&L>) -> Result<Vec<u32>, Error> {
        match (kept, opposite) {
            (Some(kept), _) => kept.copied_degrees()?.to_vec(),
            (None, Some(opposite)) => {
                let n = self.vertex_count();
                let counts = DeviceBuffer::zeroed(self.device(), n as usize)?;
                count_neighbors::launch(self.device(), 0..n, opposite.arg(), &counts)?;
                counts.to_vec()
            }
            (None, None) => Ok(Vec::new()),
        }
    }

    /// The out-edges as compressed sparse rows. Synchronises.
    ///
    /// # Errors
    /// As [`to_edges`](Self::to_edges).
    pub fn to_csr(&self) -> Result<Csr<L::Carried>, Error> {
        let edges = self.to_edges()?;
        let mut offsets = Vec::with_capacity(self.vertex_count() as usize + 1);
        offsets.push(0);
        let mut at = 0;
        for vertex in 0..self.vertex_count() {
            at += edges[at..].iter().take_while(|edge| edge.src == vertex).count();
            offsets.push(at as u64);
        }
        Ok(Csr {
            offsets,
            neighbors: edges.par_iter().map(|edge| edge.dst).collect(),
            weights: edges.par_iter().map(|edge| edge.weight).collect(),
        })
    }

    /// A graph with the edges of compressed sparse rows, one vertex a row.
    /// Synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::BrokenCsr`] if offsets do not ascend from 0 to the number of
    /// neighbours, or weights are not as many; as
    /// [`from_edges`](Self::from_edges).
    pub fn from_csr(
        device: &Device,
        csr: &Csr<L::Carried>,
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        let vertices = csr.check()?;
        let mut edges = Vec::with_capacity(csr.neighbors.len());
        for (src, row) in (0..).zip(csr.offsets.windows(2)) {
            let row = row[0] as usize..row[1] as usize;
            let columns = csr.neighbors[row.clone()].iter().zip(&csr.weights[row]);
            edges.extend(columns.map(|(&dst, &weight)| Edge { src, dst, weight }));
        }
        Self::from_edges(device, vertices, &edges, options)
    }
}

impl<W: Weight> Adjacency<W> {
    /// The neighbours of a vertex and the weights of their edges, ascending.
    /// Synchronises.
    ///
    /// # Errors
    /// No such vertex; the device fails.
    pub fn neighbors(&self, vertex: Vertex) -> Result<Vec<(Vertex, W)>, Error> {
        neighbors_of(self, vertex)
    }

    /// How many arcs there are.
    pub(super) fn arc_count(&self) -> Result<u64, Error> {
        sum_of(self.degrees())
    }
}

/// The same lists as another container's, whose vertices have these degrees; if need be by way of
/// lists of `most` arcs. Synchronises.
pub(crate) fn copied<L: EdgeLists, G: Neighbors<Carried = L::Carried>>(
    degrees: DeviceBuffer<Atomic<u32>>,
    graph: impl HostArg<G> + Copy,
    options: &SlabOptions,
    most: u64,
) -> Result<L, Error> {
    let (device, vertices) = (degrees.device().clone(), degrees.len() as u32);
    let ranges = ranges_of(&degrees, most)?;
    let arcs = ranges.iter().map(|(_, arcs)| arcs).sum();
    let mut lists = L::planned(degrees, arcs, options, Internal::TOKEN)?;
    let is_like_it = of_view(&device, graph, |source| {
        source.has_no_repeats() && source.shape().vertices == vertices
    })?;
    if is_like_it && lists.copy(graph, Internal::TOKEN)? {
        device.synchronize()?;
        return Ok(lists);
    }
    for (range, arcs) in ranges {
        lists.fill(&collect(&device, graph, range, Schedule::Auto, arcs)?, &[Endpoint::Source])?;
    }
    lists.finish_filling()?;
    Ok(lists)
}

/// The neighbours of a vertex and the weights of their edges, ascending. Synchronises.
pub(super) fn neighbors_of<L: EdgeLists>(
    lists: &L,
    vertex: Vertex,
) -> Result<Vec<(Vertex, L::Carried)>, Error> {
    let count = lists.vertex_count();
    if vertex >= count {
        return Err(ErrorKind::NoSuchVertex { vertex, count }.into());
    }
    let list = DeviceBuffer::from_slice(lists.device(), &[vertex])?;
    let edges = arcs_of(lists, &list)?.to_vec()?;
    let mut neighbors: Vec<_> = edges.into_iter().map(|edge| (edge.dst, edge.weight)).collect();
    neighbors.sort_unstable_by_key(|&(dst, _)| dst);
    Ok(neighbors)
}

/// Ranges of vertices in order, of at most `most` arcs each unless one vertex has more;
/// and how many arcs they have. Synchronises.
pub(super) fn ranges<L: EdgeLists>(
    lists: &L,
    most: u64,
) -> Result<Vec<(Range<Vertex>, u64)>, Error> {
    let (vertices, arcs) = (lists.vertex_count(), lists.arc_count()?);
    if arcs <= most {
        return Ok(vec![(0..vertices, arcs)]);
    }
    ranges_of(&lists.copied_degrees()?, most)
}

/// The same of vertices of these degrees.
pub(super) fn ranges_of(
    degrees: &DeviceBuffer<Atomic<u32>>,
    most: u64,
) -> Result<Vec<(Range<Vertex>, u64)>, Error> {
    let (device, vertices) = (degrees.device(), degrees.len() as u32);
    let chunks = vertices.div_ceil(CHUNK) as usize;
    let sums = DeviceBuffer::<Atomic<u64>>::zeroed(device, chunks)?;
    sum_degrees_of_chunks::launch(device, vertices, degrees, &sums)?;
    let mut ranges: Vec<(Range<Vertex>, u64)> = Vec::new();
    let mut append = |range: Range<Vertex>, arcs: u64| match ranges.last_mut() {
        Some((last, sum)) if *sum + arcs <= most => {
            last.end = range.end;
            *sum += arcs;
        }
        _ => ranges.push((range, arcs)),
    };
    for (chunk, sum) in (0..).zip(sums.to_vec()?) {
        let first = chunk * CHUNK;
        let length = CHUNK.min(vertices - first);
        if sum <= most {
            append(first..first + length, sum);
            continue;
        }
        let degrees = degrees.read(first as usize, length as usize)?;
        for (vertex, degree) in (first..).zip(degrees) {
            append(vertex..vertex + 1, degree.into());
        }
    }
    Ok(ranges)
}

/// The arcs of a range of vertices, which are `count`, in no order.
pub(super) fn arcs_within<L: EdgeLists>(
    lists: &L,
    vertices: Range<Vertex>,
    count: u64,
) -> Result<EdgeBuffer<L>, Error> {
    collect(lists.device(), lists.arg(), vertices, Schedule::Auto, count)
}

/// The arcs of some vertices, in no order.
pub(super) fn arcs_of<L: EdgeLists>(
    lists: &L,
    vertices: &DeviceBuffer<Vertex>,
) -> Result<EdgeBuffer<L>, Error> {
    let (device, total) = (lists.device(), DeviceBuffer::<Atomic<u64>>::zeroed(lists.device(), 1)?);
    sum_degrees::launch(device, vertices.len() as u32, lists.arg(), vertices, &total)?;
    collect(device, lists.arg(), items_of(vertices), OF_HUBS, total.read(0, 1)?[0])
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        sum_degrees_of_chunks::info(),
        store_degrees::info::<Graph>(),
        store_degrees::info::<Compact>(),
        collect_edges::info::<Graph>(),
        collect_edges::info::<Graph<u32>>(),
        collect_edges::info::<Compact>(),
        collect_edges::info_with::<Graph>(OF_HUBS),
        collect_edges::info_with::<Compact>(OF_HUBS),
        collect_edges::info_with::<Compact>(Schedule::Thread),
        count_neighbors::info::<Graph>(),
        sum_degrees::info::<Graph>(),
        sum_degrees::info::<Compact>(),
    ]
}
