//! Rows as operators read them.

use crate::Weight;
use crate::lanes::Lanes;
use crate::neighbors::{NOT_FOUND, Neighbors, Shape};
use crate::scalar::select;
use crate::view::{DeviceSlice, Slab};
use meerkat_macros::{DeviceStruct, device};
use std::marker::PhantomData;

/// Compressed sparse rows as operators read them; the host owns them as a
/// [`RowGraph`](super::RowGraph).
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct Rows<W: Weight = ()> {
    /// Where the row of each vertex begins, and at last where that of the last one ends; in `wide`
    /// where that is 2^32 or more.
    pub(super) narrow: DeviceSlice<u32>,
    pub(super) wide: DeviceSlice<u64>,
    /// The neighbours, 32 to a slab, for loads of 16 bytes.
    pub(super) keys: DeviceSlice<Slab>,
    /// The weight of each, if there are weights.
    pub(super) weights: DeviceSlice<Slab>,
    /// Whether each row ascends, and whether it names no neighbour twice: 1 or 0.
    pub(super) ascends: u32,
    pub(super) has_no_repeats: u32,
    pub(super) average_degree: u32,
    pub(super) most_lists: u32,
    pub(super) weight: PhantomData<W>,
}

/// A row: which of all neighbours are in it.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct Row {
    pub(super) first: u64,
    pub(super) end: u64,
}

/// Up to 32 words of a row, from a multiple of 4 on.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct RowChunk {
    /// Its first four words, by their number.
    pub(super) quad: u32,
    /// The first word that is in the row.
    pub(super) from: u32,
    /// The end of those that are; 0 where the row has ended.
    pub(super) end: u32,
}

/// Where a row begins.
#[device]
pub(super) fn offset_of(narrow: DeviceSlice<u32>, wide: DeviceSlice<u64>, row: u32) -> u64 {
    if wide.len() != 0 { wide[row] } else { narrow[row] as u64 }
}

#[device]
impl<W: Weight> Neighbors for Rows<W> {
    type Carried = W;
    type Lists = Row;
    type Chunk = RowChunk;

    fn degree_of(&self, v: u32) -> u32 {
        let first: u64 = offset_of(self.narrow, self.wide, v);
        (offset_of(self.narrow, self.wide, v + 1) - first) as u32
    }
    fn bound_of(&self, _v: u32) -> u32 {
        u32::MAX
    }
    fn bound_of_few(&self, _few: u32) -> u32 {
        u32::MAX
    }
    fn lists_of(&self, v: u32) -> Row {
        Row {
            first: offset_of(self.narrow, self.wide, v),
            end: offset_of(self.narrow, self.wide, v + 1),
        }
    }
    fn count_lists(&self, row: Row) -> u32 {
        // A chunk each, so that the lanes of a block share a long row.
        let begin: u64 = row.first / 4 * 4;
        select(row.first == row.end, 0, ((row.end - begin + 31) / 32) as u32)
    }
    fn first_chunk(&self, row: Row, list: u32) -> RowChunk {
        let begin: u64 = row.first / 4 * 4 + list as u64 * 32;
        let from = select(list == 0, (row.first % 4) as u32, 0);
        let end = (row.end - begin).min(32) as u32;
        RowChunk { quad: (begin / 4) as u32, from, end }
    }
    fn is_chunk(&self, chunk: RowChunk) -> bool {
        chunk.end != 0
    }
    fn words_of(&self, chunk: RowChunk) -> u32 {
        (chunk.end + 3) / 4 * 4
    }
    fn read_word(&self, chunk: RowChunk, place: u32) -> u32 {
        let quad = chunk.quad + place / 4;
        if place < chunk.end {
            self.keys[quad / 8].cached_word(quad % 8 * 4 + place % 4)
        } else {
            u32::MAX
        }
    }
    fn read_duo(&self, chunk: RowChunk, part: u32) -> [u32; 2] {
        let quad = chunk.quad + part / 2;
        if part * 2 < chunk.end {
            self.keys[quad / 8].cached_duo(quad % 8 * 2 + part % 2)
        } else {
            [u32::MAX; 2]
        }
    }
    fn read_quad(&self, chunk: RowChunk, part: u32) -> [u32; 4] {
        let quad = chunk.quad + part;
        if part * 4 < chunk.end { self.keys[quad / 8].cached_quad(quad % 8) } else { [u32::MAX; 4] }
    }
    fn is_neighbor_at(&self, chunk: RowChunk, place: u32, _word: u32) -> bool {
        place >= chunk.from && place < chunk.end
    }
    fn weight_at(&self, chunk: RowChunk, place: u32) -> W {
        let quad = chunk.quad + place / 4;
        if W::IS_WEIGHTED && place < chunk.end {
            W::from_bits(self.weights[quad / 8].cached_word(quad % 8 * 4 + place % 4))
        } else {
            W::ZERO
        }
    }
    fn weights_of_duo(&self, chunk: RowChunk, part: u32, _keys: [u32; 2]) -> [u32; 2] {
        let quad = chunk.quad + part / 2;
        if W::IS_WEIGHTED && part * 2 < chunk.end {
            self.weights[quad / 8].cached_duo(quad % 8 * 2 + part % 2)
        } else {
            [0; 2]
        }
    }
    fn weights_of_quad(&self, chunk: RowChunk, part: u32, _keys: [u32; 4]) -> [u32; 4] {
        let quad = chunk.quad + part;
        if W::IS_WEIGHTED && part * 4 < chunk.end {
            self.weights[quad / 8].cached_quad(quad % 8)
        } else {
            [0; 4]
        }
    }
    fn next_chunk(&self, chunk: RowChunk, _link: u32) -> RowChunk {
        RowChunk { quad: chunk.quad, from: 0, end: 0 }
    }
    fn find(&self, src: u32, dst: u32) -> u64 {
        let mut low: u64 = offset_of(self.narrow, self.wide, src);
        let mut high: u64 = offset_of(self.narrow, self.wide, src + 1);
        // Of a row that ascends the half that it could be in, again and again.
        while self.ascends == 1 && high - low > 4 {
            let middle = low + (high - low) / 2;
            let key: u32 = self.keys[(middle / 32) as u32].cached_word((middle % 32) as u32);
            if key > dst {
                high = middle;
            } else {
                low = middle;
            }
        }
        while low < high {
            let (slab, lane) = ((low / 32) as u32, (low % 32) as u32);
            if self.keys[slab].cached_word(lane) == dst {
                return if W::IS_WEIGHTED {
                    self.weights[slab].cached_word(lane) as u64
                } else {
                    0u64
                };
            }
            low += 1;
        }
        NOT_FOUND
    }
    #[host]
    fn shape(&self) -> Shape {
        Shape {
            vertices: self.narrow.len().max(self.wide.len()).saturating_sub(1),
            average_degree: self.average_degree,
            most_lists: self.most_lists,
        }
    }
    #[host]
    fn ascends(&self) -> bool {
        self.ascends == 1
    }
    #[host]
    fn has_no_repeats(&self) -> bool {
        self.has_no_repeats == 1
    }
    #[host]
    fn row(&self, chunk: RowChunk, mask: u32) -> Lanes<u32> {
        let slab = self.keys.at(chunk.quad / 8);
        if chunk.quad.is_multiple_of(8) {
            return slab.row(mask);
        }
        Lanes::active(mask, |lane| self.read_word(chunk, lane as u32))
    }
}
