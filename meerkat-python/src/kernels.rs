//! Device code of the package: columns to edges, some vertices' degrees and edges, distances as floats.

use meerkat_algos::tree::TreeNode;
use meerkat_runtime::cuda::nvrtc;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use pyo3::prelude::*;

use crate::error::Failure;

/// The place in `found` of the first edge with an end that is no `u32`.
pub(crate) const REFUSED: u32 = 0;
/// The place in `found` of the largest end.
pub(crate) const LARGEST: u32 = 1;

/// Makes edges of columns in somebody else's memory: first those of one list, then those of another.
/// An id is `step` words, 1 or 2, of which the first has none of the bits of `sign`; an edge with an end
/// that is none gets ends that no graph has. Place `i` of `deletes`, where it has places, gets 1 for the
/// first list. `found` may have no places.
#[kernel]
pub(crate) fn zip_updates<W: Weight>(
    gone_src: &[u32],
    gone_dst: &[u32],
    src: &[u32],
    dst: &[u32],
    weights: &[u32],
    gone_steps: [u32; 2],
    steps: [u32; 2],
    gone_signs: [u32; 2],
    signs: [u32; 2],
    edges: &mut [Edge<W>],
    deletes: &mut [u8],
    found: &[Atomic<u32>],
) {
    let i = thread_id();
    let gone: u32 = gone_src.len() / gone_steps[0];
    let mut ends = [0u32; 2];
    let mut over = 0u32;
    if i < edges.len() {
        let mut weight = W::ZERO;
        if i < gone {
            let s = i * gone_steps[0];
            let d = i * gone_steps[1];
            ends = [gone_src[s], gone_dst[d]];
            over |= (ends[0] & gone_signs[0]) | (ends[1] & gone_signs[1]);
            if gone_steps[0] == 2 {
                over |= gone_src[s + 1];
            }
            if gone_steps[1] == 2 {
                over |= gone_dst[d + 1];
            }
        } else {
            let k: u32 = i - gone;
            let s = k * steps[0];
            let d = k * steps[1];
            ends = [src[s], dst[d]];
            over |= (ends[0] & signs[0]) | (ends[1] & signs[1]);
            if steps[0] == 2 {
                over |= src[s + 1];
            }
            if steps[1] == 2 {
                over |= dst[d + 1];
            }
            if W::IS_WEIGHTED {
                weight = W::from_bits(weights[k]);
            }
        }
        if over != 0 {
            ends = [u32::MAX, u32::MAX];
            if found.len() != 0 {
                found[REFUSED].fetch_min(i);
            }
        }
        edges[i] = Edge::<W> { src: ends[0], dst: ends[1], weight };
        if i < deletes.len() {
            deletes[i] = select(i < gone, 1, 0);
        }
    }
    let largest = warp_reduce_max(ends[0].max(ends[1]));
    if lane_id() == 0 && found.len() != 0 {
        found[LARGEST].fetch_max(largest);
    }
}

/// The degrees of some vertices.
#[kernel]
pub(crate) fn degrees_of<G: Neighbors>(graph: &G, vertices: &[Vertex], degrees: &mut [u32]) {
    let i = thread_id();
    if i < vertices.len() {
        degrees[i] = out_degree(graph, vertices[i]);
    }
}

/// Lists the edges of `v`.
#[vertex_operator]
pub(crate) fn list_edges<G: Neighbors>(v: Vertex, graph: &G, edges: &Frontier<Edge<G::Carried>>) {
    for_each_neighbor(graph, v, true, |dst, weight| {
        warp_enqueue_frontier(edges, Edge::<G::Carried> { src: v, dst, weight }, true);
    });
}

/// A vertex's place in a shortest-path tree whose lengths are floats.
#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
pub(crate) struct FloatNode {
    pub(crate) parent: u32,
    pub(crate) distance: f32,
}

/// Distances as floats, without end where the source does not reach.
#[kernel]
pub(crate) fn to_floats(nodes: &[TreeNode], floats: &mut [FloatNode]) {
    let i = thread_id();
    if i < nodes.len() {
        let node = nodes[i];
        let is_outside = node.distance == 0xffff_ffff;
        let distance = select(is_outside, f32::INFINITY, f32::from_bits(node.distance));
        floats[i] = FloatNode { parent: node.parent, distance };
    }
}

fn kernels() -> Vec<KernelInfo> {
    vec![
        zip_updates::info::<()>(),
        zip_updates::info::<f32>(),
        degrees_of::info::<Compact>(),
        list_edges::info::<Compact>(),
        to_floats::info(),
    ]
}

/// The version of NVRTC that was found.
#[pyfunction]
pub(crate) fn nvrtc_version(py: Python<'_>) -> Result<(u32, u32), Failure> {
    let version = py.detach(|| nvrtc::version().map_err(meerkat_runtime::Error::from))?;
    Ok((version.0 as u32, version.1 as u32))
}

/// Compiles the package's own kernels for every GPU that NVRTC knows, and says how many there are.
#[pyfunction]
pub(crate) fn check_kernels(py: Python<'_>) -> usize {
    py.detach(|| {
        let kernels = [kernels(), crate::sampling::kernels(), crate::subgraph::kernels()].concat();
        meerkat_runtime::testing::assert_all_compile(&kernels);
        kernels.len()
    })
}
