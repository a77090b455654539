//! Where the memory of block arrays goes, by the measures of Hornet's Figure 4 (Busato et al.,
//! section IV.A).

use super::edges::BlockEdges;
use super::layout::*;
use super::view::Blocks;
use crate::device::DeviceBuffer;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, Weight};
use meerkat_macros::kernel;

/// The blocks of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSize {
    /// Neighbours that a block has places for: a power of two.
    pub places: u64,
    /// Blocks that there are, in lists or empty.
    pub blocks: u64,
    /// Blocks that a list has.
    pub in_lists: u64,
}

/// Where the memory of one orientation of a [`BlockGraph`](crate::BlockGraph) goes. A place is
/// room for one neighbour and, in a graph with weights, its weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockMemory {
    /// Neighbours: keys that were not deleted.
    pub keys: u64,
    /// Keys that were deleted and still have their place.
    pub deleted_keys: u64,
    /// Places of the blocks that lists have.
    pub places_in_lists: u64,
    /// Places of all blocks of all arrays.
    pub places_in_arrays: u64,
    /// The sizes of which there are blocks, from the least.
    pub sizes: Vec<BlockSize>,
    /// Bytes of the records, 16 for each vertex: which block its list is in, and how many keys it has.
    pub record_bytes: u64,
    /// Bytes of the blocks that lists have, their free places included.
    pub list_bytes: u64,
    /// Bytes of the rest of the memory of blocks: blocks that no list has, and what is no block yet.
    pub empty_bytes: u64,
    /// Bytes of the tables of blocks that no list has, and of lists to be tidied.
    pub table_bytes: u64,
    /// Bytes that insertions work with.
    pub batch_bytes: u64,
}

impl BlockMemory {
    /// The part of the places of lists that hold keys: 1 is a list of 2^k neighbours in each block.
    /// 1 if there are no lists.
    pub fn block_utilization(&self) -> f64 {
        part(self.keys, self.places_in_lists)
    }

    /// The part of the places of all arrays that are in blocks that lists have; 1 if there are no
    /// arrays.
    pub fn array_utilization(&self) -> f64 {
        part(self.places_in_lists, self.places_in_arrays)
    }

    /// Bytes of device memory, all together, but for the lists of updates where these are tracked.
    pub fn bytes(&self) -> u64 {
        let blocks = self.list_bytes + self.empty_bytes;
        self.record_bytes + blocks + self.table_bytes + self.batch_bytes
    }
}

/// A part of a whole; 1 of nothing.
fn part(of: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { of as f64 / whole as f64 }
}

/// Where keys and deleted keys are counted.
const KEYS: u32 = 0;
const DELETED: u32 = 1;

/// Counts the blocks of each class that lists have, and their keys.
#[kernel]
fn count_blocks_of_lists<W: Weight>(
    graph: &Blocks<W>,
    blocks: &[Atomic<u32>],
    keys: &[Atomic<u64>],
) {
    let v = thread_id();
    let mut used = 0u32;
    let mut dead = 0u32;
    if v < graph.vertices {
        used = load_record(graph, v, USED);
        dead = load_record(graph, v, DEAD) & KEY;
    }
    if used != 0 {
        blocks[class_of(used, graph.least)].fetch_add_aggregated(1);
    }
    let all_keys = block_reduce_sum((used - dead) as u64);
    let all_dead = block_reduce_sum(dead as u64);
    if block_thread_id() == 0 {
        keys[KEYS].fetch_add(all_keys);
        keys[DELETED].fetch_add(all_dead);
    }
}

impl<W: Weight> BlockEdges<W> {
    /// Where the memory goes: one pass over the records, 16 bytes a vertex. Synchronises.
    ///
    /// ```
    /// # fn main() -> Result<(), meerkat_runtime::Error> {
    /// use meerkat_runtime::prelude::*;
    ///
    /// let device = Device::auto();
    /// let edge = |src, dst| Edge { src, dst, weight: () };
    /// let edges = [edge(0, 1), edge(0, 2), edge(2, 0)];
    /// let graph = BlockGraph::from_edges(&device, 3, &edges, &SlabOptions::DEFAULT)?;
    /// let memory = graph.out_edges()?.memory()?;
    /// // Two lists, each in a block of four places.
    /// assert_eq!((memory.keys, memory.places_in_lists), (3, 8));
    /// assert_eq!(memory.block_utilization(), 3.0 / 8.0);
    /// assert_eq!(memory.bytes(), graph.bytes());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn memory(&self) -> Result<BlockMemory, Error> {
        let in_lists = DeviceBuffer::<Atomic<u32>>::zeroed(&self.device, CLASSES as usize)?;
        let keys = DeviceBuffer::<Atomic<u64>>::zeroed(&self.device, 2)?;
        count_blocks_of_lists::launch(&self.device, self.vertices, self, &in_lists, &keys)?;
        let keys = keys.to_vec()?;
        let sizes = self.sizes(&in_lists.to_vec()?);
        let places = |blocks: fn(&BlockSize) -> u64| {
            sizes.iter().map(|size| size.places * blocks(size)).sum::<u64>()
        };
        let places_in_lists = places(|size| size.in_lists);
        let list_bytes = places_in_lists * if W::IS_WEIGHTED { 8 } else { 4 };
        Ok(BlockMemory {
            keys: keys[KEYS as usize],
            deleted_keys: keys[DELETED as usize],
            places_in_lists,
            places_in_arrays: places(|size| size.blocks),
            sizes,
            record_bytes: self.records.bytes(),
            list_bytes,
            empty_bytes: self.pool.blocks.bytes().saturating_sub(list_bytes),
            table_bytes: self.pool.table_bytes(),
            batch_bytes: self.rounds.bytes(),
        })
    }

    /// The sizes of which there are blocks.
    fn sizes(&self, in_lists: &[u32]) -> Vec<BlockSize> {
        let counts = self.pool.counts.iter().zip(in_lists).enumerate();
        let sizes = counts.map(|(class, (&blocks, &in_lists))| BlockSize {
            places: self.places(class),
            blocks,
            in_lists: in_lists.into(),
        });
        sizes.filter(|size| size.blocks != 0).collect()
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![count_blocks_of_lists::info::<()>()]
}

