//! Reading a graph back: edges, neighbours, degrees, compressed sparse rows.

use super::adjacency::Adjacency;
use super::compact_slabs::Compact;
use super::layout::Edge;
use super::options::{Endpoint, SlabOptions};
use super::search::out_degree;
use super::slab_graph::SlabGraph;
use super::vertices::sum_all_degrees;
use crate::frontier::{Frontier, warp_enqueue_frontier};
use crate::launch::{HostArg, VertexItems};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::Graph;
use crate::view::Atomic;
use crate::{Device, DeviceBuffer, Error, ErrorKind, Neighbors, Schedule, Vertex, Weight};
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
pub(super) const ARCS_AT_ONCE: u64 = 1 << 26;

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

/// The arcs of some vertices, which are `count`, in no order. Synchronises.
pub(super) fn collect<G: Neighbors>(
    device: &Device,
    graph: impl HostArg<G>,
    vertices: impl HostArg<VertexItems>,
    count: u64,
) -> Result<DeviceBuffer<Edge<G::Carried>>, Error> {
    let edges = DeviceBuffer::zeroed(device, usize::try_from(count).unwrap_or(usize::MAX))?;
    let length = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
    let list = Frontier { items: edges.view(), length: length.view() };
    // Hubs must not wait for one warp each.
    collect_edges::launch_with(Schedule::SlabList, device, vertices, graph, list)?;
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
pub fn count_neighbors<W: Weight>(v: Vertex, graph: &Graph<W>, counts: &[Atomic<u32>]) {
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

impl<W: Weight> SlabGraph<W> {
    /// All edges with their weights, ascending by (source, destination); of an
    /// undirected graph both arcs of each. Synchronises.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn to_edges(&self) -> Result<Vec<Edge<W>>, Error> {
        self.to_edges_in_parts(ARCS_AT_ONCE)
    }

    /// [`to_edges`](Self::to_edges) by way of lists of `most` arcs on the device.
    pub(super) fn to_edges_in_parts(&self, most: u64) -> Result<Vec<Edge<W>>, Error> {
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
        mut act: impl FnMut(&[Edge<W>]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some((adjacency, end)) = self.any_orientation() else { return Ok(()) };
        let sort = |edges: &mut Vec<Edge<W>>| {
            edges.par_sort_unstable_by_key(|edge| (edge.src, edge.dst));
        };
        let mut reversed = Vec::new();
        for (vertices, arcs) in adjacency.ranges(most)? {
            let mut edges = adjacency.arcs_within(vertices, arcs)?.to_vec()?;
            if end == Endpoint::Destination {
                reversed.append(&mut edges);
            } else {
                sort(&mut edges);
                act(&edges)?;
            }
        }
        if end == Endpoint::Destination {
            let swap = |edge: &mut Edge<W>| std::mem::swap(&mut edge.src, &mut edge.dst);
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
    pub fn neighbors(&self, vertex: Vertex) -> Result<Vec<(Vertex, W)>, Error> {
        self.check_vertex(vertex)?;
        self.out_edges()?.neighbors(vertex)
    }

    /// The out-degree of each vertex, exact after every batch. Synchronises.
    ///
    /// Cost: a copy; if the graph keeps in-edges only, a pass over them.
    ///
    /// # Errors
    /// The device fails.
    pub fn out_degrees(&self) -> Result<Vec<u32>, Error> {
        self.degrees(self.out_edges().ok(), self.in_edges().ok())
    }

    /// The in-degree of each vertex, exact after every batch. Synchronises.
    ///
    /// Cost: a copy; if the graph keeps out-edges only, a pass over them.
    ///
    /// # Errors
    /// The device fails.
    pub fn in_degrees(&self) -> Result<Vec<u32>, Error> {
        self.degrees(self.in_edges().ok(), self.out_edges().ok())
    }

    fn degrees(
        &self,
        kept: Option<&Adjacency<W>>,
        opposite: Option<&Adjacency<W>>,
    ) -> Result<Vec<u32>, Error> {
        match (kept, opposite) {
            (Some(kept), _) => kept.degrees().to_vec(),
            (None, Some(opposite)) => {
                let n = self.vertex_count();
                let counts = DeviceBuffer::zeroed(self.device(), n as usize)?;
                count_neighbors::launch(self.device(), 0..n, opposite, &counts)?;
                counts.to_vec()
            }
            (None, None) => Ok(Vec::new()),
        }
    }

    /// The out-edges as compressed sparse rows. Synchronises.
    ///
    /// # Errors
    /// As [`to_edges`](Self::to_edges).
    pub fn to_csr(&self) -> Result<Csr<W>, Error> {
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
    pub fn from_csr(device: &Device, csr: &Csr<W>, options: &SlabOptions) -> Result<Self, Error> {
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
        let count = self.degrees().len() as u32;
        if vertex >= count {
            return Err(ErrorKind::NoSuchVertex { vertex, count }.into());
        }
        let list = DeviceBuffer::from_slice(self.device(), &[vertex])?;
        let edges = self.arcs_of(&list)?.to_vec()?;
        let mut neighbors: Vec<_> = edges.into_iter().map(|edge| (edge.dst, edge.weight)).collect();
        neighbors.sort_unstable_by_key(|&(dst, _)| dst);
        Ok(neighbors)
    }

    /// Ranges of vertices in order, of at most `most` arcs each unless one vertex has more;
    /// and how many arcs they have. Synchronises.
    pub(super) fn ranges(&self, most: u64) -> Result<Vec<(Range<Vertex>, u64)>, Error> {
        let (vertices, arcs) = (self.vertex_count(), self.arc_count()?);
        if arcs <= most {
            return Ok(vec![(0..vertices, arcs)]);
        }
        let chunks = vertices.div_ceil(CHUNK) as usize;
        let sums = DeviceBuffer::<Atomic<u64>>::zeroed(self.device(), chunks)?;
        sum_degrees_of_chunks::launch(self.device(), vertices, self.degrees(), &sums)?;
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
            let degrees = self.degrees().read(first as usize, length as usize)?;
            for (vertex, degree) in (first..).zip(degrees) {
                append(vertex..vertex + 1, degree.into());
            }
        }
        Ok(ranges)
    }

    /// The arcs of a range of vertices, which are `count`, in no order.
    pub(super) fn arcs_within(
        &self,
        vertices: Range<Vertex>,
        count: u64,
    ) -> Result<DeviceBuffer<Edge<W>>, Error> {
        collect(self.device(), self, vertices, count)
    }

    /// How many arcs there are.
    pub(super) fn arc_count(&self) -> Result<u64, Error> {
        sum_of(self.degrees())
    }

    /// The arcs of some vertices, in no order.
    pub(super) fn arcs_of(
        &self,
        vertices: &DeviceBuffer<Vertex>,
    ) -> Result<DeviceBuffer<Edge<W>>, Error> {
        let [arcs, _] = self.sum_lists(vertices)?;
        collect(self.device(), self, items_of(vertices), arcs)
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        sum_degrees_of_chunks::info(),
        store_degrees::info::<Graph>(),
        store_degrees::info::<Compact>(),
        collect_edges::info::<Graph>(),
        collect_edges::info::<Graph<u32>>(),
        collect_edges::info::<Compact>(),
        count_neighbors::info::<()>(),
    ]
}
