//! Vertices that come and go.

use super::edges::CompactEdges;
use super::give_back::Left;
use super::layout::EMPTY;
use super::outgrown::{Outgrown, empty_outgrown};
use super::search::delete_arcs;
use super::view::Compact;
use crate::device::DeviceBuffer;
use crate::graph::convert::{OF_HUBS, collect, items_of};
use crate::graph::layout::Edge;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::{Error, Vertex, Weight};
use meerkat_macros::kernel;

/// The lists of some vertices, to be emptied.
#[derive(Debug)]
pub struct Taken<W: Weight> {
    arcs: DeviceBuffer<Edge<W>>,
    lists: DeviceBuffer<Outgrown>,
    on_host: Vec<Outgrown>,
    left: Left,
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

    /// The lists of some vertices, and how many arcs they have.
    pub(super) fn take_lists(
        &self,
        vertices: &DeviceBuffer<Vertex>,
    ) -> Result<(Taken<W>, u64), Error> {
        let device = &self.device;
        let lists = self.described(vertices)?;
        let on_host = lists.to_vec()?;
        let count = on_host.iter().map(|list| u64::from(list.degree)).sum();
        let arcs = collect(device, self, items_of(vertices), OF_HUBS, count)?;
        let slabs = on_host.iter().map(|list| list.slabs as usize).sum();
        let left = Left::with_room(device, slabs)?;
        Ok((Taken { arcs, lists, on_host, left }, count))
    }

    pub(super) fn empty_lists(
        &self,
        back: &Self,
        mirrored: bool,
        taken: &Taken<W>,
    ) -> Result<(), Error> {
        let Taken { arcs, lists, left, .. } = taken;
        if mirrored {
            delete_arcs::launch(&self.device, arcs.len() as u32, back, arcs, true)?;
        }
        empty_outgrown::launch(&self.device, lists.len() as u32 * 32, self, lists, left.view())
    }

    pub(super) fn reuse(&mut self, taken: Taken<W>) -> Result<(), Error> {
        for list in taken.on_host.iter().filter(|list| list.pairs != 0) {
            self.pool.give_back_pairs(list.pair, list.pairs);
        }
        self.give_back(&taken.left)
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![empty_records::info::<()>()]
}
