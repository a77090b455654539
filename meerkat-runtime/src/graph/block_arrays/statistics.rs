//! How full blocks are.

use super::edges::BlockEdges;
use super::layout::*;
use super::view::Blocks;
use crate::device::DeviceBuffer;
use crate::graph::Statistics;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, Weight};
use meerkat_macros::kernel;

// What is counted.
const EDGES: u32 = 0;
const TOMBSTONES: u32 = 1;
const BLOCKS: u32 = 2;
const PLACES: u32 = 3;
/// How many counts there are.
const COUNTS: usize = 4;

/// Counts what the records say of their lists.
#[kernel]
fn measure_blocks<W: Weight>(graph: &Blocks<W>, totals: &[Atomic<u64>]) {
    let v = thread_id();
    let mut used = 0u32;
    let mut dead = 0u32;
    if v < graph.vertices {
        used = load_record(graph, v, USED);
        dead = load_record(graph, v, DEAD) & KEY;
    }
    let places = select(used == 0, 0, places_of(class_of(used, graph.least), graph.least));
    let all_edges = block_reduce_sum((used - dead) as u64);
    let all_dead = block_reduce_sum(dead as u64);
    let all_blocks = block_reduce_sum((used != 0) as u64);
    let all_places = block_reduce_sum(places as u64);
    if block_thread_id() == 0 {
        totals[EDGES].fetch_add(all_edges);
        totals[TOMBSTONES].fetch_add(all_dead);
        totals[BLOCKS].fetch_add(all_blocks);
        totals[PLACES].fetch_add(all_places);
    }
}

impl<W: Weight> BlockEdges<W> {
    /// How full the blocks are: one pass over the records. A list is a vertex's, and its block
    /// counts as a slab. Synchronises.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn statistics(&self) -> Result<Statistics, Error> {
        let totals = DeviceBuffer::<Atomic<u64>>::zeroed(&self.device, COUNTS)?;
        measure_blocks::launch(&self.device, self.vertices, self, &totals)?;
        let totals = totals.to_vec()?;
        let of = |what: u32| totals[what as usize];
        Ok(Statistics {
            vertices: self.vertices.into(),
            edges: of(EDGES),
            tombstones: of(TOMBSTONES),
            slab_lists: self.vertices.into(),
            slabs: of(BLOCKS),
            slab_capacity: self.pool.counts.iter().sum(),
            longest_chain: u64::from(of(BLOCKS) != 0),
            places: of(PLACES),
            bytes_allocated_singly: u64::from(self.vertices) * 512,
            bytes: self.records.bytes() + self.pool.bytes() + self.rounds.bytes(),
        })
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![measure_blocks::info::<()>()]
}
