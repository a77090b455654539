//! Going through the words of a list, by a lane alone: 64 bytes at a time.

use super::layout::*;
use crate::Weight;
use crate::scalar::*;
use crate::view::{DeviceSlice, Slab};
use meerkat_macros::{DeviceStruct, device};

/// Where a lane is in a list.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub(super) struct Cursor {
    /// The first quad that it reads.
    pub(super) quad: u32,
    /// How many quads its record, slab or bucket has from there on.
    pub(super) left: u32,
    /// 1 in the record.
    pub(super) in_record: u32,
    /// How many buckets a hub has; 0 in another list.
    pub(super) buckets: u32,
    /// The bucket of a hub, and how many came before.
    pub(super) bucket: u32,
    pub(super) probes: u32,
    /// The first quad of the first bucket.
    pub(super) first: u32,
    /// How many of the largest slabs came before, and the class of this one.
    pub(super) depth: u32,
    pub(super) class: u32,
}

/// The record of a vertex, where records have `record` quads.
#[device]
pub(super) fn record_of(record: u32, vertex: u32) -> Cursor {
    Cursor {
        quad: vertex * record,
        left: record,
        in_record: 1,
        buckets: 0,
        bucket: 0,
        probes: 0,
        first: 0,
        depth: 0,
        class: 0,
    }
}

/// The words where a cursor is: `slabs` are the records if it is in one, else the pool. `is_fixed`
/// if nobody writes them in this launch.
#[device]
pub(super) fn read_at(slabs: DeviceSlice<Slab>, at: Cursor, is_fixed: bool) -> Words {
    let (slab, part) = (at.quad / 8, at.quad % 8);
    let mut words = Words {
        a: read_quad(slabs, slab, part, is_fixed),
        b: [TOMBSTONE; 4],
        c: [TOMBSTONE; 4],
        d: [TOMBSTONE; 4],
    };
    if at.left > 1 {
        words.b = read_quad(slabs, slab, part + 1, is_fixed);
    }
    if at.left > 2 {
        words.c = read_quad(slabs, slab, part + 2, is_fixed);
        words.d = read_quad(slabs, slab, part + 3, is_fixed);
    }
    words
}

#[device]
fn read_quad(slabs: DeviceSlice<Slab>, slab: u32, part: u32, is_fixed: bool) -> [u32; 4] {
    if is_fixed { slabs[slab].cached_quad(part) } else { slabs[slab].quad(part) }
}

/// The last four of the words where a cursor is.
#[device]
pub(super) fn last_quad(at: Cursor, words: Words) -> [u32; 4] {
    let mut last: [u32; 4] = words.d;
    if at.left == 2 {
        last = words.b;
    }
    if at.left == 1 {
        last = words.a;
    }
    last
}

/// The word at the end of a record or a slab, where a link may be; [`TOMBSTONE`] elsewhere.
#[device]
pub(super) fn link_at<W: Weight>(at: Cursor, last: [u32; 4]) -> u32 {
    let word: u32 = link_in::<W>(last);
    select(at.buckets == 0 && at.left <= 4, word, TOMBSTONE)
}

/// Whether a record is that of a hub, by its link: then its other words are no keys.
#[device]
pub(super) fn leads_to_hub(at: Cursor, link: u32) -> bool {
    at.in_record == 1 && is_link(link) && class_of(link) == HUB
}

/// The bucket of a key; `last` are the words at the end of the hub's record.
#[device]
pub(super) fn enter_hub(last: [u32; 4], link: u32, key: u32) -> Cursor {
    let buckets = last[HUB_BUCKETS];
    let bucket: u32 = bucket_for(key, buckets);
    let first: u32 = quad_of(link);
    Cursor {
        quad: first + bucket * BUCKET,
        left: BUCKET,
        in_record: 0,
        buckets,
        bucket,
        probes: 0,
        first,
        depth: 0,
        class: HUB,
    }
}

/// The last quad of a vertex's record.
#[device]
pub(super) fn end_of_record(record: u32, vertex: u32) -> u32 {
    vertex * record + record - 1
}

/// The next bucket.
#[device]
pub(super) fn next_bucket(at: Cursor) -> Cursor {
    let bucket = select(at.bucket + 1 == at.buckets, 0, at.bucket + 1);
    let mut next: Cursor = at;
    next.bucket = bucket;
    next.quad = at.first + bucket * BUCKET;
    next.probes = at.probes + 1;
    next
}

/// The slab that a link leads to.
#[device]
pub(super) fn follow(at: Cursor, link: u32) -> Cursor {
    let class: u32 = class_of(link);
    let mut next: Cursor = at;
    next.quad = quad_of(link);
    next.left = 1 << class;
    next.in_record = 0;
    next.depth = at.depth + (at.class == LARGEST) as u32;
    next.class = class;
    next
}

/// The other words of a slab.
#[device]
pub(super) fn rest_of_slab(at: Cursor) -> Cursor {
    let mut next: Cursor = at;
    next.quad = at.quad + 4;
    next.left = at.left - 4;
    next
}
