//! Triangle counting: of the undirected simple graph, whatever the directions
//! of its arcs; static, incremental and decremental.
//!
//! Result: the number of triangles, each once; the number that each vertex is a
//! corner of, and from these the clustering coefficients.
//! Method: every edge is oriented from its end of lower degree to the other
//! ([`OrientedGraph`]), so that a triangle is one edge whose ends share one out-neighbour.
//! For a batch, the neighbours of one end of each changed edge are looked up among those
//! of the other (`operators`).
//! Source: Meerkat, section 4.3, algorithms 7 to 9.

mod dynamic;
mod operators;

pub use dynamic::{TriangleCounts, Triangles, TrianglesState};
use meerkat_runtime::oriented::OrientedGraph;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// The triangles of the graph. Synchronises.
///
/// Cost: an oriented copy of the graph, 4 to 8 bytes an edge; and for every edge of it a
/// look at each out-neighbour of its higher end.
///
/// # Errors
/// The graph keeps in-edges only; no memory; the device fails.
pub fn count<C: Container>(graph: &C) -> Result<u64, Error> {
    let device = graph.device();
    let (corners, total) = (DeviceBuffer::zeroed(device, 0)?, DeviceBuffer::zeroed(device, 1)?);
    OrientedGraph::of(graph)?.count_shared_neighbors(&corners, &total)?;
    Ok(total.read(0, 1)?[0])
}

/// The triangles that each vertex is a corner of; their sum is three times the
/// number of triangles. Synchronises; costs as [`count`].
///
/// # Errors
/// As [`count`].
pub fn per_vertex<C: Container>(graph: &C) -> Result<Vec<u64>, Error> {
    let device = graph.device();
    let corners = DeviceBuffer::zeroed(device, graph.vertex_count() as usize)?;
    OrientedGraph::of(graph)?
        .count_shared_neighbors(&corners, &DeviceBuffer::zeroed(device, 1)?)?;
    corners.to_vec()
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

pub(crate) fn kernels() -> Vec<KernelInfo> {
    operators::kernels()
}
