//! The rows of an oriented graph, made from a slab graph.

use super::close::Limits;
use crate::ErrorKind;
use crate::frontier::block_enqueue_frontier;
use crate::graph::{Adjacency, has_edge, out_degree};
use crate::launch::HostArg;
use crate::prelude::*;
use crate::view::Slab;

/// The out-neighbours of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Row {
    /// Where they begin: which four words of all slabs.
    pub quad: u32,
    /// How many there are.
    pub length: u32,
}

/// An oriented graph as kernels see it; the host has it as an [`OrientedGraph`].
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct Oriented {
    /// The row of each vertex.
    pub rows: DeviceSlice<Row>,
    /// What the rows hold, in slabs for their loads of four words.
    pub keys: DeviceSlice<Slab>,
}

/// The out-neighbour at a place of a row.
#[device]
pub fn key_at(graph: &Oriented, row: Row, place: u32) -> u32 {
    let quad: u32 = row.quad + place / 4;
    graph.keys[quad / 8].word(quad % 8 * 4 + place % 4).load()
}

/// Counts the arcs at both ends of each.
#[vertex_operator]
pub fn count_ends<W: Weight>(v: Vertex, graph: &Graph<W>, degrees: &[Atomic<u32>]) {
    degrees[v].fetch_add(out_degree(graph, v));
    for_each_neighbor(graph, v, true, |dst| {
        degrees[dst].fetch_add(1);
    });
}

/// Adds the arcs at `v` in two orientations.
#[vertex_operator]
pub fn add_degrees<W: Weight>(v: Vertex, out: &Graph<W>, into: &Graph<W>, degrees: &[Atomic<u32>]) {
    degrees[v].store(out_degree(out, v) + out_degree(into, v));
}

/// Gives each vertex room for its neighbours, up to `longest`, in whole quads; those of
/// neighbouring vertices side by side.
#[kernel]
pub fn place_rows(degrees: &[Atomic<u32>], longest: u32, next: &[Atomic<u32>], rows: &mut [Row]) {
    let i = thread_id();
    let mut wanted = 0u32;
    if i < rows.len() {
        wanted = (degrees[i].load().min(longest) + 3) / 4;
    }
    let below = block_scan_sum(wanted);
    let all = block_reduce_sum(wanted);
    let mut first = 0u32;
    if block_thread_id() == 0 {
        first = next[0].fetch_add(all);
    }
    let base = block_broadcast(first, 0);
    if i < rows.len() {
        rows[i] = Row { quad: base + below, length: 0 };
    }
}

/// Appends each edge at `v` to the row of its lower end; among equals the smaller vertex
/// is lower. Where edges are `mirrored`, the two arcs of an edge are known to be there;
/// else an arc downwards counts if the opposite one is not.
#[vertex_operator]
pub fn fill_rows<W: Weight>(
    v: Vertex,
    graph: &Graph<W>,
    mirrored: bool,
    degrees: &[Atomic<u32>],
    lengths: &[Atomic<u32>],
    oriented: &Oriented,
) {
    for_each_neighbor(graph, v, true, |dst| {
        let degree = degrees[v].load();
        let other = degrees[dst].load();
        let ascends = degree < other || degree == other && v < dst;
        let low = select(ascends, v, dst);
        let high = select(ascends, dst, v);
        if v != dst && (ascends || !mirrored && !has_edge(graph, dst, v)) {
            let place = lengths[low].fetch_add(1);
            let quad = oriented.rows[low].quad + place / 4;
            oriented.keys[quad / 8].word(quad % 8 * 4 + place % 4).store(high);
        }
    });
}

/// Writes down how long the rows are, and lists the vertices with more than `limit`.
#[kernel]
pub fn list_rows(lengths: &[Atomic<u32>], limit: u32, rows: &mut [Row], long: &Frontier<Vertex>) {
    let v = thread_id();
    let mut length = 0u32;
    if v < rows.len() {
        length = lengths[v].load();
        rows[v].length = length;
    }
    block_enqueue_frontier(long, v, length > limit);
}

/// Lists all edges, each once. A warp takes the rows of its lanes' vertices in turn.
#[kernel]
pub fn list_edges(graph: &Oriented, edges: &Frontier<Edge>) {
    let v = thread_id();
    let mut own = Row { quad: 0, length: 0 };
    if v < graph.rows.len() {
        own = graph.rows[v];
    }
    let mut work = warp_ballot(own.length != 0);
    while work != 0 {
        let lane = warp_dequeue(&mut work);
        let src = warp_broadcast(v, lane);
        let row = warp_broadcast(own, lane);
        let mut from: Uniform<u32> = 0u32;
        while from < row.length {
            let place = from + lane_id();
            let mut dst = 0u32;
            if place < row.length {
                dst = key_at(graph, row, place);
            }
            let edge = Edge::<()> { src, dst, weight: () };
            warp_enqueue_frontier(edges, edge, place < row.length);
            from += 32;
        }
    }
}

