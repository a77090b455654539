//! Triangle counting: of the undirected simple graph, whatever the directions
//! of its arcs; static, incremental and decremental.
//!
//! Result: the number of triangles, each once; the number that each vertex is a
//! corner of, and from these the clustering coefficients.
//! Method: every edge is oriented from its end of lower degree to the other, so
//! that a triangle is one edge whose ends share one out-neighbour, and hubs have
//! few out-neighbours. A tile takes an edge, walks the neighbours of one end and
//! searches them among those of the other. For a batch it does so for the
//! changed edges alone.
//! Source: Meerkat, section 6.3, algorithms 7 to 9; Schank and Wagner, "Finding,
//! counting and listing all triangles in large graphs" (the orientation).

mod dynamic;
pub mod operators;

pub use dynamic::{TriangleCounts, Triangles};
use meerkat_runtime::ErrorKind;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use operators::{SIXTHS, close_triangles, list_edges, orient};

/// The triangles of the graph. Synchronises.
///
/// Cost: an oriented copy of the graph, and for every edge of it a search for
/// each out-neighbour of one end.
///
/// # Errors
/// No memory; the device fails.
pub fn count<W: Weight>(graph: &SlabGraph<W>) -> Result<u64, Error> {
    counted(graph, &DeviceBuffer::zeroed(graph.device(), 0)?)
}

/// The triangles that each vertex is a corner of; their sum is three times the
/// number of triangles. Synchronises; costs as [`count`].
///
/// # Errors
/// As [`count`].
pub fn per_vertex<W: Weight>(graph: &SlabGraph<W>) -> Result<Vec<u64>, Error> {
    let corners = DeviceBuffer::zeroed(graph.device(), graph.vertex_count() as usize)?;
    counted(graph, &corners)?;
    Ok(corners.to_vec()?.into_iter().map(|sixths| sixths / SIXTHS).collect())
}

/// Which part of the pairs of its neighbours each vertex sees joined, by the
/// triangles and the degrees in the undirected simple graph; 0 below degree 2
/// (Watts and Strogatz).
pub fn clustering_coefficients(per_vertex: &[u64], degrees: &[u32]) -> Vec<f64> {
    let coefficient = |(&triangles, &degree): (&u64, &u32)| {
        let pairs = f64::from(degree) * (f64::from(degree) - 1.0) / 2.0;
        if degree < 2 { 0.0 } else { triangles as f64 / pairs }
    };
    per_vertex.iter().zip(degrees).map(coefficient).collect()
}

/// The triangles, and in `corners`, if it is not empty, six times those of each
/// vertex.
fn counted<W: Weight>(
    graph: &SlabGraph<W>,
    corners: &DeviceBuffer<Atomic<u64>>,
) -> Result<u64, Error> {
    let oriented = oriented(graph)?;
    let total = close(&oriented, &edges_of(&oriented)?, corners)?;
    Ok(total.to_vec()?[0] / SIXTHS)
}

/// Six times the triangles of an oriented graph of these edges.
fn close(
    oriented: &SlabGraph,
    edges: &DeviceBuffer<Edge>,
    corners: &DeviceBuffer<Atomic<u64>>,
) -> Result<DeviceBuffer<Atomic<u64>>, Error> {
    let (device, threads) = (oriented.device(), edges.len() as u32);
    let unchanged = DeviceBuffer::zeroed(device, 0)?;
    let total = DeviceBuffer::zeroed(device, 1)?;
    let mirrored = false;
    close_triangles::launch(
        device, threads, edges, mirrored, oriented, &unchanged, 1, corners, &total,
    )?;
    Ok(total)
}

/// The undirected simple graph with every edge once, towards the higher degree.
fn oriented<W: Weight>(graph: &SlabGraph<W>) -> Result<SlabGraph, Error> {
    let (device, vertices) = (graph.device(), graph.vertex_count());
    let mut edges = Frontiers::new(device, arc_count(graph)?, &[])?;
    let is_mirrored = graph.options().direction == Direction::Undirected;
    let (all, any, next) = (0..vertices, Edge::default(), edges.next());
    orient::launch_with(BY_WARPS, device, all, graph, is_mirrored, any, next)?;
    edges.advance()?;
    // Of opposite arcs the graph keeps one edge.
    SlabGraph::from_buffer(device, vertices, &edges.to_buffer()?, &SlabOptions::DEFAULT)
}

fn edges_of(graph: &SlabGraph) -> Result<DeviceBuffer<Edge>, Error> {
    let (device, vertices) = (graph.device(), graph.vertex_count());
    let mut edges = Frontiers::new(device, arc_count(graph)?, &[])?;
    list_edges::launch_with(BY_WARPS, device, 0..vertices, graph, edges.next())?;
    edges.advance()?;
    edges.to_buffer()
}

/// Every edge is enqueued, and edges are not staged: so with one atomic for as many
/// lanes as there are.
const BY_WARPS: Schedule = Schedule::Warp;

/// How long a list of the arcs is.
fn arc_count<W: Weight>(graph: &SlabGraph<W>) -> Result<u32, Error> {
    let arcs = graph.edge_count()?;
    let length = usize::try_from(arcs).unwrap_or(usize::MAX);
    u32::try_from(arcs).map_err(|_| ErrorKind::BufferTooLong { length }.into())
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    operators::kernels()
}
