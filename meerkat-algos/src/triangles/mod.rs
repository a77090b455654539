//! Triangle counting: of the undirected simple graph, whatever the directions
//! of its arcs; static, incremental and decremental.
//!
//! Result: the number of triangles, each once; the number that each vertex is a
//! corner of, and from these the clustering coefficients.
//! Method: every edge is oriented from its end of lower degree to the other
//! ([`OrientedGraph`]), so that a triangle is one edge whose ends share one out-neighbour. Short
//! lists that ascend are merged where they are (`sorted`).
//! For a batch, the neighbours of one end of each changed edge are looked up among those
//! of the other (`operators`).
//! Source: Meerkat, section 4.3, algorithms 7 to 9.

mod distributed;
mod dynamic;
mod operators;
mod sorted;

pub use distributed::RankTriangles;
pub use dynamic::{TriangleCounts, Triangles, TrianglesState};
use meerkat_runtime::longest_ascending;
use meerkat_runtime::oriented::OrientedGraph;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use sorted::{MOST_CHUNKS, count_sorted};

/// The triangles of the graph. Synchronises.
///
/// Cost: an oriented copy of the graph, 4 to 8 bytes an edge; and for every edge of it a
/// look at each out-neighbour of its higher end. Of an undirected graph with ascending lists
/// (block arrays), none longer than 96 since the last compaction, no copy:
/// for every edge two lists are merged.
///
/// # Errors
/// The graph keeps in-edges only; no memory; the device fails.
pub fn count<C: Container>(graph: &C) -> Result<u64, Error> {
    count_corners(graph, &DeviceBuffer::zeroed(graph.device(), 0)?)
}

/// The triangles that each vertex is a corner of; their sum is three times the
/// number of triangles. Synchronises; costs as [`count`].
///
/// # Errors
/// As [`count`].
pub fn per_vertex<C: Container>(graph: &C) -> Result<Vec<u64>, Error> {
    let corners = DeviceBuffer::zeroed(graph.device(), graph.vertex_count() as usize)?;
    count_corners(graph, &corners)?;
    corners.to_vec()
}

/// Adds one to the three `corners` of each triangle, unless there are none; how many triangles
/// there are.
fn count_corners<C: Container>(
    graph: &C,
    corners: &DeviceBuffer<Atomic<u64>>,
) -> Result<u64, Error> {
    if graph.is_undirected() && longest_ascending(graph)?.is_some_and(|most| most <= MOST_CHUNKS) {
        return count_sorted(graph, corners);
    }
    let total = DeviceBuffer::zeroed(graph.device(), 1)?;
    OrientedGraph::of(graph)?.count_shared_neighbors(corners, &total)?;
    Ok(total.read(0, 1)?[0])
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
    [operators::kernels(), sorted::kernels(), distributed::kernels()].concat()
}