#[cfg(test)]
mod tests {
    use super::{BlockMemory, BlockSize};
    use crate::graph::Compaction;
    use crate::{BlockGraph, BlockOptions, Device, Edge, Error, SlabOptions};

    /// A list of 5 neighbours, one of 3, and vertices without.
    fn two_lists(block: BlockOptions) -> Result<BlockGraph, Error> {
        let edge = |src, dst| Edge { src, dst, weight: () };
        let edges: Vec<_> = (1..6).map(|v| edge(0, v)).chain((2..5).map(|v| edge(1, v))).collect();
        let options = SlabOptions { block, ..SlabOptions::DEFAULT };
        BlockGraph::from_edges(&Device::cpu(), 10, &edges, &options)
    }

    fn memory(graph: &BlockGraph) -> Result<BlockMemory, Error> {
        let memory = graph.out_edges()?.memory()?;
        assert_eq!(memory.bytes(), graph.bytes());
        Ok(memory)
    }

    #[test]
    fn two_lists_of_8_keys_take_12_places_and_no_block_is_empty() -> Result<(), Error> {
        let found = memory(&two_lists(BlockOptions::DEFAULT)?)?;
        assert_eq!((found.keys, found.places_in_lists, found.places_in_arrays), (8, 12, 12));
        let sizes = [4, 8].map(|places| BlockSize { places, blocks: 1, in_lists: 1 });
        assert_eq!(found.sizes, sizes);
        assert_eq!((found.block_utilization(), found.array_utilization()), (8.0 / 12.0, 1.0));
        assert_eq!((found.record_bytes, found.list_bytes), (256, 48));
        Ok(())
    }

    #[test]
    fn a_build_takes_whole_arrays_if_these_are_larger_than_the_default() -> Result<(), Error> {
        let found = memory(&two_lists(BlockOptions { least: 4, array: 1 << 16 })?)?;
        assert_eq!((found.places_in_lists, found.places_in_arrays), (12, 2 << 16));
        let blocks: Vec<_> = found.sizes.iter().map(|size| (size.blocks, size.in_lists)).collect();
        assert_eq!(blocks, [(1 << 14, 1), (1 << 13, 1)]);
        Ok(())
    }

    #[test]
    fn a_block_larger_than_an_array_is_an_array_of_its_own() -> Result<(), Error> {
        let found = memory(&two_lists(BlockOptions { least: 1 << 14, array: 1 << 13 })?)?;
        assert_eq!((found.places_in_lists, found.places_in_arrays), (2 << 14, 2 << 14));
        Ok(())
    }

    #[test]
    fn whole_arrays_that_do_not_fit_become_as_few_blocks_as_lists_take() -> Result<(), Error> {
        let edge = Edge { src: 0, dst: 1, weight: () };
        let block = BlockOptions { least: 4, array: 1 << 16 };
        let options = SlabOptions { block, max_slabs: 8, ..SlabOptions::DEFAULT };
        let graph = BlockGraph::from_edges(&Device::cpu(), 2, &[edge], &options)?;
        assert_eq!(memory(&graph)?.places_in_arrays, 4);
        Ok(())
    }

    #[test]
    fn a_deleted_key_keeps_its_place_and_a_list_that_moves_leaves_an_empty_block()
    -> Result<(), Error> {
        let options = SlabOptions { compaction: Compaction::OnDemand, ..SlabOptions::DEFAULT };
        let edge = |src, dst| Edge { src, dst, weight: () };
        let edges = [1, 2, 3, 4].map(|v| edge(0, v));
        let mut graph = BlockGraph::from_edges(&Device::cpu(), 10, &edges, &options)?;
        graph.insert(&[edge(0, 5)])?;
        graph.delete(&[edge(0, 1)])?;
        let found = memory(&graph)?;
        assert_eq!((found.keys, found.deleted_keys, found.places_in_lists), (4, 1, 8));
        assert_eq!(found.sizes[0], BlockSize { places: 4, blocks: 1, in_lists: 0 });
        Ok(())
    }

    #[test]
    fn without_edges_nothing_is_empty() -> Result<(), Error> {
        let graph = BlockGraph::<()>::from_edges(&Device::cpu(), 3, &[], &SlabOptions::DEFAULT)?;
        let found = memory(&graph)?;
        assert_eq!((found.sizes.len(), found.block_utilization()), (0, 1.0));
        assert_eq!(found.array_utilization(), 1.0);
        Ok(())
    }
}
