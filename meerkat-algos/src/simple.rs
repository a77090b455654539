//! What a batch changes in the undirected simple graph, for what keeps one of its own.

use meerkat_runtime::graph::{EdgeSet, HashedEdges, contains_edge, has_edge};
use meerkat_runtime::launch::HostArg;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// Lists both arcs of an edge that comes or goes with a batch, unless `kept` has it
/// without: where arcs come, that is the simple graph before; where they go, the graph
/// after. Edges outside the graph are left out.
#[edge_operator]
fn list_changed<W: Weight, G: Neighbors>(
    edge: Edge<W>,
    batch: &EdgeSet<W>,
    vertices: u32,
    kept: &G,
    changed: &Frontier<Edge>,
) {
    let arc = Edge::<()> { src: edge.src, dst: edge.dst, weight: () };
    let back = Edge::<()> { src: edge.dst, dst: edge.src, weight: () };
    let is_inside = edge.src < vertices && edge.dst < vertices && edge.src != edge.dst;
    let changes = is_inside && !has_edge(kept, edge.dst, edge.src);
    // If the batch has the opposite arc, that one lists itself.
    let is_alone = changes && !contains_edge(batch, edge.dst, edge.src);
    warp_enqueue_frontier(changed, arc, changes);
    warp_enqueue_frontier(changed, back, is_alone);
}

/// Both arcs of each edge that a batch changes in the simple graph: see [`list_changed`].
/// Synchronises.
pub(crate) fn changed<W: Weight, G: Neighbors>(
    arcs: &DeviceBuffer<Edge<W>>,
    vertices: u32,
    kept: impl HostArg<G>,
) -> Result<DeviceBuffer<Edge>, Error> {
    let device = arcs.device();
    let batch = HashedEdges::of(arcs, Direction::Directed)?;
    let most = u32::try_from(2 * arcs.len()).unwrap_or(u32::MAX);
    let mut changed = LevelQueue::new(device, most)?;
    list_changed::launch(device, arcs, &batch, vertices, kept, changed.next())?;
    changed.advance()?;
    Ok(changed.into_buffer())
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    vec![
        list_changed::info::<(), Graph>(),
        list_changed::info::<f32, Graph>(),
        list_changed::info::<(), Compact<u32>>(),
    ]
}
