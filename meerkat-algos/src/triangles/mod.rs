//! Triangle counting: of the undirected simple graph, whatever the directions
//! of its arcs; static, incremental and decremental.
//!
//! Result: the number of triangles, each once; the number that each vertex is a
//! corner of, and from these the clustering coefficients.
//! Method: every edge is oriented from its end of lower degree to the other (`rows`),
//! so that a triangle is one edge whose ends share one out-neighbour, and hubs have few
//! out-neighbours. A warp, or where there are many a block, puts those of a vertex into a
//! set in memory of the block, and the out-neighbours of each of them are read past it
//! (`close`). For a batch, the neighbours of one end of each changed edge are looked up
//! among those of the other (`operators`).
//! Source: Meerkat, section 6.3, algorithms 7 to 9; Schank and Wagner, "Finding,
//! counting and listing all triangles in large graphs" (the orientation); Bisson and
//! Fatica, "High performance exact triangle counting on GPUs" (a set in shared memory).

pub mod close;
mod dynamic;
pub mod operators;
pub mod rows;

use close::{PLACES, PLACES_OF_WARP, close_by_blocks, close_by_warps};
pub use dynamic::{TriangleCounts, Triangles};
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use operators::SIXTHS;
use rows::Rows;

/// How long the rows are that each kernel takes at once.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest row that a warp takes.
    pub warp: u32,
    /// The longest part of a row that a block takes.
    pub block: u32,
}

impl Limits {
    /// Sets of a warp a quarter full at most, those of a block half.
    pub const DEFAULT: Limits = Limits { warp: PLACES_OF_WARP / 4, block: PLACES / 2 };
}

/// The triangles of the graph. Synchronises.
///
/// Cost: an oriented copy of the graph, 4 to 8 bytes an edge; and for every edge of it a
/// look at each out-neighbour of its higher end.
///
/// # Errors
/// No memory; the device fails.
pub fn count<W: Weight>(graph: &SlabGraph<W>) -> Result<u64, Error> {
    counted(graph, Limits::DEFAULT, &DeviceBuffer::zeroed(graph.device(), 0)?)
}

/// The triangles that each vertex is a corner of; their sum is three times the
/// number of triangles. Synchronises; costs as [`count`].
///
/// # Errors
/// As [`count`].
pub fn per_vertex<W: Weight>(graph: &SlabGraph<W>) -> Result<Vec<u64>, Error> {
    Ok(counts_within(graph, Limits::DEFAULT)?.1)
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

/// [`count`] with other [`Limits`], for tests.
#[doc(hidden)]
pub fn counts_within<W: Weight>(
    graph: &SlabGraph<W>,
    limits: Limits,
) -> Result<(u64, Vec<u64>), Error> {
    let corners = DeviceBuffer::zeroed(graph.device(), graph.vertex_count() as usize)?;
    let total = counted(graph, limits, &corners)?;
    Ok((total, corners.to_vec()?.into_iter().map(|sixths| sixths / SIXTHS).collect()))
}

/// The triangles, and in `corners`, if it is not empty, six times those of each
/// vertex.
fn counted<W: Weight>(
    graph: &SlabGraph<W>,
    limits: Limits,
    corners: &DeviceBuffer<Atomic<u64>>,
) -> Result<u64, Error> {
    let total = close_all(&Rows::new(graph, limits.warp)?, limits, corners)?;
    Ok(total.to_vec()?[0] / SIXTHS)
}

/// Most vertices that a warp takes from the counter at once.
const MOST_TAKEN: u32 = 16;
/// How many threads count where a device runs fewer at once.
const LEAST_THREADS: u32 = 1 << 11;

/// Six times the triangles of a graph, and those of each corner in `corners` unless it
/// is empty.
fn close_all(
    graph: &Rows,
    limits: Limits,
    corners: &DeviceBuffer<Atomic<u64>>,
) -> Result<DeviceBuffer<Atomic<u64>>, Error> {
    let (device, vertices) = (graph.device(), graph.vertex_count());
    let threads = u32::try_from(device.threads_at_once()).unwrap_or(u32::MAX).max(LEAST_THREADS);
    let taken = (vertices / (threads / 32)).clamp(1, MOST_TAKEN);
    let total = DeviceBuffer::zeroed(device, 1)?;
    let next = || DeviceBuffer::<Atomic<u32>>::zeroed(device, 1);
    if graph.long_count > 0 {
        let long = graph.long.all();
        close_by_blocks::launch(
            device,
            threads,
            graph,
            long,
            limits.block,
            &next()?,
            corners,
            &total,
        )?;
    }
    let threads = threads.min(vertices.div_ceil(taken).saturating_mul(32));
    close_by_warps::launch(device, threads, graph, limits.warp, taken, &next()?, corners, &total)?;
    Ok(total)
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    let mut kernels = rows::kernels();
    kernels.extend(close::kernels());
    kernels.extend(operators::kernels());
    kernels
}
