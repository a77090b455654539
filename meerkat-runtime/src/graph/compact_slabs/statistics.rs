//! How full lists in compact slabs are.

use super::edges::CompactEdges;
use super::layout::*;
use super::view::Compact;
use crate::device::DeviceBuffer;
use crate::graph::Statistics;
use crate::neighbors::Neighbors;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, Weight};
use meerkat_macros::kernel;

// What is counted.
const EDGES: u32 = 0;
const TOMBSTONES: u32 = 1;
const SLABS: u32 = 2;
const PLACES: u32 = 3;
/// How many counts there are.
const COUNTS: usize = 4;

/// Counts what the lists hold: a warp takes its lanes' vertices in turn, a lane each of the pairs of
/// buckets of a hub, and one lane another vertex's list.
#[kernel]
fn measure_lists<W: Weight>(graph: &Compact<W>, totals: &[Atomic<u64>], longest: &[Atomic<u32>]) {
    let v = thread_id();
    let mut edges = 0u32;
    let mut tombstones = 0u32;
    let mut slabs = 0u32;
    let mut places = 0u32;
    let mut most = 0u32;
    let mut work = warp_ballot(v < graph.vertices);
    while work != 0 {
        let owner = warp_dequeue(&mut work);
        let lists: CompactLists = graph.lists_of(warp_broadcast(v, owner));
        let mut list = lane_id();
        while list < graph.count_lists(lists) {
            let mut chunk: CompactChunk = graph.first_chunk(lists, list);
            let mut depth = 0u32;
            while graph.is_chunk(chunk) {
                let mut link = EMPTY;
                for place in 0..graph.words_of(chunk) {
                    let word: u32 = graph.read_word(chunk, place);
                    let is_place = !W::IS_WEIGHTED || place % 2 == 0;
                    let is_last = place + 4 == graph.words_of(chunk) + link_place::<W>();
                    let links = is_last && chunk.kind != OF_HUB && is_link(word);
                    if is_place && !links {
                        places += 1;
                        edges += (word < NO_KEY) as u32;
                        tombstones += (word >= NO_KEY && word != EMPTY) as u32;
                    }
                    link = select(is_last, word, link);
                }
                depth += (chunk.kind != OF_RECORD) as u32;
                chunk = graph.next_chunk(chunk, link);
            }
            slabs += depth;
            most = most.max(depth);
            list += 32;
        }
    }
    let all_edges: u64 = warp_reduce_sum(edges as u64);
    let all_tombstones: u64 = warp_reduce_sum(tombstones as u64);
    let all_slabs: u64 = warp_reduce_sum(slabs as u64);
    let all_places: u64 = warp_reduce_sum(places as u64);
    let deepest = warp_reduce_max(most);
    if lane_id() == 0 {
        totals[EDGES].fetch_add(all_edges);
        totals[TOMBSTONES].fetch_add(all_tombstones);
        totals[SLABS].fetch_add(all_slabs);
        totals[PLACES].fetch_add(all_places);
        longest[0].fetch_max(deepest);
    }
}

impl<W: Weight> CompactEdges<W> {
    /// How full they are: one pass over all of them. A list is a vertex's record and its slabs, or
    /// two buckets of a hub, which count as a slab; slabs of any size count as one. Synchronises.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn statistics(&self) -> Result<Statistics, Error> {
        let device = &self.device;
        let totals = DeviceBuffer::<Atomic<u64>>::zeroed(device, COUNTS)?;
        let longest = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
        measure_lists::launch(device, self.vertices, self, &totals, &longest)?;
        let (totals, unused) = (totals.to_vec()?, self.pool.count_unused()?);
        let of = |what: u32| totals[what as usize];
        Ok(Statistics {
            vertices: self.vertices.into(),
            edges: of(EDGES),
            tombstones: of(TOMBSTONES),
            slab_lists: self.vertices.into(),
            slabs: of(SLABS),
            slab_capacity: of(SLABS) + unused,
            longest_chain: longest.read(0, 1)?[0].into(),
            places: of(PLACES),
            bytes_allocated_singly: u64::from(self.vertices) * 512,
            bytes: self.records.bytes() + self.pool.bytes(),
        })
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![measure_lists::info::<()>(), measure_lists::info::<u32>()]
}
