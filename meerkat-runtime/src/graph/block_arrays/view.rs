//! Block arrays as kernels see them.

use super::layout::*;
use crate::Weight;
use crate::frontier::Frontier;
use crate::neighbors::{NOT_FOUND, Neighbors, Shape, UpdatedNeighbors};
use crate::view::{Atomic, DeviceSlice, Slab};
use meerkat_macros::{DeviceStruct, device};
use std::marker::PhantomData;

/// Block arrays as operators read them; the host owns them as a
/// [`BlockGraph`](super::BlockGraph).
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct Blocks<W: Weight = ()> {
    /// A record for each vertex, 8 to an element.
    pub(super) records: DeviceSlice<Slab>,
    /// The blocks of all sizes.
    pub(super) blocks: DeviceSlice<Slab>,
    /// Which blocks are not in use, and the notes: see `take.rs`.
    pub(super) shelves: DeviceSlice<Atomic<u32>>,
    /// The shelves once more, to be read through the cache where nobody puts anything there.
    pub(super) stock: DeviceSlice<u32>,
    pub(super) free: DeviceSlice<Atomic<u32>>,
    /// Lists that are to be tidied.
    pub(super) noted: Frontier<u32>,
    pub(super) vertices: u32,
    /// The exponent of the places of the least block.
    pub(super) least: u32,
    pub(super) average_degree: u32,
    pub(super) most_lists: u32,
    /// The lists of the updates, and whether they are tracked.
    pub(super) updated_records: DeviceSlice<Slab>,
    pub(super) updated_blocks: DeviceSlice<Slab>,
    pub(super) tracks_updates: u32,
    pub(super) weight: PhantomData<W>,
}

#[device]
impl<W: Weight> Neighbors for Blocks<W> {
    type Carried = W;
    type Lists = BlockList;
    type Chunk = BlockChunk;

    fn degree_of(&self, v: u32) -> u32 {
        let record: [u32; 4] = self.records[v / 8].cached_quad(v % 8);
        record[1] - (record[2] & KEY)
    }
    fn bound_of(&self, _v: u32) -> u32 {
        u32::MAX
    }
    fn bound_of_few(&self, _few: u32) -> u32 {
        u32::MAX
    }
    fn lists_of(&self, v: u32) -> BlockList {
        let record: [u32; 4] = self.records[v / 8].cached_quad(v % 8);
        BlockList { first: record[0], used: record[1] }
    }
    fn count_lists(&self, list: BlockList) -> u32 {
        // A chunk each, so that the lanes of a block share a long list.
        (list.used + 31) / 32
    }
    fn first_chunk(&self, list: BlockList, part: u32) -> BlockChunk {
        let places: u32 = places_of(class_of(list.used, self.least), self.least);
        let quad = list.first + part * 8;
        let words = ((list.used - part * 32).min(32) + 3) / 4 * 4;
        BlockChunk { quad, words, weights: quad + places / 4 }
    }
    fn is_chunk(&self, chunk: BlockChunk) -> bool {
        chunk.words != 0
    }
    fn words_of(&self, chunk: BlockChunk) -> u32 {
        chunk.words
    }
    fn read_word(&self, chunk: BlockChunk, place: u32) -> u32 {
        if place < chunk.words { cached_word(self.blocks, chunk.quad, place) } else { EMPTY }
    }
    fn read_duo(&self, chunk: BlockChunk, part: u32) -> [u32; 2] {
        if part * 2 < chunk.words { cached_duo(self.blocks, chunk.quad, part) } else { [EMPTY; 2] }
    }
    fn read_quad(&self, chunk: BlockChunk, part: u32) -> [u32; 4] {
        let quad = chunk.quad + part;
        if part * 4 < chunk.words {
            self.blocks[quad / 8].cached_quad(quad % 8)
        } else {
            [EMPTY; 4]
        }
    }
    fn is_neighbor_at(&self, _chunk: BlockChunk, _place: u32, word: u32) -> bool {
        word < GONE
    }
    fn weight_at(&self, chunk: BlockChunk, place: u32) -> W {
        if W::IS_WEIGHTED && place < chunk.words {
            W::from_bits(cached_word(self.blocks, chunk.weights, place))
        } else {
            W::ZERO
        }
    }
    fn weights_of_duo(&self, chunk: BlockChunk, part: u32, _keys: [u32; 2]) -> [u32; 2] {
        if W::IS_WEIGHTED && part * 2 < chunk.words {
            cached_duo(self.blocks, chunk.weights, part)
        } else {
            [0; 2]
        }
    }
    fn weights_of_quad(&self, chunk: BlockChunk, part: u32, _keys: [u32; 4]) -> [u32; 4] {
        let quad = chunk.weights + part;
        if W::IS_WEIGHTED && part * 4 < chunk.words {
            self.blocks[quad / 8].cached_quad(quad % 8)
        } else {
            [0; 4]
        }
    }
    fn next_chunk(&self, chunk: BlockChunk, _link: u32) -> BlockChunk {
        BlockChunk { quad: chunk.quad, words: 0, weights: chunk.weights }
    }
    fn find(&self, src: u32, dst: u32) -> u64 {
        // What stands behind the last key is no neighbour, not even of who asks for `u32::MAX`.
        if dst >= GONE {
            return NOT_FOUND;
        }
        let list: BlockList = self.lists_of(src);
        let (place, word): (u32, u32) = place_in(self.blocks, list, dst);
        if word != dst {
            return NOT_FOUND;
        }
        if !W::IS_WEIGHTED {
            return 0u64;
        }
        let places: u32 = places_of(class_of(list.used, self.least), self.least);
        cached_word(self.blocks, list.first, places + place) as u64
    }
    #[host]
    fn shape(&self) -> Shape {
        let (average_degree, most_lists) = (self.average_degree, self.most_lists);
        Shape { vertices: self.vertices, average_degree, most_lists }
    }
    #[host]
    fn ascends(&self) -> bool {
        true
    }
}

#[device]
impl<W: Weight> UpdatedNeighbors for Blocks<W> {
    type Updated = Blocks<W>;

    fn updated(&self) -> Blocks<W> {
        Blocks {
            records: self.updated_records,
            blocks: self.updated_blocks,
            shelves: self.shelves,
            stock: self.stock,
            free: self.free,
            noted: self.noted,
            vertices: self.vertices,
            least: self.least,
            average_degree: self.average_degree,
            most_lists: self.most_lists,
            updated_records: self.updated_records,
            updated_blocks: self.updated_blocks,
            tracks_updates: self.tracks_updates,
            weight: PhantomData,
        }
    }
    #[host]
    fn tracks_updates(&self) -> bool {
        self.tracks_updates != 0
    }
}
