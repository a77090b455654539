//! What the words of compact slabs mean.
//!
//! ```text
//! record: key key key key            up to 4 neighbours (or 8)
//! record: key key key link ----> slab: key key key link ----> ..   slabs of 16 to 128 bytes
//! record: buckets degree state hub link ----> buckets of 64 bytes, probed one after another
//! ```
//!
//! With weights each key has its weight beside, so a place is two words, and links stand where
//! keys do.

use crate::Weight;
use crate::scalar::*;
use meerkat_macros::{DeviceStruct, device};

/// A place that holds no key yet. Behind it, in its list or bucket and in later ones, there is
/// none.
pub(super) const EMPTY: u32 = u32::MAX;
/// A place whose key was deleted.
pub(super) const TOMBSTONE: u32 = u32::MAX - 1;
/// The place of a link that is being made.
pub(super) const LOCKED: u32 = u32::MAX - 2;
/// From here on a word is no key.
pub(super) const NO_KEY: u32 = 1 << 31;
/// Ids of vertices are below: from [`NO_KEY`] on words are links and marks.
pub(super) const MOST_VERTICES: u32 = NO_KEY - 4;
/// From here on it is no link, either.
const NO_LINK: u32 = 15 << 28;
/// The bits of a link that number a slab among those of its size.
const NUMBER_BITS: u32 = 28;
/// How many slabs of a size there can be, and pairs of buckets.
pub(super) const MOST_NUMBERS: u64 = 1 << NUMBER_BITS;
/// The class of slabs of 128 bytes; class `c` has `16 << c`.
pub(super) const LARGEST: u32 = 3;
/// The class of links to the buckets of a hub, numbered in 128 bytes.
pub(super) const HUB: u32 = 4;
/// Quads (16 bytes) of a bucket.
pub(super) const BUCKET: u32 = 4;

/// Of the last four words of a hub's record: how many buckets there are.
pub(super) const HUB_BUCKETS: u32 = 0;
/// How many neighbours.
pub(super) const HUB_DEGREE: u32 = 1;

/// In a hub's record, beside the number of its tombstones: it is noted.
pub(super) const NOTED_HUB: u32 = 1 << 31;

/// Some words that are read one after another, and where.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct CompactChunk {
    /// Its first 16 bytes, by their number.
    pub(super) quad: u32,
    /// How many words: 0 where the list has ended.
    pub(super) words: u32,
    /// Whether they are a vertex's record, words of a slab, or buckets.
    pub(super) kind: u32,
}

/// Where the neighbours of a vertex are.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct CompactLists {
    /// The record, or the first buckets of a hub.
    pub(super) quad: u32,
    /// How many pairs of buckets a hub has; 0 of another vertex.
    pub(super) pairs: u32,
}

/// A chunk is a record.
pub(super) const OF_RECORD: u32 = 0;
/// A chunk is a slab.
pub(super) const OF_SLAB: u32 = 1;
/// A chunk is two buckets of a hub.
pub(super) const OF_HUB: u32 = 2;

/// Whether a word is a link.
#[device]
pub(super) fn is_link(word: u32) -> bool {
    word >= NO_KEY && word < NO_LINK
}

/// The class that a link leads to.
#[device]
pub(super) fn class_of(link: u32) -> u32 {
    (link >> NUMBER_BITS) & 7
}

/// The number of what a link leads to, in its class.
#[device]
pub(super) fn number_of(link: u32) -> u32 {
    link & ((1 << NUMBER_BITS) - 1)
}

/// A link.
#[device]
pub(super) fn link_to(class: u32, number: u32) -> u32 {
    NO_KEY | class << NUMBER_BITS | number
}

/// The first quad of what a link leads to.
#[device]
pub(super) fn quad_of(link: u32) -> u32 {
    let doubled: u32 = class_of(link).min(LARGEST);
    number_of(link) << doubled
}

/// The word of four that holds a link or, before there is one, the last key.
#[device]
pub(super) fn link_place<W: Weight>() -> u32 {
    if W::IS_WEIGHTED { 2u32 } else { 3u32 }
}

/// Of the last four words of a hub's record: how many tombstones it has, and [`NOTED_HUB`] once it is
/// noted as full.
#[device]
pub(super) fn state_place<W: Weight>() -> u32 {
    if W::IS_WEIGHTED { 3u32 } else { 2u32 }
}

/// How many keys so many buckets have room for.
#[device]
pub(super) fn places_of_hub<W: Weight>(buckets: u32) -> u64 {
    buckets as u64 * if W::IS_WEIGHTED { 8u64 } else { 16u64 }
}

/// The word that [`link_place`] names.
#[device]
pub(super) fn link_in<W: Weight>(quad: [u32; 4]) -> u32 {
    if W::IS_WEIGHTED { quad[2] } else { quad[3] }
}

/// Multiplicative hashing, twice, scaled to a number of buckets. Hubs of other sizes hash in another order: else
/// neighbours that come in the order of a larger hub, as another graph lists them, would fill the buckets
/// of this one from one end on.
#[device]
pub(super) fn bucket_for(key: u32, buckets: u32) -> u32 {
    let product: u32 = (key + buckets * 2246822507) * 2654435769;
    let hash: u32 = (product ^ (product >> 15)) * 2246822519;
    ((hash as u64 * buckets as u64) >> 32) as u32
}

/// Words of a record, a slab or a bucket that a lane reads at once: up to four quads.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub(super) struct Words {
    pub(super) a: [u32; 4],
    pub(super) b: [u32; 4],
    pub(super) c: [u32; 4],
    pub(super) d: [u32; 4],
}

/// No place of these holds a key; any place above is none, too.
pub(super) const NOWHERE: u32 = 64;

/// The place of a key among four words, or [`NOWHERE`].
#[device]
fn place_in_quad<W: Weight>(words: [u32; 4], key: u32) -> u32 {
    let third: u32 = select(words[2] == key, 2, NOWHERE);
    if W::IS_WEIGHTED {
        return select(words[0] == key, 0, third);
    }
    let last: u32 = select(words[3] == key, 3, NOWHERE);
    select(words[0] == key, 0, select(words[1] == key, 1, third.min(last)))
}

/// The first place of a key; [`NOWHERE`] or above if there is none.
#[device]
pub(super) fn place_of<W: Weight>(words: Words, key: u32) -> u32 {
    let a: u32 = place_in_quad::<W>(words.a, key);
    let b: u32 = place_in_quad::<W>(words.b, key);
    let c: u32 = place_in_quad::<W>(words.c, key);
    let d: u32 = place_in_quad::<W>(words.d, key);
    a.min(b + 4).min(c + 8).min(d + 12)
}
