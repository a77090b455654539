//! k-trusses of the undirected simple graph, whatever the directions of its arcs: static,
//! incremental and decremental.
//!
//! Result: the k-truss is the largest subgraph of which every edge is in at least `k - 2` triangles of that
//! subgraph. The trussness of an edge is the largest `k` whose truss has it: 2 if it is in
//! no triangle.
//! Method: every edge gets a number. Its support, the triangles it is in, is counted once, over
//! edges that are oriented from their end of lower degree to the other. Then edges of too little
//! support are removed, round after round: each takes its triangles from the other two edges, which
//! go in the next round if they have too few left. For the trussness of all edges `k` rises in
//! between.
//! Encoding: an edge carries its number as its weight, so that a walk or a search gives the
//! number of the edge it found. `removed[e]` is the round in which edge `e` goes, so rounds tell
//! the trussness.
//! Ties: of the edges of a triangle that go in one round, that of the smallest number takes the
//! triangle from those that stay.
//! For a batch, edges are removed from the truss and from candidates to enter it (`dynamic`).
//! Source: Cohen, "Trusses: cohesive subgraphs for social network analysis" (2008); Wang and Cheng,
//! "Truss decomposition in massive networks" (VLDB 2012); Kabir and Madduri, "Shared-memory graph
//! truss decomposition" (HiPC 2017), for removal in rounds.

mod batches;
mod dynamic;
mod edges;
mod operators;
mod peeling;
mod saved;

pub use dynamic::{KTruss, KTrussState};
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use peeling::Peeling;

/// The edges of the k-truss, ascending, each once with `src < dst`; its weight is the number of
/// triangles of the truss that it is in. Up to a `k` of 2 that is every edge. Synchronises.
///
/// Cost: [`k_truss_on_device`], and the edges are copied to the host and sorted there.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_algos::truss;
/// use meerkat_runtime::prelude::*;
///
/// let device = Device::auto();
/// // Two triangles that share the edge of 1 and 2, and a way out.
/// let arcs = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (3, 4)];
/// let edges = arcs.map(|(src, dst)| Edge { src, dst, weight: () });
/// let graph = SlabGraph::from_edges(&device, 5, &edges, &SlabOptions::DEFAULT)?;
/// let triangles: Vec<u32> = truss::k_truss(&graph, 3)?.iter().map(|edge| edge.weight).collect();
/// assert_eq!(triangles, [1, 1, 2, 1, 1]);
/// assert!(truss::k_truss(&graph, 4)?.is_empty());
/// assert_eq!(truss::max_k(&graph)?, 3);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`k_truss_on_device`].
pub fn k_truss<C: Container>(graph: &C, k: u32) -> Result<Vec<Edge<u32>>, Error> {
    sorted(&k_truss_on_device(graph, k)?)
}

/// [`k_truss`], left on the device: the edges are in no order, and either end is first.
/// Synchronises.
///
/// Cost: memory of a copy of the graph with weights, and of 36 bytes for an edge. Time: for each
/// edge a search for every neighbour ahead of one end, and for each that is removed and was in a
/// triangle one for every neighbour of its end of lower degree.
///
/// # Errors
/// The graph keeps in-edges only; more than 2^31 - 4 vertices or 2^32 - 2^28 arcs; no memory; the
/// device fails.
pub fn k_truss_on_device<C: Container>(
    graph: &C,
    k: u32,
) -> Result<DeviceBuffer<Edge<u32>>, Error> {
    // Edges of no triangle take none from others.
    let mut peeling = Peeling::of(graph, u32::from(k > 2))?;
    if k > 2 {
        peeling.remove_below(k - 2)?;
    }
    peeling.edges_left()
}

/// The trussness of all edges, ascending, each once with `src < dst`; its weight is its trussness.
/// Synchronises.
///
/// Cost: [`trussness_on_device`], and the edges are copied to the host and sorted there.
///
/// # Errors
/// As [`k_truss_on_device`].
pub fn trussness<C: Container>(graph: &C) -> Result<Vec<Edge<u32>>, Error> {
    sorted(&trussness_on_device(graph)?)
}

/// [`trussness`], left on the device: the edges are in no order, and either end is first.
/// Synchronises, for every `k` of which the truss differs from the one before.
///
/// Cost: as [`k_truss_on_device`] until no edge is left. The copy of the graph is made anew when
/// half of its edges are gone.
///
/// # Errors
/// As [`k_truss_on_device`].
pub fn trussness_on_device<C: Container>(graph: &C) -> Result<DeviceBuffer<Edge<u32>>, Error> {
    let mut peeling = Peeling::of(graph, 0)?;
    peeling.remove_all()?;
    peeling.trussness()
}

/// The largest `k` whose truss has an edge: 2 without triangles, 0 without edges. Synchronises.
///
/// Cost: [`trussness_on_device`].
///
/// # Errors
/// As [`k_truss_on_device`].
pub fn max_k<C: Container>(graph: &C) -> Result<u32, Error> {
    match Peeling::of(graph, 1)?.remove_all()? {
        0 => Peeling::of(graph, 0)?.remove_all(),
        k => Ok(k),
    }
}

/// The edges in the host's memory, ascending.
fn sorted(edges: &DeviceBuffer<Edge<u32>>) -> Result<Vec<Edge<u32>>, Error> {
    let ascending = |Edge { src, dst, weight }: Edge<u32>| Edge {
        src: src.min(dst),
        dst: src.max(dst),
        weight,
    };
    let mut edges: Vec<_> = edges.to_vec()?.into_iter().map(ascending).collect();
    edges.sort_unstable_by_key(|edge| (edge.src, edge.dst));
    Ok(edges)
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    [operators::kernels(), batches::kernels()].concat()
}
