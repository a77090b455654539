//! About how many out-edges some vertices have together: what a push from them costs.

use meerkat_runtime::VertexItems;
use meerkat_runtime::graph::about_out_degree;
use meerkat_runtime::launch::HostArg;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// Adds up about how many out-edges vertices have.
#[vertex_operator]
fn sum_out_edges<G: Neighbors>(v: Vertex, out_edges: &G, total: &[Atomic<u64>]) {
    total[0].fetch_add_aggregated(about_out_degree(out_edges, v) as u64);
}

/// About how many out-edges vertices of a graph have. Synchronises.
pub(crate) fn sum<C: Container>(
    graph: &C,
    vertices: impl HostArg<VertexItems>,
) -> Result<u64, Error> {
    let total = DeviceBuffer::zeroed(graph.device(), 1)?;
    sum_out_edges::launch(graph.device(), vertices, graph.out_edges()?, &total)?;
    Ok(total.read(0, 1)?[0])
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    vec![sum_out_edges::info::<Graph>()]
}
