//! Vertices that come and go.

use super::edges::CompactEdges;
use super::lay_out::{Outgrown, empty_outgrown};
use super::layout::EMPTY;
use super::search::delete_arcs;
use super::view::Compact;
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, warp_enqueue_frontier};
use crate::graph::convert::{collect, items_of};
use crate::graph::delete_vertices::mark_vertices;
use crate::graph::layout::Edge;
use crate::neighbors::Neighbors;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, Vertex, Weight};
use meerkat_macros::{kernel, vertex_operator};

/// The lists of some vertices, to be emptied.
#[derive(Debug)]
pub struct Taken<W: Weight> {
    arcs: DeviceBuffer<Edge<W>>,
    lists: DeviceBuffer<Outgrown>,
    on_host: Vec<Outgrown>,
    /// The links of slabs that are given up, and how many.
    left: DeviceBuffer<u32>,
    length: DeviceBuffer<Atomic<u32>>,
}

/// Empties the records of the vertices from `from` on.
#[kernel]
fn empty_records<W: Weight>(graph: &Compact<W>, from: u32) {
    let v = from + thread_id();
    if v < graph.vertices {
        for k in 0..graph.record * 4 {
            let quad = v * graph.record + k / 4;
            graph.records[quad / 8].word(quad % 8 * 4 + k % 4).store(EMPTY);
        }
    }
}

/// Counts the neighbours that are marked.
#[vertex_operator]
fn count_marked<G: Neighbors>(v: Vertex, graph: &G, marks: &[Atomic<u32>], total: &[Atomic<u32>]) {
    let mut marked = 0u32;
    for_each_neighbor(graph, v, true, |dst| {
        marked += marks[dst].load();
    });
    if marked != 0 {
        total[0].fetch_add(marked);
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

impl<W: Weight> CompactEdges<W> {
    /// How many elements the records of this number of vertices take.
    pub(super) fn slabs_of_records(&self, vertices: u32) -> usize {
        (vertices as usize * self.record as usize).div_ceil(8)
    }

    pub(super) fn add_records(&mut self, vertices: u32) -> Result<(), Error> {
        let from = self.vertices;
        if from == vertices {
            return Ok(());
        }
        self.records.extend(self.slabs_of_records(vertices))?;
        self.vertices = vertices;
        empty_records::launch(&self.device, vertices - from, &*self, from)
    }

    pub(super) fn delete_arcs_to(&self, vertices: &DeviceBuffer<Vertex>) -> Result<(), Error> {
        let (device, all) = (&self.device, 0..self.vertices);
        let marks = DeviceBuffer::zeroed(device, self.vertices as usize)?;
        mark_vertices::launch(device, vertices.len() as u32, vertices, &marks)?;
        let total = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
        count_marked::launch(device, all.clone(), self, &marks, &total)?;
        let arcs = DeviceBuffer::zeroed(device, total.read(0, 1)?[0] as usize)?;
        let length = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
        let list = Frontier { items: arcs.view(), length: length.view() };
        list_marked::launch(device, all, self, &marks, list)?;
        delete_arcs::launch(device, arcs.len() as u32, self, &arcs, false)?;
        // The list must outlive the launch.
        device.synchronize()
    }

    /// The lists of some vertices, and how many arcs they have.
    pub(super) fn take_lists(
        &self,
        vertices: &DeviceBuffer<Vertex>,
    ) -> Result<(Taken<W>, u64), Error> {
        let device = &self.device;
        let lists = self.described(vertices)?;
        let on_host = lists.to_vec()?;
        let count = on_host.iter().map(|list| u64::from(list.degree)).sum();
        let arcs = collect(device, self, items_of(vertices), count)?;
        let slabs = on_host.iter().map(|list| list.slabs as usize).sum();
        let left = DeviceBuffer::zeroed(device, slabs)?;
        let length = DeviceBuffer::zeroed(device, 1)?;
        Ok((Taken { arcs, lists, on_host, left, length }, count))
    }

    pub(super) fn empty_lists(
        &self,
        back: &Self,
        mirrored: bool,
        taken: &Taken<W>,
    ) -> Result<(), Error> {
        let Taken { arcs, lists, left, length, .. } = taken;
        if mirrored {
            delete_arcs::launch(&self.device, arcs.len() as u32, back, arcs, true)?;
        }
        let left = Frontier { items: left.view(), length: length.view() };
        empty_outgrown::launch(&self.device, lists.len() as u32 * 32, self, lists, left)
    }

    pub(super) fn reuse(&mut self, taken: Taken<W>) -> Result<(), Error> {
        for list in taken.on_host.iter().filter(|list| list.pairs != 0) {
            self.pool.give_back_pairs(list.pair, list.pairs);
        }
        let count = taken.length.read(0, 1)?[0];
        self.pool.give_back_if_room(&taken.left.read(0, count as usize)?)
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        empty_records::info::<()>(),
        count_marked::info::<Compact>(),
        list_marked::info::<Compact>(),
        list_marked::info::<Compact<u32>>(),
    ]
}
