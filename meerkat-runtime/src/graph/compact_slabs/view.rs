//! Compact slabs as kernels see them.

use super::cursor::Cursor;
use super::layout::*;
use super::search::search;
use crate::Weight;
use crate::neighbors::{NOT_FOUND, Neighbors, Shape, UpdatedNeighbors};
use crate::scalar::*;
use crate::view::{Atomic, DeviceSlice, Slab};
use meerkat_macros::{DeviceStruct, device};
use std::marker::PhantomData;

/// Compact slabs as operators read them; the host owns them as a
/// [`CompactGraph`](super::CompactGraph).
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct Compact<W: Weight = ()> {
    /// A record for each vertex, 8 quads to an element.
    pub(super) records: DeviceSlice<Slab>,
    /// Slabs of all sizes, and the buckets of hubs.
    pub(super) pool: DeviceSlice<Slab>,
    /// The pool: see `pool.rs`. Its counters, the pages of each class, slabs that were given back.
    pub(super) counters: DeviceSlice<Atomic<u32>>,
    pub(super) pages: DeviceSlice<u32>,
    pub(super) free: DeviceSlice<u32>,
    /// Of each class: how many slabs were given back when the counters began, and how many of its
    /// pages' were in use then.
    pub(super) given_back: [u32; 4],
    pub(super) fresh: [u32; 4],
    /// The first class of which there may be more slabs.
    pub(super) open: u32,
    pub(super) vertices: u32,
    /// Quads of a record: 1 or 2.
    pub(super) record: u32,
    pub(super) average_degree: u32,
    pub(super) most_lists: u32,
    /// The lists of the updates, and the quads of their records; 0 if they are not tracked.
    pub(super) updated_records: DeviceSlice<Slab>,
    pub(super) updated_pool: DeviceSlice<Slab>,
    pub(super) updated_record: u32,
    pub(super) weight: PhantomData<W>,
}

#[device]
impl<W: Weight> Neighbors for Compact<W> {
    type Carried = W;
    type Lists = CompactLists;
    type Chunk = CompactChunk;