/// The oriented graph of a slab graph, as it was when it was asked for; passed as
/// `&Oriented` to kernels.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_runtime::oriented::OrientedGraph;
/// use meerkat_runtime::prelude::*;
///
/// let device = Device::auto();
/// let edges = [(0, 1), (1, 2), (2, 0), (2, 3)].map(|(src, dst)| Edge { src, dst, weight: () });
/// let graph = SlabGraph::from_edges(&device, 4, &edges, &SlabOptions::DEFAULT)?;
/// let oriented = OrientedGraph::of(&graph)?;
/// let (total, corners) = (DeviceBuffer::zeroed(&device, 1)?, DeviceBuffer::zeroed(&device, 4)?);
/// oriented.count_closed(&corners, &total)?;
/// assert_eq!((total.to_vec()?, corners.to_vec()?), (vec![1], vec![1, 1, 1, 0]));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct OrientedGraph {
    rows: DeviceBuffer<Row>,
    keys: DeviceBuffer<Slab>,
    pub(super) limits: Limits,
    /// The vertices with rows longer than a warp takes.
    pub(super) long: LevelQueue<Vertex>,
    /// How many arcs the graph has: no fewer than edges.
    arcs: u64,
}

impl OrientedGraph {
    /// Orients the edges of a graph, whatever the directions of its arcs; loops and
    /// weights are left out. Synchronises.
    ///
    /// Cost: a walk over the graph; of a directed one a search for the opposite of half
    /// the arcs and, if it keeps out-edges only, another walk. 4 to 8 bytes an edge, and
    /// 8 a vertex.
    ///
    /// # Errors
    /// The graph keeps in-edges only; no memory; the device fails.
    pub fn of<W: Weight>(graph: &SlabGraph<W>) -> Result<Self, Error> {
        Self::within(graph, Limits::DEFAULT)
    }

    /// [`of`](Self::of) with other [`Limits`], for tests.
    #[doc(hidden)]
    pub fn within<W: Weight>(graph: &SlabGraph<W>, limits: Limits) -> Result<Self, Error> {
        let (device, vertices) = (graph.device(), graph.vertex_count());
        let out = graph.out_edges()?;
        let mirrored = graph.options().direction == Direction::Undirected;
        let counted;
        let degrees = if mirrored {
            out.degrees()
        } else {
            counted = degrees_both_ways(graph, out)?;
            &counted
        };
        // Whom `k` edges leave has `k` neighbours with `k` arcs each, at both ends.
        let arcs = graph.edge_count()?;
        let ends = if mirrored { arcs } else { 2 * arcs };
        let longest = u32::try_from(ends.isqrt()).unwrap_or(u32::MAX);
        let next = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
        let mut rows = DeviceBuffer::zeroed(device, vertices as usize)?;
        place_rows::launch(device, vertices, degrees, longest, &next, &mut rows)?;
        let keys = DeviceBuffer::zeroed(device, next.read(0, 1)?[0].div_ceil(8) as usize)?;
        let long = LevelQueue::new(device, vertices)?;
        let mut oriented = OrientedGraph { rows, keys, limits, long, arcs };
        let (all, lengths) = (0..vertices, DeviceBuffer::zeroed(device, vertices as usize)?);
        fill_rows::launch(device, all, out, mirrored, degrees, &lengths, &oriented)?;
        let OrientedGraph { rows, long, .. } = &mut oriented;
        list_rows::launch(device, vertices, &lengths, limits.warp, rows, long.next())?;
        long.advance()?;
        Ok(oriented)
    }

    /// The device it is on.
    pub fn device(&self) -> &Device {
        self.rows.device()
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> u32 {
        self.rows.len() as u32
    }

    /// All edges, each once, in no order. Synchronises.
    ///
    /// # Errors
    /// More than 2^32 - 1 arcs; no memory; the device fails.
    pub fn edges(&self) -> Result<DeviceBuffer<Edge>, Error> {
        let length = usize::try_from(self.arcs).unwrap_or(usize::MAX);
        let most = u32::try_from(self.arcs).map_err(|_| ErrorKind::BufferTooLong { length })?;
        let mut edges = LevelQueue::new(self.device(), most)?;
        list_edges::launch(self.device(), self.vertex_count(), self, edges.next())?;
        edges.advance()?;
        Ok(edges.into_buffer())
    }
}

impl HostArg<Oriented> for &OrientedGraph {
    fn pass(self, device: &Device) -> Result<Oriented, Error> {
        Ok(Oriented { rows: (&self.rows).pass(device)?, keys: (&self.keys).pass(device)? })
    }
}

/// The arcs at each vertex, in and out.
fn degrees_both_ways<W: Weight>(
    graph: &SlabGraph<W>,
    out: &Adjacency<W>,
) -> Result<DeviceBuffer<Atomic<u32>>, Error> {
    let (device, vertices) = (graph.device(), graph.vertex_count());
    let degrees = DeviceBuffer::zeroed(device, vertices as usize)?;
    match graph.in_edges() {
        Ok(into) => add_degrees::launch(device, 0..vertices, out, into, &degrees)?,
        Err(_) => count_ends::launch(device, 0..vertices, out, &degrees)?,
    }
    Ok(degrees)
}
