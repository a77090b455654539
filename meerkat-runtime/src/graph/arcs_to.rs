//! The arcs that lead to some vertices, found by a pass over all arcs of any container.

use super::compact_slabs::Compact;
use super::layout::Edge;
use super::lists::{EdgeBuffer, EdgeLists};
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, warp_enqueue_frontier};
use crate::neighbors::Neighbors;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::Graph;
use crate::view::Atomic;
use crate::{Error, Vertex};
use meerkat_macros::{kernel, vertex_operator};

/// Marks some vertices.
#[kernel]
fn mark_vertices(vertices: &[Vertex], marks: &[Atomic<u32>]) {
    let i = thread_id();
    if i < vertices.len() {
        marks[vertices[i]].store(1);
    }
}

/// Counts the neighbours that are marked.
#[vertex_operator]
fn count_marked<G: Neighbors>(v: Vertex, graph: &G, marks: &[Atomic<u32>], total: &[Atomic<u64>]) {
    let mut marked = 0u32;
    for_each_neighbor(graph, v, true, |dst| marked += marks[dst].load());
    if marked != 0 {
        total[0].fetch_add(marked as u64);
    }
}

/// Lists the arcs to neighbours that are marked.
#[vertex_operator]
fn list_marked<G: Neighbors>(
    v: Vertex,
    graph: &G,
    marks: &[Atomic<u32>],
    arcs: &Frontier<Edge<G::Carried>>,
) {
    for_each_neighbor(graph, v, true, |dst, weight| {
        let arc = Edge::<G::Carried> { src: v, dst, weight };
        warp_enqueue_frontier(arcs, arc, marks[dst].load() == 1);
    });
}

/// The arcs that lead to some vertices, in no order. Synchronises.
pub(super) fn arcs_to<L: EdgeLists>(
    lists: &L,
    vertices: &DeviceBuffer<Vertex>,
) -> Result<EdgeBuffer<L>, Error> {
    let (device, all) = (lists.device(), 0..lists.vertex_count());
    let marks = DeviceBuffer::zeroed(device, all.len())?;
    mark_vertices::launch(device, vertices.len() as u32, vertices, &marks)?;
    let total = DeviceBuffer::<Atomic<u64>>::zeroed(device, 1)?;
    count_marked::launch(device, all.clone(), lists.arg(), &marks, &total)?;
    let count = usize::try_from(total.read(0, 1)?[0]).unwrap_or(usize::MAX);
    let arcs = DeviceBuffer::zeroed(device, count)?;
    let length = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
    let list = Frontier { items: arcs.view(), length: length.view() };
    list_marked::launch(device, all, lists.arg(), &marks, list)?;
    // The list must outlive the launch.
    device.synchronize()?;
    Ok(arcs)
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        mark_vertices::info(),
        count_marked::info::<Graph>(),
        count_marked::info::<Compact>(),
        list_marked::info::<Graph>(),
        list_marked::info::<Graph<u32>>(),
        list_marked::info::<Compact>(),
        list_marked::info::<Compact<u32>>(),
    ]
}
