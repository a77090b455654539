//! Triangles that follow updates.
//!
//! A triangle that a batch makes or breaks has one, two or three edges of the
//! batch. It is found from each of them, so where it has `k` it counts a `k`-th.
//! That is the inclusion-exclusion of Meerkat's algorithm 7, `(S1 - S2 + S3 / 3) /
//! 2`, taken triangle by triangle: one pass, and the update graph is a set of edges.

use super::clustering_coefficients;
use super::operators::{SIXTHS, add_found, copy_counts, count_over, into_sixths, mark_lower};
use crate::simple::changed;
use meerkat_runtime::dynamic::{SavedState, VertexAnswers, check_fits, vertices_to_come};
use meerkat_runtime::graph::HashedEdges;
use meerkat_runtime::oriented::OrientedGraph;
use meerkat_runtime::prelude::*;
use meerkat_runtime::saved::{StateReader, StateWriter};

/// From how many slab lists on many blocks count over an edge: each neighbour is searched for, which takes a block
/// ten times as long as to look at it.
const LONG_WALK: u32 = 128;

/// A batch of at least so many edges, and of one in so many of the graph, is not followed: all triangles are counted
/// again. (From an edge in 12 on roads to one in 130 of a web graph it takes as long to follow; a batch of most edges
/// of an R-MAT graph took 6 times as long.)
const LARGE_BATCH: usize = 1 << 12;
const LARGE_PART: u64 = 4;

/// Triangle counting that follows updates of any graph: see
/// [`DynamicGraph::track`].
///
/// It keeps the undirected simple graph for itself. A batch costs a walk over
/// the neighbours of the lower end of each changed edge, and a search for each.
#[derive(Clone, Copy, Debug)]
pub struct Triangles;

/// The triangles of a graph, and its undirected simple form.
#[derive(Debug)]
pub struct TrianglesState {
    /// Without loops, weights and directions.
    simple: SlabGraph,
    /// About how many edges that has.
    edges: u64,
    /// Six times the triangles of each vertex.
    corners: DeviceBuffer<Atomic<u64>>,
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

impl TrianglesState {
    fn new<C: Container>(graph: &C) -> Result<Self, Error> {
        let (device, vertices) = (graph.device(), graph.vertex_count());
        let oriented = OrientedGraph::of(graph)?;
        let corners = DeviceBuffer::zeroed(device, vertices as usize)?;
        count_all(&oriented, &corners)?;
        Self::of_counted(&oriented, corners)
    }

    /// Of a graph whose triangles have been counted.
    fn of_counted(
        oriented: &OrientedGraph,
        corners: DeviceBuffer<Atomic<u64>>,
    ) -> Result<Self, Error> {
        let (device, options) = (oriented.device(), SlabOptions::DEFAULT.undirected());
        let (vertices, edges) = (oriented.vertex_count(), oriented.edges()?);
        let simple = SlabGraph::from_buffer(device, vertices, &edges, &options)?;
        Ok(TrianglesState { simple, edges: edges.len() as u64, corners })
    }

    /// Whether so many changed edges are so large a part that all triangles are counted again.
    fn is_large(&self, changed: &DeviceBuffer<Edge>) -> bool {
        changed.len() >= LARGE_BATCH && changed.len() as u64 >= self.edges / LARGE_PART
    }

    /// Counts the triangles of the graph as it is.
    fn count_again(&mut self, oriented: &OrientedGraph) -> Result<(), Error> {
        self.corners.fill(0)?;
        count_all(oriented, &self.corners)
    }

    /// Counts the triangles over changed edges that are in the graph, by `sign`.
    fn count(&self, edges: &DeviceBuffer<Edge>, sign: u64) -> Result<(), Error> {
        let TrianglesState { simple, corners, .. } = self;
        let (device, arcs) = (simple.device(), 0..edges.len() as u32);
        let changed = HashedEdges::of(edges, Direction::Directed)?;
        let mut is_lower = DeviceBuffer::zeroed(device, edges.len())?;
        let found = DeviceBuffer::zeroed(device, edges.len())?;
        let words = simple.vertex_count().div_ceil(32) as usize;
        let ends = DeviceBuffer::<Atomic<u32>>::zeroed(device, words)?;
        mark_lower::launch(device, arcs.clone(), edges, simple, &mut is_lower, &ends)?;
        let options = Schedule::Auto.hubs_from(LONG_WALK);
        count_over::launch_with(
            options,
            device,
            arcs.clone(),
            edges,
            &is_lower,
            &changed,
            &ends,
            simple,
            sign,
            corners,
            &found,
        )?;
        add_found::launch(device, arcs, edges, &found, corners)
    }
}

/// Counts six times the triangles of each vertex, from zero.
fn count_all(oriented: &OrientedGraph, corners: &DeviceBuffer<Atomic<u64>>) -> Result<(), Error> {
    let device = oriented.device();
    oriented.count_shared_neighbors(corners, &DeviceBuffer::zeroed(device, 1)?)?;
    into_sixths::launch(device, 0..oriented.vertex_count(), corners)
}

impl IgnoresWeights for Triangles {}

impl<C: Container> DynamicAlgorithm<C> for Triangles {
    type State = TrianglesState;
    type Output = TriangleCounts;

