//! A live sliding window: edges that arrive in batches, and leave when they are old.
//!
//! ```text
//! arriving edges, and those of arrivals that leave --list_expired--> one batch --apply--> graph
//!   `seen`, a graph of the last arrival of each edge, says whether an edge came again since
//! ```
//!
//! All of it is on the device, and a step costs what arrives and what leaves.

mod saved;

use crate::device::{Device, DeviceBuffer};
use crate::frontier::{Frontier, LevelQueue, block_enqueue_frontier};
use crate::graph::compact_slabs::{Compact, CompactEdges, CompactGraph};
use crate::graph::{
    Change, DeviceBatch, DynamicGraph, Edge, EdgeSet, Follower, HashedEdges, SlabOptions,
    contains_edge, find_edge_alone,
};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::{Direction, Error, ErrorKind, Neighbors, Vertex, Weight};
use meerkat_macros::{device, kernel};
use std::collections::VecDeque;

/// An arc as it is remembered: an undirected edge from its smaller end.
#[device]
fn key_of<W: Weight>(edge: Edge<W>, undirected: bool) -> (Vertex, Vertex) {
    if undirected && edge.dst < edge.src { (edge.dst, edge.src) } else { (edge.src, edge.dst) }
}

/// Lists the edges of an arrival that have not come again since.
#[kernel]
fn list_expired<W: Weight, G: Neighbors<Carried = u32>>(
    edges: &[Edge<W>],
    arrival: u32,
    seen: &G,
    arriving: &EdgeSet<W>,
    undirected: bool,
    expired: &Frontier<Edge<W>>,
) {
    let i = thread_id();
    let mut edge: Edge<W> = Edge { src: 0, dst: 0, weight: W::ZERO };
    let mut is_last = false;
    if i < edges.len() {
        edge = edges[i];
        let (src, dst) = key_of(edge, undirected);
        is_last = find_edge_alone(seen, src, dst) == arrival as u64;
        if is_last {
            is_last = !contains_edge(arriving, src, dst);
        }
    }
    block_enqueue_frontier(expired, edge, is_last);
}

/// Joins what arrives and what leaves as the updates of one batch, and the same with the number of
/// the arrival for weights.
#[kernel]
fn join_updates<W: Weight>(
    arriving: &[Edge<W>],
    expired: &[Edge<W>],
    arrival: u32,
    undirected: bool,
    edges: &mut [Edge<W>],
    seen: &mut [Edge<u32>],
    deletes: &mut [u8],
    deletes_again: &mut [u8],
) {
    let i = thread_id();
    if i < edges.len() {
        let mut edge: Edge<W> = Edge { src: 0, dst: 0, weight: W::ZERO };
        let is_new = i < arriving.len();
        if is_new {
            edge = arriving[i];
        } else {
            edge = expired[i - arriving.len()];
        }
        let (src, dst) = key_of(edge, undirected);
        edges[i] = edge;
        seen[i] = Edge { src, dst, weight: arrival };
        deletes[i] = !is_new as u8;
        deletes_again[i] = !is_new as u8;
    }
}

/// Edges that arrived together.
#[derive(Debug)]
struct Arrival<W: Weight> {
    time: i64,
    number: u32,
    edges: DeviceBuffer<Edge<W>>,
}

/// A sliding window over a stream of edges: an edge is in the graph as long as one of its arrivals
/// is in the window, with the weight of the last. Times are in units of one's own and never go back.
///
/// Memory: the edges of all arrivals in the window, and a [`CompactGraph`] of them with the number
/// of their last arrival.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_runtime::prelude::*;
/// use meerkat_runtime::window::Window;
///
/// let device = Device::auto();
/// let edge = |src, dst| Edge { src, dst, weight: () };
/// let arriving = |edges: &[Edge]| DeviceBuffer::from_slice(&device, edges);
/// let mut graph = SlabGraph::from_edges(&device, 4, &[], &SlabOptions::DEFAULT)?;
/// let mut window = Window::of(&graph)?;
/// // Seconds, and those of the last ten stay.
/// window.slide(0, -10, arriving(&[edge(0, 1), edge(1, 2)])?, |batch| graph.apply(batch))?;
/// window.slide(7, -3, arriving(&[edge(0, 1), edge(2, 3)])?, |batch| graph.apply(batch))?;
/// window.slide(12, 2, arriving(&[])?, |batch| graph.apply(batch))?;
/// assert_eq!(graph.to_edges()?, [edge(0, 1), edge(2, 3)]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Window<W: Weight = ()> {
    direction: Direction,
    /// The last arrival of each edge in the window.
    seen: CompactGraph<u32>,
    arrivals: VecDeque<Arrival<W>>,
    next: u32,
}

/// What the graph does with a batch, as part of what `seen` does with its own: both or neither.
struct InStep<F, T> {
    apply: Option<F>,
    done: Option<T>,
}

impl<F: FnOnce() -> Result<T, Error>, T> Follower<CompactEdges<u32>> for InStep<F, T> {
    fn after_insertions(
        &mut self,
        _: &DynamicGraph<CompactEdges<u32>>,
        _: &Change<u32>,
    ) -> Result<(), Error> {
        if let Some(apply) = self.apply.take() {
            self.done = Some(apply()?);
        }
        Ok(())
    }
}

