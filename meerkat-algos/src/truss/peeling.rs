//! The removal of edges, round after round.

use super::edges::Edges;
use super::operators::{COUNT, LEAST, list_left, measure_left, select_below, tell_trussness};
use meerkat_runtime::oriented::OrientedGraph;
use meerkat_runtime::prelude::*;

/// The edges of a graph by number, and those that are left.
pub(super) struct Peeling {
    device: Device,
    vertices: u32,
    edges: Edges,
    /// Edges with their number: all that are left, and at most as many again.
    left: DeviceBuffer<Edge<u32>>,
    /// The graph of these, once an edge takes triangles from others.
    graph: Option<CompactGraph<u32>>,
    frontiers: Frontiers<Vertex>,
    /// The trussness of the edges that went in each round so far.
    trussness_of_round: Vec<u32>,
}

/// The edges that are left.
struct Left {
    /// The least number of triangles that one of them is in; `u32::MAX` if there is none.
    least: u32,
    count: u32,
}

impl Peeling {
    /// The edges of the undirected simple graph that are in `least` triangles or more. Synchronises.
    pub(super) fn of<C: Container>(graph: &C, least: u32) -> Result<Self, Error> {
        let mut left = OrientedGraph::of(graph)?.edges_in_triangles(least)?;
        let edges = Edges::take(&mut left, 0)?;
        Self::new(graph.vertex_count(), edges, left)
    }

    /// The same, of a list of edges that have their number as weight.
    pub(super) fn new(
        vertices: u32,
        edges: Edges,
        left: DeviceBuffer<Edge<u32>>,
    ) -> Result<Self, Error> {
        let device = edges.device().clone();
        let frontiers = Frontiers::new(&device, edges.capacity(), &[])?;
        let trussness_of_round = Vec::new();
        Ok(Peeling { device, vertices, edges, left, graph: None, frontiers, trussness_of_round })
    }

    /// What is known of the edges, frontiers for their numbers, and the first round that was not
    /// needed.
    pub(super) fn into_parts(self) -> (Edges, Frontiers<Vertex>, u32) {
        (self.edges, self.frontiers, self.trussness_of_round.len() as u32)
    }

    /// Removes edges of less than `needed` triangles, until there are none: first those of none,
    /// which is little work and makes the graph smaller. Synchronises.
    pub(super) fn remove_below(&mut self, needed: u32) -> Result<(), Error> {
        for needed in [1, needed] {
            self.remove_level(needed)?;
            let left = self.measure()?;
            self.shrink(left.count)?;
        }
        Ok(())
    }

    /// The same, straight to one `k`.
    fn remove_level(&mut self, needed: u32) -> Result<(), Error> {
        let first = self.trussness_of_round.len() as u32;
        let (threads, next) = (self.left.len() as u32, self.frontiers.next());
        let (device, edges) = (&self.device, self.edges.buffers());
        select_below::launch(device, threads, &self.left, edges, needed, first, next)?;
        let rounds = match self.frontiers.advance()? {
            0 => 1,
            _ => self.remove_in_rounds(needed, first)?,
        };
        // What has lost a triangle too many for `k` has the trussness `k - 1`.
        self.trussness_of_round.resize((first + rounds) as usize, needed + 1);
        Ok(())
    }

    /// Removes the edges of the frontier, then those that this leaves less than `needed` triangles,
    /// and so on. Returns the number of rounds; the number of the first is `first`. Synchronises.
    fn remove_in_rounds(&mut self, needed: u32, first: u32) -> Result<u32, Error> {
        let Peeling { device, vertices, edges, left, graph, frontiers, .. } = self;
        let graph = match graph {
            Some(graph) => graph,
            None => {
                let options = SlabOptions::DEFAULT.undirected();
                graph.insert(CompactGraph::from_buffers(device, *vertices, &[&*left], &options)?)
            }
        };
        edges.remove_in_rounds(graph, frontiers, needed, first)
    }

    /// Removes all edges, those of least trussness first. Returns the largest trussness, or 0 if
    /// there are no edges. Synchronises.
    pub(super) fn remove_all(&mut self) -> Result<u32, Error> {
        let mut left = self.measure()?;
        while left.count > 0 {
            self.remove_level(left.least + 1)?;
            left = self.measure()?;
            self.shrink(left.count)?;
        }
        Ok(self.trussness_of_round.last().copied().unwrap_or(0))
    }

    /// What is left. Synchronises.
    fn measure(&self) -> Result<Left, Error> {
        let measures = DeviceBuffer::from_slice(&self.device, &[u32::MAX, 0])?;
        let threads = self.left.len() as u32;
        measure_left::launch(&self.device, threads, &self.left, self.edges.buffers(), &measures)?;
        let found = measures.to_vec()?;
        Ok(Left { least: found[LEAST as usize], count: found[COUNT as usize] })
    }

    /// Lists the edges that are left anew, if the list has twice as many; their graph is made when
    /// it is needed. Synchronises.
    fn shrink(&mut self, count: u32) -> Result<(), Error> {
        if 2 * u64::from(count) <= self.left.len() as u64 {
            self.left = self.list_left(count)?;
            self.graph = None;
        }
        Ok(())
    }

    fn list_left(&self, count: u32) -> Result<DeviceBuffer<Edge<u32>>, Error> {
        let mut listed = LevelQueue::new(&self.device, count)?;
        let (threads, edges) = (self.left.len() as u32, self.edges.buffers());
        list_left::launch(&self.device, threads, &self.left, edges, listed.next())?;
        listed.advance()?;
        Ok(listed.into_buffer())
    }

    /// The edges that are left, with their support. Synchronises.
    pub(super) fn edges_left(&self) -> Result<DeviceBuffer<Edge<u32>>, Error> {
        self.edges.list_truss(self.measure()?.count)
    }

    /// All edges with their trussness, once all are removed.
    pub(super) fn trussness(&self) -> Result<DeviceBuffer<Edge<u32>>, Error> {
        let (ends, removed) = (self.edges.ends(), self.edges.removed());
        let mut found = DeviceBuffer::zeroed(&self.device, ends.len())?;
        let of_round = DeviceBuffer::from_slice(&self.device, &self.trussness_of_round)?;
        tell_trussness::launch(&self.device, ends, removed, &of_round, &mut found)?;
        Ok(found)
    }
}
