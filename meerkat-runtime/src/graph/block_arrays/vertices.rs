//! Vertices that come and go.

use super::edges::BlockEdges;
use super::layout::*;
use super::search::delete_from_blocks;
use super::view::Blocks;
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, block_enqueue_frontier};
use crate::graph::convert::arcs_of;
use crate::graph::layout::Edge;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, Vertex, Weight};
use meerkat_macros::kernel;

/// The lists of some vertices, to be emptied.
#[derive(Debug)]
pub struct Taken<W: Weight> {
    arcs: DeviceBuffer<Edge<W>>,
    vertices: DeviceBuffer<Vertex>,
    /// The blocks that they leave, and how many.
    released: DeviceBuffer<Released>,
    length: DeviceBuffer<Atomic<u32>>,
}

/// Takes the blocks of some vertices.
#[kernel]
fn empty_blocks<W: Weight>(graph: &Blocks<W>, vertices: &[Vertex], released: &Frontier<Released>) {
    let i = thread_id();
    let mut left = Released { first: NO_BLOCK, class: 0 };
    let mut used = 0u32;
    if i < vertices.len() {
        let record: [u32; 4] = record_of(graph, vertices[i]);
        used = record[1];
        left = Released { first: record[0], class: class_of(used, graph.least) };
        store_record(graph, vertices[i], FIRST, NO_BLOCK);
        store_record(graph, vertices[i], USED, 0);
        store_record(graph, vertices[i], DEAD, 0);
    }
    block_enqueue_frontier(released, left, used != 0);
}

impl<W: Weight> BlockEdges<W> {
    /// How many elements the records of this number of vertices take.
    pub(super) fn slabs_of_records(&self, vertices: u32) -> usize {
        (vertices as usize).div_ceil(8)
    }

    pub(super) fn add_records(&mut self, vertices: u32) -> Result<(), Error> {
        let from = self.vertices;
        if from == vertices {
            return Ok(());
        }
        self.records.extend(self.slabs_of_records(vertices))?;
        self.vertices = vertices;
        self.place(&DeviceBuffer::empty(&self.device), from)
    }

    /// The lists of some vertices, and how many arcs they have.
    pub(super) fn take_lists(
        &self,
        vertices: &DeviceBuffer<Vertex>,
    ) -> Result<(Taken<W>, u64), Error> {
        let arcs = arcs_of(self, vertices)?;
        let count = arcs.len() as u64;
        let released = DeviceBuffer::zeroed(&self.device, vertices.len())?;
        let length = DeviceBuffer::zeroed(&self.device, 1)?;
        let vertices = vertices.first(vertices.len())?;
        Ok((Taken { arcs, vertices, released, length }, count))
    }

    pub(super) fn empty(&self, back: &Self, mirrored: bool, taken: &Taken<W>) -> Result<(), Error> {
        let Taken { arcs, vertices, released, length } = taken;
        if mirrored {
            delete_from_blocks::launch(&self.device, arcs.len() as u32, back, arcs, true)?;
        }
        let left = Frontier { items: released.view(), length: length.view() };
        empty_blocks::launch(&self.device, vertices.len() as u32, self, vertices, left)
    }

    pub(super) fn reuse(&mut self, taken: &Taken<W>) -> Result<(), Error> {
        let left = Frontier { items: taken.released.view(), length: taken.length.view() };
        self.put_back(left, taken.vertices.len() as u32)
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![empty_blocks::info::<()>()]
}
