//! Triangles that follow updates.
//!
//! A triangle that a batch makes or breaks has one, two or three edges of the
//! batch. It is found from each of them, so where it has `k` it counts a `k`-th.
//! That is the inclusion-exclusion of Meerkat's algorithm 9, `S1 - S2 / 2 + S3 /
//! 3`, taken triangle by triangle: one pass, and the update graph is the sorted
//! batch.

use super::operators::{SIXTHS, close_triangles};
use super::rows::Rows;
use super::{Limits, close_all, clustering_coefficients};
use meerkat_runtime::prelude::*;

/// Triangle counting that follows updates of any graph: see
/// [`SlabGraph::track`].
///
/// It keeps the undirected simple graph for itself. A batch costs a walk over
/// the neighbours of one end of each changed edge, and a search for each.
#[derive(Debug, Default)]
pub struct Triangles {
    state: Option<State>,
}

#[derive(Debug)]
struct State {
    /// Without loops, weights and directions.
    simple: SlabGraph,
    /// Six times the triangles of each vertex.
    corners: DeviceBuffer<Atomic<u64>>,
    /// Six times all triangles.
    total: DeviceBuffer<Atomic<u64>>,
}

/// The triangles of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleCounts {
    /// All of them, each once.
    pub total: u64,
    /// Those that each vertex is a corner of.
    pub per_vertex: Vec<u64>,
    /// The degree of each vertex in the undirected simple graph.
    pub degrees: Vec<u32>,
}

impl TriangleCounts {
    /// See [`clustering_coefficients`].
    pub fn clustering_coefficients(&self) -> Vec<f64> {
        clustering_coefficients(&self.per_vertex, &self.degrees)
    }
}

impl Triangles {
    /// Counts from scratch when it is given a graph.
    pub fn new() -> Self {
        Self::default()
    }
}

impl State {
    fn new<W: Weight>(graph: &SlabGraph<W>) -> Result<Self, Error> {
        let (device, vertices) = (graph.device(), graph.vertex_count());
        let rows = Rows::new(graph, Limits::DEFAULT.warp)?;
        let corners = DeviceBuffer::zeroed(device, vertices as usize)?;
        let total = close_all(&rows, Limits::DEFAULT, &corners)?;
        let options = SlabOptions::DEFAULT.undirected();
        let simple = SlabGraph::from_buffer(device, vertices, &rows.edges()?, &options)?;
        Ok(State { simple, corners, total })
    }

    /// Counts the triangles over changed edges that are in the graph, ascending.
    fn count(&self, changed: &DeviceBuffer<Edge>, sign: u64) -> Result<(), Error> {
        let State { simple, corners, total } = self;
        let arcs = changed.len() as u32;
        close_triangles::launch(simple.device(), arcs, changed, simple, sign, corners, total)
    }

    fn insert(&mut self, edges: &[Edge]) -> Result<(), Error> {
        let change = self.simple.apply(&Batch::new().insert(edges))?;
        self.count(&ascending(&change.inserted)?, 1)
    }

    fn delete(&mut self, edges: &[Edge]) -> Result<(), Error> {
        let change = self.simple.change_of(&Batch::new().delete(edges))?;
        self.count(&ascending(&change.deleted)?, 1u64.wrapping_neg())?;
        self.simple.apply_deletions(&change)
    }
}

/// The same edges in order, to be searched.
fn ascending(edges: &DeviceBuffer<Edge>) -> Result<DeviceBuffer<Edge>, Error> {
    let mut sorted = edges.to_vec()?;
    sorted.sort_unstable_by_key(|edge| (edge.src, edge.dst));
    DeviceBuffer::from_slice(edges.device(), &sorted)
}

/// The edge without its weight, unless it is a loop.
fn simple_edge<W: Weight>(edge: &Edge<W>) -> Option<Edge> {
    (edge.src != edge.dst).then_some(Edge { src: edge.src, dst: edge.dst, weight: () })
}

impl<W: Weight> DynamicAlgorithm<W> for Triangles {
    type Output = TriangleCounts;

    fn compute(&mut self, graph: &SlabGraph<W>) -> Result<(), Error> {
        self.state = Some(State::new(graph)?);
        Ok(())
    }

    fn on_delete(
        &mut self,
        graph: &SlabGraph<W>,
        deleted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        let Some(state) = &mut self.state else { return Ok(()) };
        let deleted = deleted.to_vec()?;
        // An edge stays as long as one of its arcs does.
        let opposite = |edge: &Edge<W>| Edge { src: edge.dst, dst: edge.src, ..*edge };
        let opposites: Vec<_> = deleted.iter().map(opposite).collect();
        let stay = graph.contains(&opposites)?;
        let gone = deleted.iter().zip(stay).filter(|(_, stays)| !stays);
        let gone: Vec<_> = gone.filter_map(|(edge, _)| simple_edge(edge)).collect();
        state.delete(&gone)
    }

    fn on_insert(
        &mut self,
        _graph: &SlabGraph<W>,
        inserted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        let Some(state) = &mut self.state else { return Ok(()) };
        let new: Vec<_> = inserted.to_vec()?.iter().filter_map(simple_edge).collect();
        state.insert(&new)
    }

    fn output(&self) -> Result<TriangleCounts, Error> {
        let Some(State { simple, corners, total }) = &self.state else {
            return Ok(TriangleCounts { total: 0, per_vertex: Vec::new(), degrees: Vec::new() });
        };
        let per_vertex = corners.to_vec()?.into_iter().map(|sixths| sixths / SIXTHS).collect();
        let degrees = simple.out_degrees()?;
        Ok(TriangleCounts { total: total.to_vec()?[0] / SIXTHS, per_vertex, degrees })
    }
}