    fn degree_of(&self, v: u32) -> u32 {
        let mut quad = v * self.record;
        let mut left = self.record;
        let mut in_records = true;
        let mut degree = 0u32;
        while left != 0 {
            let slabs = select(in_records, self.records, self.pool);
            let words: [u32; 4] = slabs[quad / 8].cached_quad(quad % 8);
            let link: u32 = link_in::<W>(words);
            let ends = left == 1;
            if in_records && ends && is_link(link) && class_of(link) == HUB {
                return words[1];
            }
            degree += keys_in::<W>(words);
            left -= 1;
            quad += 1;
            if ends && is_link(link) {
                in_records = false;
                quad = quad_of(link);
                left = 1 << class_of(link);
            }
        }
        degree
    }
    fn about_degree_of(&self, v: u32) -> u32 {
        let first = v * self.record;
        let mut last: [u32; 4] = [EMPTY; 4];
        let mut degree = 0u32;
        for i in 0..self.record {
            last = self.records[(first + i) / 8].cached_quad((first + i) % 8);
            degree += keys_in::<W>(last);
        }
        let link: u32 = link_in::<W>(last);
        // What comes next is taken for full, and for the last.
        let of_slab = degree + (4 << class_of(link)) / select(W::IS_WEIGHTED, 2, 1);
        let goes_on = select(class_of(link) == HUB, last[1], of_slab);
        select(is_link(link), goes_on, degree)
    }
    fn bound_of(&self, _v: u32) -> u32 {
        u32::MAX
    }
    fn few_of(&self, v: u32) -> u32 {
        let first = v * self.record;
        let mut degree = 0u32;
        let mut link = TOMBSTONE;
        for i in 0..self.record {
            let words: [u32; 4] = self.records[(first + i) / 8].cached_quad((first + i) % 8);
            degree += keys_in::<W>(words);
            link = link_in::<W>(words);
        }
        // A list that goes on with up to 32 bytes is not counted.
        let of_list = select(class_of(link) <= 1, u32::MAX - 1, u32::MAX);
        select(is_link(link), of_list, degree)
    }
    fn lists_of(&self, v: u32) -> CompactLists {
        let quad = v * self.record;
        let end = quad + self.record - 1;
        let last: [u32; 4] = self.records[end / 8].cached_quad(end % 8);
        let link: u32 = link_in::<W>(last);
        let is_hub = is_link(link) && class_of(link) == HUB;
        CompactLists {
            quad: select(is_hub, quad_of(link), quad),
            pairs: select(is_hub, last[0] / 2, 0),
        }
    }
    fn count_lists(&self, lists: CompactLists) -> u32 {
        lists.pairs.max(1)
    }
    fn first_chunk(&self, lists: CompactLists, list: u32) -> CompactChunk {
        let is_hub = lists.pairs != 0;
        CompactChunk {
            quad: lists.quad + select(is_hub, list * 8, 0),
            words: select(is_hub, 32, self.record * 4),
            kind: select(is_hub, OF_HUB, OF_RECORD),
        }
    }
    fn is_chunk(&self, chunk: CompactChunk) -> bool {
        chunk.words != 0
    }
    fn words_of(&self, chunk: CompactChunk) -> u32 {
        chunk.words
    }
    fn read_word(&self, chunk: CompactChunk, place: u32) -> u32 {
        if place < chunk.words {
            let slabs = select(chunk.kind == OF_RECORD, self.records, self.pool);
            let quad = chunk.quad + place / 4;
            slabs[quad / 8].cached_word(quad % 8 * 4 + place % 4)
        } else {
            EMPTY
        }
    }
    fn read_duo(&self, chunk: CompactChunk, part: u32) -> [u32; 2] {
        if part * 2 < chunk.words {
            let slabs = select(chunk.kind == OF_RECORD, self.records, self.pool);
            let quad = chunk.quad + part / 2;
            slabs[quad / 8].cached_duo(quad % 8 * 2 + part % 2)
        } else {
            [EMPTY; 2]
        }
    }
    fn read_quad(&self, chunk: CompactChunk, part: u32) -> [u32; 4] {
        if part * 4 < chunk.words {
            let slabs = select(chunk.kind == OF_RECORD, self.records, self.pool);
            let quad = chunk.quad + part;
            slabs[quad / 8].cached_quad(quad % 8)
        } else {
            [EMPTY; 4]
        }
    }
    fn is_neighbor_at(&self, _chunk: CompactChunk, place: u32, word: u32) -> bool {
        word < NO_KEY && (!W::IS_WEIGHTED || place % 2 == 0)
    }
    fn may_be_neighbor(&self, place: u32) -> bool {
        if W::IS_WEIGHTED { place % 2 == 0 } else { true }
    }
    fn weight_at(&self, chunk: CompactChunk, place: u32) -> W {
        // A weight follows its key.
        W::from_bits(self.read_word(chunk, place | 1))
    }
    fn weights_of_duo(&self, _chunk: CompactChunk, _part: u32, words: [u32; 2]) -> [u32; 2] {
        [words[1], words[1]]
    }
    fn weights_of_quad(&self, _chunk: CompactChunk, _part: u32, words: [u32; 4]) -> [u32; 4] {
        [words[1], words[1], words[3], words[3]]
    }
    fn has_links(&self) -> bool {
        true
    }
    fn link_place(&self, chunk: CompactChunk) -> u32 {
        chunk.words - 4 + link_place::<W>()
    }
    fn link_of_duo(&self, words: [u32; 2]) -> u32 {
        if W::IS_WEIGHTED { words[0] } else { words[1] }
    }
    fn link_of_quad(&self, words: [u32; 4]) -> u32 {
        link_in::<W>(words)
    }
    fn next_chunk(&self, chunk: CompactChunk, link: u32) -> CompactChunk {
        let goes_on = chunk.kind != OF_HUB && is_link(link);
        CompactChunk {
            quad: quad_of(link),
            words: select(goes_on, 4 << class_of(link), 0),
            kind: OF_SLAB,
        }
    }
    fn find(&self, src: u32, dst: u32) -> u64 {
        if dst >= NO_KEY {
            return NOT_FOUND;
        }
        let (at, place): (Cursor, u32) =
            search::<W>(self.records, self.pool, self.record, src, dst, true);
        if place >= NOWHERE {
            return NOT_FOUND;
        }
        if !W::IS_WEIGHTED {
            return 0u64;
        }
        let slabs = select(at.in_record == 1, self.records, self.pool);
        slabs[at.quad / 8].cached_word(at.quad % 8 * 4 + place + 1) as u64
    }
    #[host]
    fn shape(&self) -> Shape {
        let (average_degree, most_lists) = (self.average_degree, self.most_lists);
        Shape { vertices: self.vertices, average_degree, most_lists }
    }
    #[host]
    fn has_no_repeats(&self) -> bool {
        true
    }
}

#[device]
impl<W: Weight> UpdatedNeighbors for Compact<W> {
    type Updated = Compact<W>;

    fn updated(&self) -> Compact<W> {
        Compact {
            records: self.updated_records,
            pool: self.updated_pool,
            counters: self.counters,
            pages: self.pages,
            free: self.free,
            given_back: self.given_back,
            fresh: self.fresh,
            open: self.open,
            vertices: self.vertices,
            record: self.updated_record,
            average_degree: self.average_degree,
            most_lists: self.most_lists,
            updated_records: self.updated_records,
            updated_pool: self.updated_pool,
            updated_record: self.updated_record,
            weight: PhantomData,
        }
    }
    #[host]
    fn tracks_updates(&self) -> bool {
        self.updated_record != 0
    }
}

/// How many of four words are keys.
#[device]
pub(super) fn keys_in<W: Weight>(words: [u32; 4]) -> u32 {
    let even: u32 = (words[0] < NO_KEY) as u32 + (words[2] < NO_KEY) as u32;
    if W::IS_WEIGHTED {
        even
    } else {
        even + (words[1] < NO_KEY) as u32 + (words[3] < NO_KEY) as u32
    }
}
