//! How operators read what was inserted into a slab graph lately: as a graph whose lists begin
//! where the updates do.

use super::search::list_for;
use crate::Weight;
use crate::neighbors::{NOT_FOUND, Neighbors, Shape, UpdatedNeighbors};
use crate::scalar::select;
use crate::slab::{
    Graph, NEXT_LANE, NO_KEY, NULL_SLAB, SlabLists, TOMBSTONE_KEY, UpdatePointer, UpdatedSlabs,
};
use crate::view::{Atomic, DeviceSlice};
use meerkat_macros::device;
use std::marker::PhantomData;

#[device]
impl<W: Weight> UpdatedNeighbors for Graph<W> {
    type Updated = UpdatedSlabs<W>;

    fn updated(&self) -> UpdatedSlabs<W> {
        UpdatedSlabs {
            vertices: self.vertices,
            degrees: self.degrees,
            slabs: self.slabs,
            updates: self.updates,
            updated: self.updated,
            average_degree: self.average_degree,
            most_lists: self.most_lists,
            weight: PhantomData,
        }
    }
    #[host]
    fn tracks_updates(&self) -> bool {
        self.updates.len() != 0
    }
}

/// Where the updates of a list begin, by its first slab; nowhere if there are none.
#[device]
fn first_update(
    updated: DeviceSlice<Atomic<u32>>,
    updates: DeviceSlice<UpdatePointer>,
    head: u32,
) -> UpdatePointer {
    if updated[head].load() == 1 {
        updates[head]
    } else {
        UpdatePointer { slab: NULL_SLAB, lane: 0 }
    }
}

#[device]
impl<W: Weight> Neighbors for UpdatedSlabs<W> {
    type Carried = W;
    type Lists = SlabLists;
    type Chunk = UpdatePointer;

    fn degree_of(&self, v: u32) -> u32 {
        self.degrees[v].load()
    }
    fn bound_of(&self, _v: u32) -> u32 {
        u32::MAX
    }
    fn few_of(&self, _v: u32) -> u32 {
        // Few updates may lie behind many neighbours.
        u32::MAX
    }
    fn lists_of(&self, v: u32) -> SlabLists {
        self.vertices[v]
    }
    fn count_lists(&self, lists: SlabLists) -> u32 {
        lists.buckets
    }
    fn first_chunk(&self, lists: SlabLists, list: u32) -> UpdatePointer {
        first_update(self.updated, self.updates, lists.first + list)
    }
    fn is_chunk(&self, chunk: UpdatePointer) -> bool {
        chunk.slab != NULL_SLAB
    }
    fn words_of(&self, _chunk: UpdatePointer) -> u32 {
        32
    }
    fn read_word(&self, chunk: UpdatePointer, lane: u32) -> u32 {
        self.slabs[chunk.slab].cached_word(lane)
    }
    fn read_duo(&self, chunk: UpdatePointer, part: u32) -> [u32; 2] {
        self.slabs[chunk.slab].cached_duo(part)
    }
    fn read_quad(&self, chunk: UpdatePointer, part: u32) -> [u32; 4] {
        self.slabs[chunk.slab].cached_quad(part)
    }
    fn is_neighbor_at(&self, chunk: UpdatePointer, lane: u32, key: u32) -> bool {
        (W::KEY_LANES >> lane) & 1 == 1 && key < TOMBSTONE_KEY && lane >= chunk.lane
    }
    fn may_be_neighbor(&self, place: u32) -> bool {
        if W::IS_WEIGHTED { place % 2 == 0 } else { true }
    }
    fn weight_at(&self, chunk: UpdatePointer, lane: u32) -> W {
        // A weight follows its key.
        W::from_bits(self.slabs[chunk.slab].cached_word(lane | 1))
    }
    fn weights_of_duo(&self, _chunk: UpdatePointer, _part: u32, words: [u32; 2]) -> [u32; 2] {
        [words[1], words[1]]
    }
    fn weights_of_quad(&self, _chunk: UpdatePointer, _part: u32, words: [u32; 4]) -> [u32; 4] {
        [words[1], words[1], words[3], words[3]]
    }
    fn has_links(&self) -> bool {
        true
    }
    fn next_chunk(&self, _chunk: UpdatePointer, link: u32) -> UpdatePointer {
        UpdatePointer { slab: link, lane: 0 }
    }
    fn find(&self, src: u32, dst: u32) -> u64 {
        let mut chunk: UpdatePointer =
            first_update(self.updated, self.updates, list_for(self.vertices[src], dst));
        while chunk.slab != NULL_SLAB && dst < NO_KEY {
            for lane in 0..NEXT_LANE {
                let is_key = (W::KEY_LANES >> lane) & 1 == 1 && lane >= chunk.lane;
                if is_key && self.slabs[chunk.slab].cached_word(lane) == dst {
                    let after: u32 = self.slabs[chunk.slab].cached_word(lane + 1);
                    return select(W::IS_WEIGHTED, after, 0) as u64;
                }
            }
            let next: u32 = self.slabs[chunk.slab].cached_word(NEXT_LANE);
            chunk = UpdatePointer { slab: next, lane: 0 };
        }
        NOT_FOUND
    }
    #[host]
    fn shape(&self) -> Shape {
        let (average_degree, most_lists) = (self.average_degree, self.most_lists);
        Shape { vertices: self.vertices.len(), average_degree, most_lists }
    }
}
