//! How operators read the slab graph: a chunk of a slab list is a slab.

use super::search::{holds, keys_of, list_for};
use crate::Weight;
use crate::lanes::Lanes;
use crate::neighbors::{NOT_FOUND, Neighbors, Shape};
use crate::scalar::select;
use crate::slab::{EMPTY_KEY, Graph, NO_KEY, NULL_SLAB, SlabLists, TOMBSTONE_KEY};
use meerkat_macros::device;

#[device]
impl<W: Weight> Neighbors for Graph<W> {
    type Carried = W;
    type Lists = SlabLists;
    type Chunk = u32;

    fn degree_of(&self, v: u32) -> u32 {
        self.degrees[v].load()
    }
    fn lists_of(&self, v: u32) -> SlabLists {
        self.vertices[v]
    }
    fn count_lists(&self, lists: SlabLists) -> u32 {
        lists.buckets
    }
    fn first_chunk(&self, lists: SlabLists, list: u32) -> u32 {
        lists.first + list
    }
    fn is_chunk(&self, slab: u32) -> bool {
        slab != NULL_SLAB
    }
    fn words_of(&self, _slab: u32) -> u32 {
        32
    }
    fn read_word(&self, slab: u32, lane: u32) -> u32 {
        self.slabs[slab].cached_word(lane)
    }
    fn read_duo(&self, slab: u32, part: u32) -> [u32; 2] {
        self.slabs[slab].cached_duo(part)
    }
    fn read_quad(&self, slab: u32, part: u32) -> [u32; 4] {
        self.slabs[slab].cached_quad(part)
    }
    fn is_neighbor_at(&self, _slab: u32, lane: u32, key: u32) -> bool {
        (W::KEY_LANES >> lane) & 1 == 1 && key < TOMBSTONE_KEY
    }
    fn may_be_neighbor(&self, place: u32) -> bool {
        if W::IS_WEIGHTED { place % 2 == 0 } else { true }
    }
    fn weight_at(&self, slab: u32, lane: u32) -> W {
        // A weight follows its key.
        W::from_bits(self.slabs[slab].cached_word(lane | 1))
    }
    fn weights_of_duo(&self, _slab: u32, _part: u32, words: [u32; 2]) -> [u32; 2] {
        [words[1], words[1]]
    }
    fn weights_of_quad(&self, _slab: u32, _part: u32, words: [u32; 4]) -> [u32; 4] {
        [words[1], words[1], words[3], words[3]]
    }
    fn has_links(&self) -> bool {
        true
    }
    fn next_chunk(&self, _slab: u32, link: u32) -> u32 {
        link
    }
    fn find(&self, src: u32, dst: u32) -> u64 {
        // Empty places and tombstones are no neighbours, not even of who asks for `u32::MAX`.
        let mut slab = select(dst < NO_KEY, list_for(self.vertices[src], dst), NULL_SLAB);
        while slab != NULL_SLAB {
            let mut next = NULL_SLAB;
            for part in 0..8u32 {
                let words = self.slabs[slab].cached_quad(part);
                let keys = keys_of::<W>(words, part);
                if holds(keys, dst) {
                    // A weight follows its key.
                    return if W::IS_WEIGHTED {
                        select(keys[0] == dst, words[1], words[3]) as u64
                    } else {
                        0u64
                    };
                }
                // Behind an empty place all are empty.
                if words[0] == EMPTY_KEY {
                    return NOT_FOUND;
                }
                next = words[3];
            }
            slab = next;
        }
        NOT_FOUND
    }
    #[host]
    fn shape(&self) -> Shape {
        let (average_degree, most_lists) = (self.average_degree, self.most_lists);
        Shape { vertices: self.vertices.len(), average_degree, most_lists }
    }
    #[host]
    fn has_no_repeats(&self) -> bool {
        true
    }
    #[host]
    fn row(&self, slab: u32, mask: u32) -> Lanes<u32> {
        self.slabs.at(slab).row(mask)
    }
}
