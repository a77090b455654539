//! The edges at some vertices, as a batch of deletions: what a graph that is tracked loses with them.

use super::arcs_to::arcs_to;
use super::convert::{OF_HUBS, collect, items_of, sum_degrees};
use super::device_batch::DeviceBatch;
use super::dynamic_graph::DynamicGraph;
use super::layout::{Edge, as_listed};
use super::lists::{EdgeBuffer, EdgeLists};
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, block_enqueue_frontier};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, Vertex, Weight};
use meerkat_macros::kernel;

/// Lists arcs as the edges that they are, `reversed` where they are in the lists of destinations.
#[kernel]
fn append_edges<W: Weight>(arcs: &[Edge<W>], reversed: bool, edges: &Frontier<Edge<W>>) {
    let i = thread_id();
    let mut edge: Edge<W> = Edge { src: 0, dst: 0, weight: W::ZERO };
    if i < arcs.len() {
        edge = as_listed(arcs[i], reversed);
    }
    block_enqueue_frontier(edges, edge, i < arcs.len());
}

impl<L: EdgeLists> DynamicGraph<L> {
    /// Deletions of all edges at some vertices; one between two of them may be named twice.
    /// Synchronises.
    ///
    /// Cost: these edges; a pass over all edges where a directed graph keeps one orientation only.
    pub(super) fn deletions_at(
        &self,
        vertices: &DeviceBuffer<Vertex>,
    ) -> Result<DeviceBatch<L::Carried>, Error> {
        let device = self.device();
        let mirrored = self.is_undirected() || self.orientations().count() == 2;
        let mut parts: Vec<(EdgeBuffer<L>, bool)> = Vec::new();
        for (lists, reversed) in [(&self.out, false), (&self.into, true)] {
            let Some(lists) = lists else { continue };
            let total = DeviceBuffer::<Atomic<u64>>::zeroed(device, 1)?;
            sum_degrees::launch(device, vertices.len() as u32, lists.arg(), vertices, &total)?;
            let (items, count) = (items_of(vertices), total.read(0, 1)?[0]);
            parts.push((collect(device, lists.arg(), items, OF_HUBS, count)?, reversed));
            if !mirrored || self.may_be_partial {
                parts.push((arcs_to(lists, vertices)?, reversed));
            }
        }
        let count = parts.iter().map(|(arcs, _)| arcs.len()).sum();
        let edges: EdgeBuffer<L> = DeviceBuffer::zeroed(device, count)?;
        let length = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
        for (arcs, reversed) in &parts {
            let list = Frontier { items: edges.view(), length: length.view() };
            append_edges::launch(device, arcs.len() as u32, arcs, *reversed, list)?;
        }
        // The lists must outlive the launches.
        device.synchronize()?;
        Ok(DeviceBatch::deletions(edges))
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![append_edges::info::<()>(), append_edges::info::<u32>()]
}
