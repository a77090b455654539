//! The edges of an oriented graph, listed with the triangles that each is in: its support.

use super::host::OrientedGraph;
use super::rows::{Oriented, key_at};
use super::tally::SupportBuffers;
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, LevelQueue, block_enqueue_frontier};
use crate::graph::Edge;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, ErrorKind, Weight};
use meerkat_macros::kernel;

/// Notes whose the quads of the rows are. For as many threads as vertices.
#[kernel]
fn note_owners(graph: &Oriented, owners: &[Atomic<u32>]) {
    let v = thread_id();
    if v < graph.rows.len() {
        let row = graph.rows[v];
        for quad in 0..(row.length + 3) / 4 {
            owners[row.quad + quad].store(v);
        }
    }
}

/// Lists the edges that are in `least` triangles or more, with their number of triangles, which is 0
/// if `support` is empty. For as many threads as places.
#[kernel]
fn list_by_support<W: Weight>(
    graph: &Oriented,
    owners: &[Atomic<u32>],
    support: &[Atomic<u32>],
    least: u32,
    edges: &Frontier<Edge<W>>,
) {
    let place = thread_id();
    let mut edge = Edge::<W> { src: 0, dst: 0, weight: W::ZERO };
    let mut triangles = 0u32;
    if place < support.len() {
        triangles = support[place].load();
    }
    let mut listed = false;
    if place / 4 < owners.len() && triangles >= least {
        let src = owners[place / 4].load();
        let row = graph.rows[src];
        // Places behind the end of a row are nobody's, and quads without an edge have owner 0.
        let at: u32 = place - row.quad * 4;
        listed = place >= row.quad * 4 && at < row.length;
        if listed {
            edge = Edge::<W> { src, dst: key_at(graph, row, at), weight: W::from_bits(triangles) };
        }
    }
    block_enqueue_frontier(edges, edge, listed);
}

impl OrientedGraph {
    /// The edges that are in `least` triangles or more, each once, from its end of lower degree, in
    /// no order; the weight is the number of triangles. With a `least` of 0 all edges. Synchronises.
    ///
    /// Cost: that of [`count_shared_neighbors`](Self::count_shared_neighbors), and 5 bytes for each
    /// arc that the rows have room for.
    ///
    /// # Errors
    /// Room for more than 2^32 - 2^28 arcs; no memory; the device fails.
    pub fn edges_in_triangles(&self, least: u32) -> Result<DeviceBuffer<Edge<u32>>, Error> {
        let device = self.device();
        let support = DeviceBuffer::<Atomic<u32>>::zeroed(device, self.places()? as usize)?;
        let total = DeviceBuffer::<Atomic<u64>>::zeroed(device, 1)?;
        self.count(SupportBuffers { support: &support }, &total)?;
        let triangles = if least == 0 { u64::MAX } else { total.read(0, 1)?[0] };
        // A triangle has three edges.
        let most = triangles.saturating_mul(3) / u64::from(least.max(1));
        self.list(&support, least, most)
    }

    /// All edges, each once, from its end of lower degree, in no order. Synchronises.
    ///
    /// # Errors
    /// As [`edges_in_triangles`](Self::edges_in_triangles).
    pub fn edges(&self) -> Result<DeviceBuffer<Edge>, Error> {
        self.list(&DeviceBuffer::empty(self.device()), 0, u64::MAX)
    }

    /// For how many keys the rows have room.
    fn places(&self) -> Result<u32, Error> {
        let length = self.key_slabs() * 32;
        u32::try_from(length).map_err(|_| ErrorKind::BufferTooLong { length }.into())
    }

    fn list<W: Weight>(
        &self,
        support: &DeviceBuffer<Atomic<u32>>,
        least: u32,
        most: u64,
    ) -> Result<DeviceBuffer<Edge<W>>, Error> {
        let (device, places) = (self.device(), self.places()?);
        let most = self.most_edges().min(most).min(places.into());
        let mut edges = LevelQueue::new(device, most as u32)?;
        let owners = DeviceBuffer::<Atomic<u32>>::zeroed(device, places as usize / 4)?;
        note_owners::launch(device, self.vertex_count(), self, &owners)?;
        list_by_support::launch(device, places, self, &owners, support, least, edges.next())?;
        edges.advance()?;
        Ok(edges.into_buffer())
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![note_owners::info(), list_by_support::info::<()>(), list_by_support::info::<u32>()]
}
