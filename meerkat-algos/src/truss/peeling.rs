//! The removal of edges, round after round.

use super::operators::{
    COUNT, EdgeBuffers, LEAST, STAYS, count_support, list_left, measure_left, number_edges,
    remove_edge, select_below, tell_trussness,
};
use meerkat_runtime::oriented::OrientedGraph;
use meerkat_runtime::prelude::*;

/// The edges of a graph by number, and those that are left.
pub(super) struct Peeling {
    device: Device,
    vertices: u32,
    /// The ends of each edge; the first has the lower degree.
    ends: DeviceBuffer<Edge>,
    support: DeviceBuffer<Atomic<u32>>,
    removed: DeviceBuffer<Atomic<u32>>,
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
    /// All edges of the undirected simple graph, and their support. Synchronises.
    pub(super) fn of<C: Container>(graph: &C) -> Result<Self, Error> {
        let (device, vertices) = (graph.device().clone(), graph.vertex_count());
        let ends = OrientedGraph::of(graph)?.edges()?;
        let count = ends.len();
        let mut numbered = DeviceBuffer::zeroed(&device, count)?;
        number_edges::launch(&device, &ends, &mut numbered)?;
        let mut peeling = Peeling {
            vertices,
            support: DeviceBuffer::zeroed(&device, count)?,
            removed: DeviceBuffer::filled(&device, count, STAYS)?,
            left: numbered,
            graph: None,
            frontiers: Frontiers::new(&device, count as u32, &[])?,
            trussness_of_round: Vec::new(),
            ends,
            device,
        };
        peeling.count_support()?;
        Ok(peeling)
    }

    fn count_support(&mut self) -> Result<(), Error> {
        let options = SlabOptions::DEFAULT;
        let parts = [&self.left];
        let ahead = CompactGraph::from_buffers(&self.device, self.vertices, &parts, &options)?;
        let all = 0..self.ends.len() as u32;
        count_support::launch(&self.device, all, ahead.out_edges()?, self.edges())
    }

    /// What operators see of the edges.
    fn edges(&self) -> EdgeBuffers<'_> {
        EdgeBuffers { ends: &self.ends, support: &self.support, removed: &self.removed }
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
        let (device, edges) = (&self.device, self.edges());
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
        let Peeling { device, vertices, ends, support, removed, left, graph, frontiers, .. } = self;
        let edges = EdgeBuffers { ends, support, removed };
        let graph = match graph {
            Some(graph) => graph,
            None => {
                let options = SlabOptions::DEFAULT.undirected();
                graph.insert(CompactGraph::from_buffers(device, *vertices, &[&*left], &options)?)
            }
        };
        let arcs = graph.out_edges()?;
        frontiers.repeat(
            |_, _| true,
            |round, current, next| {
                let round = first + round;
                remove_edge::launch(device, current, arcs, edges, needed, round, next)
            },
        )
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
        measure_left::launch(&self.device, threads, &self.left, self.edges(), &measures)?;
        let found = measures.to_vec()?;
        Ok(Left { least: found[LEAST as usize], count: found[COUNT as usize] })
    }

    /// Lists the edges that are left anew, if the list has twice as many; their graph is made when
    /// it is needed. Synchronises.
    fn shrink(&mut self, count: u32) -> Result<(), Error> {
        if 2 * u64::from(count) <= self.left.len() as u64 {
            self.left = self.list_left(count, false)?;
            self.graph = None;
        }
        Ok(())
    }

    fn list_left(&self, count: u32, with_support: bool) -> Result<DeviceBuffer<Edge<u32>>, Error> {
        let mut listed = LevelQueue::new(&self.device, count)?;
        let (threads, next) = (self.left.len() as u32, listed.next());
        list_left::launch(&self.device, threads, &self.left, self.edges(), with_support, next)?;
        listed.advance()?;
        Ok(listed.into_buffer())
    }

    /// The edges that are left, with their support. Synchronises.
    pub(super) fn edges_left(&self) -> Result<DeviceBuffer<Edge<u32>>, Error> {
        self.list_left(self.measure()?.count, true)
    }

    /// All edges with their trussness, once all are removed.
    pub(super) fn trussness(&self) -> Result<DeviceBuffer<Edge<u32>>, Error> {
        let mut found = DeviceBuffer::zeroed(&self.device, self.ends.len())?;
        let of_round = DeviceBuffer::from_slice(&self.device, &self.trussness_of_round)?;
        tell_trussness::launch(&self.device, &self.ends, &self.removed, &of_round, &mut found)?;
        Ok(found)
    }
}
