//! Edges that are older than a time leave.

use super::column::EdgeColumn;
use super::edge_ids::lists_of;
use super::property_graph::PropertyGraph;
use super::updatable::Updatable;
use super::values::EdgeValues;
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, warp_enqueue_frontier};
use crate::graph::block_arrays::Blocks;
use crate::graph::compact_slabs::Compact;
use crate::graph::{Change, DeviceBatch, DynamicGraph, Edge, EdgeLists, Graph};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, Neighbors, Vertex};
use meerkat_macros::vertex_operator;

/// Lists the edges at `v` whose time is before `oldest`, an undirected one at its smaller end.
#[vertex_operator]
fn list_older<G: Neighbors<Carried = u32>>(
    v: Vertex,
    graph: &G,
    times: &[i64],
    oldest: i64,
    undirected: bool,
    reversed: bool,
    expired: &Frontier<Edge>,
) {
    for_each_neighbor(graph, v, true, |neighbor, id| {
        let is_old = times[id] < oldest && (!undirected || v <= neighbor);
        let src = select(reversed, neighbor, v);
        let dst = select(reversed, v, neighbor);
        warp_enqueue_frontier(expired, Edge { src, dst, weight: () }, is_old);
    });
}

/// The edges whose time is before `oldest`. Synchronises.
fn older_edges<L: EdgeLists<Carried = u32>>(
    graph: &DynamicGraph<L>,
    times: &DeviceBuffer<i64>,
    oldest: i64,
) -> Result<DeviceBuffer<Edge>, Error> {
    let (device, (lists, reversed)) = (graph.device(), lists_of(graph)?);
    let undirected = graph.is_undirected();
    let list = |expired: &DeviceBuffer<Edge>| -> Result<u32, Error> {
        let length = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
        let list = Frontier { items: expired.view(), length: length.view() };
        let (items, edges) = (0..graph.vertex_count(), lists.arg());
        list_older::launch(device, items, edges, times, oldest, undirected, reversed, list)?;
        Ok(length.read(0, 1)?[0])
    };
    // A list without room counts.
    let count = list(&DeviceBuffer::empty(device))?;
    let expired = DeviceBuffer::zeroed(device, count as usize)?;
    if count != 0 {
        list(&expired)?;
    }
    Ok(expired)
}

impl<G: Updatable> PropertyGraph<G> {
    /// Deletes the edges whose time is before `oldest`, as one batch, and returns them. Their values
    /// stay where they are until a batch inserts edges. Synchronises.
    ///
    /// Cost: two passes over the edges and their times, and a batch of the deletions.
    ///
    /// # Errors
    /// As [`apply`](Self::apply); all is as it was.
    pub fn expire(&mut self, times: EdgeColumn<i64>, oldest: i64) -> Result<Change<u32>, Error> {
        let expired = older_edges(self.graph(), self.edge_values(times)?, oldest)?;
        self.apply(&DeviceBatch::deletions(expired), &EdgeValues::none())
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        list_older::info::<Graph<u32>>(),
        list_older::info::<Compact<u32>>(),
        list_older::info::<Blocks<u32>>(),
    ]
}
