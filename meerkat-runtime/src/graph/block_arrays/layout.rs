//! What the words of records and blocks mean.
//!
//! ```text
//! record: first used dead waiting
//!           '--> block of 2^k places: key key key .. | weight weight weight ..
//! ```
//!
//! The keys of a list ascend, those that were deleted among them. A list of `used` keys is in the
//! smallest block that holds them.

use super::view::Blocks;
use crate::Weight;
use crate::scalar::*;
use crate::view::{DeviceSlice, Slab};
use meerkat_macros::{DeviceStruct, device};

/// Of a record: the first 16 bytes of the block, by their number.
pub(super) const FIRST: u32 = 0;
/// How many keys the block has, those that were deleted too.
pub(super) const USED: u32 = 1;
/// How many of them were deleted; and [`NOTED`].
pub(super) const DEAD: u32 = 2;
/// During an insertion how many keys wait for their places, behind the mark of the last round in
/// which a lane was at the list alone ([`LOCK`]); then where they are listed. During a build how many
/// keys the block was taken for.
pub(super) const WAITING: u32 = 3;

/// The bits of [`WAITING`] that count.
pub(super) const ARRIVALS: u32 = (1 << 21) - 1;
/// The bit of it that says there is a mark; ten bits from [`ROUND`] on are of the round's number.
pub(super) const LOCK: u32 = 1 << 31;
pub(super) const ROUND: u32 = 21;

/// Whether a list is noted, to be tidied.
pub(super) const NOTED: u32 = 1 << 31;
/// No block.
pub(super) const NO_BLOCK: u32 = u32::MAX;
/// No key: behind the last, up to a multiple of four.
pub(super) const EMPTY: u32 = u32::MAX;
/// From here on a word is no key: a key that was deleted has this bit.
pub(super) const GONE: u32 = 1 << 31;
/// The bits of a key, deleted or not; above all keys for [`EMPTY`].
pub(super) const KEY: u32 = GONE - 1;
/// Ids of vertices are below.
pub(super) const MOST_VERTICES: u32 = GONE - 4;
/// How many sizes of blocks there are.
pub(super) const CLASSES: u32 = 30;

/// Where the neighbours of a vertex are.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct BlockList {
    /// The first 16 bytes of its block.
    pub(super) first: u32,
    /// How many keys it has.
    pub(super) used: u32,
}

/// Up to 32 keys of a list.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct BlockChunk {
    /// Its first 16 bytes, by their number.
    pub(super) quad: u32,
    /// How many words; 0 where the list has ended.
    pub(super) words: u32,
    /// The first 16 bytes of their weights, if there are weights.
    pub(super) weights: u32,
}

/// A block that a list has left.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub(super) struct Released {
    pub(super) first: u32,
    pub(super) class: u32,
}

/// The class of the block that holds a list: one of `2^(least + class)` places.
#[device]
pub(super) fn class_of(used: u32, least: u32) -> u32 {
    let above: u32 = (used.max(1) - 1) >> least;
    32 - above.leading_zeros()
}

/// How many places a block of a class has.
#[device]
pub(super) fn places_of(class: u32, least: u32) -> u32 {
    1u32 << (least + class)
}

/// How many times 16 bytes a block of a class has, by the exponent.
#[device]
pub(super) fn quad_bits<W: Weight>(class: u32, least: u32) -> u32 {
    least - 2 + class + if W::IS_WEIGHTED { 1u32 } else { 0u32 }
}

/// The four words of a record.
#[device]
pub(super) fn record_of<W: Weight>(graph: &Blocks<W>, v: u32) -> [u32; 4] {
    graph.records[v / 8].quad(v % 8)
}

/// A word of a record.
#[device]
pub(super) fn load_record<W: Weight>(graph: &Blocks<W>, v: u32, word: u32) -> u32 {
    graph.records[v / 8].word(v % 8 * 4 + word).load()
}

/// Changes a word of a record.
#[device]
pub(super) fn store_record<W: Weight>(graph: &Blocks<W>, v: u32, word: u32, value: u32) {
    graph.records[v / 8].word(v % 8 * 4 + word).store(value);
}

/// The word at a place of a block.
#[device]
pub(super) fn load_word(blocks: DeviceSlice<Slab>, first: u32, place: u32) -> u32 {
    let quad = first + place / 4;
    blocks[quad / 8].word(quad % 8 * 4 + place % 4).load()
}

/// The words at a place that is a multiple of four, and at the three after it.
#[device]
pub(super) fn quad_at(blocks: DeviceSlice<Slab>, first: u32, place: u32) -> [u32; 4] {
    let quad = first + place / 4;
    blocks[quad / 8].quad(quad % 8)
}

/// The word at a place, where nobody writes it in this launch.
#[device]
pub(super) fn cached_word(blocks: DeviceSlice<Slab>, first: u32, place: u32) -> u32 {
    let quad = first + place / 4;
    blocks[quad / 8].cached_word(quad % 8 * 4 + place % 4)
}

/// The words at the places `2 * part` and on, as [`cached_word`] reads.
#[device]
pub(super) fn cached_duo(blocks: DeviceSlice<Slab>, first: u32, part: u32) -> [u32; 2] {
    let quad = first + part / 2;
    blocks[quad / 8].cached_duo(quad % 8 * 2 + part % 2)
}

/// Changes the word at a place of a block.
#[device]
pub(super) fn store_word(blocks: DeviceSlice<Slab>, first: u32, place: u32, value: u32) {
    let quad = first + place / 4;
    blocks[quad / 8].word(quad % 8 * 4 + place % 4).store(value);
}

/// A block: where it begins, and how many places it has.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub(super) struct Site {
    pub(super) first: u32,
    pub(super) places: u32,
}

/// The block of a list.
#[device]
pub(super) fn site_of(first: u32, used: u32, least: u32) -> Site {
    let class: u32 = class_of(used, least);
    Site { first, places: places_of(class, least) }
}

/// Writes [`EMPTY`] behind the last key, up to a multiple of four.
#[device]
pub(super) fn end_list<W: Weight>(graph: &Blocks<W>, first: u32, used: u32) {
    let mut place = used;
    while place % 4 != 0 {
        store_word(graph.blocks, first, place, EMPTY);
        place += 1;
    }
}

/// Where a key is in a list, or belongs: the first place whose key is not below; and the word there,
/// or [`EMPTY`] behind the last. By a lane alone, four keys at a time.
///
/// Nobody moves a key in a launch that searches. One may be deleted meanwhile, or come back: who changes
/// a word compares and swaps it.
#[device]
pub(super) fn place_in(blocks: DeviceSlice<Slab>, list: BlockList, key: u32) -> (u32, u32) {
    if list.used == 0 {
        return (0, EMPTY);
    }
    let mut low = 0u32;
    let mut high = (list.used + 3) / 4;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let at = list.first + middle;
        let words: [u32; 4] = blocks[at / 8].cached_quad(at % 8);
        if words[0] & KEY <= key {
            low = middle;
        } else {
            high = middle;
        }
    }
    let quad = list.first + low;
    let words: [u32; 4] = blocks[quad / 8].cached_quad(quad % 8);
    let first = (words[0] & KEY < key) as u32 + (words[1] & KEY < key) as u32;
    let below = first + (words[2] & KEY < key) as u32 + (words[3] & KEY < key) as u32;
    let low_word: u32 = select(below == 0, words[0], words[1]);
    let high_word: u32 = select(below == 2, words[2], select(below == 3, words[3], EMPTY));
    (low * 4 + below, select(below < 2, low_word, high_word))
}