impl<W: Weight> Window<W> {
    /// An empty window over a graph of these vertices. The edges that the graph has already stay,
    /// unless one of them arrives and leaves.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn of<L: crate::EdgeLists<Carried = W>>(graph: &DynamicGraph<L>) -> Result<Self, Error> {
        let (device, vertices) = (graph.device(), graph.vertex_count());
        let direction = match graph.is_undirected() {
            true => Direction::Undirected,
            false => Direction::Directed,
        };
        let seen = CompactGraph::from_edges(device, vertices, &[], &SlabOptions::DEFAULT)?;
        Ok(Window { direction, seen, arrivals: VecDeque::new(), next: 0 })
    }

    /// Edges arrive at `time`, and the arrivals before `oldest` leave. `apply` gets both as one
    /// batch, for a graph or for a [`Tracked`](crate::Tracked) one; what it returns is returned.
    /// Synchronises.
    ///
    /// Cost: a batch of what arrives and what leaves, and the same batch again for what the window
    /// remembers.
    ///
    /// # Errors
    /// [`ErrorKind::TimeGoesBack`] for a time before that of the last arrival; an edge that the
    /// graph cannot take, named by its place among the arriving; no memory; what `apply` returns.
    /// The window is as it was, as the graph is then.
    pub fn slide<T>(
        &mut self,
        time: i64,
        oldest: i64,
        arriving: DeviceBuffer<Edge<W>>,
        apply: impl FnOnce(&DeviceBatch<W>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if let Some(last) = self.arrivals.back().map(|arrival| arrival.time).filter(|&t| time < t) {
            return Err(ErrorKind::TimeGoesBack { time, last }.into());
        }
        let leaving = self.arrivals.iter().take_while(|arrival| arrival.time < oldest).count();
        let (batch, seen) = self.batches(leaving, &arriving)?;
        let mut in_step = InStep { apply: Some(|| apply(&batch)), done: None };
        self.seen.transact(&seen, &mut in_step)?;
        let done = in_step.done.ok_or(ErrorKind::OutOfStep)?;
        self.arrivals.drain(..leaving);
        if !arriving.is_empty() {
            self.arrivals.push_back(Arrival { time, number: self.next, edges: arriving });
            // Numbers that are as old as this are of arrivals that have left.
            self.next = self.next.wrapping_add(1);
        }
        Ok(done)
    }

    /// Vertices that have come to the graph come to the window.
    ///
    /// # Errors
    /// No memory; the window is as it was.
    pub fn grow(&mut self, vertices: u32) -> Result<(), Error> {
        match vertices.checked_sub(self.seen.vertex_count()) {
            None | Some(0) => Ok(()),
            Some(more) => self.seen.insert_vertices(more).map(drop),
        }
    }

    /// How many arrivals are in the window, those without edges left out.
    pub fn arrivals(&self) -> usize {
        self.arrivals.len()
    }

    /// How many edges arrived in them; one that came twice counts twice.
    pub fn arrived_edges(&self) -> u64 {
        self.arrivals.iter().map(|arrival| arrival.edges.len() as u64).sum()
    }

    /// How many different edges are in the window. Synchronises.
    ///
    /// # Errors
    /// The device fails.
    pub fn edge_count(&self) -> Result<u64, Error> {
        self.seen.edge_count()
    }

    /// Bytes of device memory.
    pub fn bytes(&self) -> u64 {
        let edges = size_of::<Edge<W>>() as u64 * self.arrived_edges();
        edges + self.seen.bytes()
    }

    /// The batch for the graph, and the one for `seen`. Synchronises.
    fn batches(
        &self,
        leaving: usize,
        arriving: &DeviceBuffer<Edge<W>>,
    ) -> Result<(DeviceBatch<W>, DeviceBatch<u32>), Error> {
        let device: &Device = self.seen.device();
        let expired = self.expired(leaving, arriving)?;
        let count = arriving.len() + expired.len();
        let mut edges = DeviceBuffer::zeroed(device, count)?;
        let mut seen = DeviceBuffer::zeroed(device, count)?;
        let mut deletes = DeviceBuffer::zeroed(device, count)?;
        let mut again = DeviceBuffer::zeroed(device, count)?;
        join_updates::launch(
            device,
            count as u32,
            arriving,
            &expired,
            self.next,
            self.direction == Direction::Undirected,
            &mut edges,
            &mut seen,
            &mut deletes,
            &mut again,
        )?;
        Ok((DeviceBatch::mixed(edges, deletes)?, DeviceBatch::mixed(seen, again)?))
    }

    /// The edges of the first arrivals whose last arrival that was. Synchronises.
    fn expired(
        &self,
        leaving: usize,
        arriving: &DeviceBuffer<Edge<W>>,
    ) -> Result<DeviceBuffer<Edge<W>>, Error> {
        let (device, undirected) = (self.seen.device(), self.direction == Direction::Undirected);
        let leaving = || self.arrivals.iter().take(leaving);
        let count = leaving().map(|arrival| arrival.edges.len() as u64).sum::<u64>();
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let mut expired = LevelQueue::new(device, count)?;
        let arriving = HashedEdges::of(arriving, self.direction)?;
        for Arrival { number, edges, .. } in leaving() {
            let (threads, seen) = (edges.len() as u32, self.seen.out_edges()?);
            let next = expired.next();
            list_expired::launch(
                device, threads, edges, *number, seen, &arriving, undirected, next,
            )?;
        }
        expired.advance()?;
        Ok(expired.into_buffer())
    }
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    vec![
        list_expired::info::<(), Compact<u32>>(),
        list_expired::info::<u32, Compact<u32>>(),
        join_updates::info::<()>(),
        join_updates::info::<u32>(),
    ]
}