    fn compute(&self, graph: &C) -> Result<TrianglesState, Error> {
        TrianglesState::new(graph)
    }

    fn on_grow(&self, state: &mut TrianglesState, graph: &C, _before: u32) -> Result<(), Error> {
        let more = vertices_to_come(state.corners.len(), graph)?;
        state.simple.insert_vertices(more)?;
        state.corners = state.corners.extended(graph.vertex_count() as usize, 0)?;
        Ok(())
    }

    fn on_delete(
        &self,
        state: &mut TrianglesState,
        graph: &C,
        deleted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        check_fits(state.corners.len(), graph)?;
        // An edge stays as long as one of its arcs does.
        let deleted = changed(deleted, graph.vertex_count(), graph.out_edges()?)?;
        let is_large = state.is_large(&deleted);
        state.edges = state.edges.saturating_sub(deleted.len() as u64);
        if !is_large {
            state.count(&deleted, 1u64.wrapping_neg())?;
        }
        state.simple.delete_buffer(&deleted)?;
        if is_large { state.count_again(&OrientedGraph::of(&state.simple)?) } else { Ok(()) }
    }

    fn on_insert(
        &self,
        state: &mut TrianglesState,
        graph: &C,
        inserted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        check_fits(state.corners.len(), graph)?;
        let inserted = changed(inserted, graph.vertex_count(), state.simple.out_edges()?)?;
        state.simple.insert_buffer(&inserted)?;
        state.edges += inserted.len() as u64;
        if state.is_large(&inserted) {
            // It takes memory that following does not.
            match OrientedGraph::of(&state.simple) {
                Ok(oriented) => return state.count_again(&oriented),
                Err(error) if error.is_about_room() => {}
                Err(error) => return Err(error),
            }
        }
        state.count(&inserted, 1)
    }

    fn output(&self, state: &TrianglesState) -> Result<TriangleCounts, Error> {
        let TrianglesState { simple, corners, .. } = state;
        let sixths = corners.to_vec()?;
        let per_vertex: Vec<_> =
            sixths.into_iter().map(|sixths| sixths / u64::from(SIXTHS)).collect();
        let total = per_vertex.iter().sum::<u64>() / 3;
        Ok(TriangleCounts { total, per_vertex, degrees: simple.out_degrees()? })
    }
}

impl<C: Container> SavedState<C> for Triangles {
    fn description(&self) -> String {
        "triangles".to_owned()
    }

    fn save_state(&self, state: &TrianglesState, to: &mut StateWriter) -> Result<(), Error> {
        to.array("sixths", &state.corners.to_vec()?)
    }

    fn load_state(&self, graph: &C, from: &mut StateReader) -> Result<TrianglesState, Error> {
        let sixths = from.array::<u64>("sixths", graph.vertex_count() as usize)?;
        if sixths.iter().any(|sixths| sixths % u64::from(SIXTHS) != 0) {
            return Err(from.refuse("parts of triangles"));
        }
        let corners = DeviceBuffer::from_slice(graph.device(), &sixths)?;
        TrianglesState::of_counted(&OrientedGraph::of(graph)?, corners)
    }
}

impl<C: Container> VertexAnswers<C> for Triangles {
    /// How many triangles the vertex is a corner of.
    type Value = u64;

    fn write_answers(
        &self,
        state: &TrianglesState,
        vertices: &DeviceBuffer<Vertex>,
        answers: &mut DeviceBuffer<u64>,
    ) -> Result<(), Error> {
        let (all, corners) = (0..answers.len() as u32, &state.corners);
        copy_counts::launch(corners.device(), all, vertices, corners, answers)
    }
}
