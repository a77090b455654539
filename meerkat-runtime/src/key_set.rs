//! A set of keys in memory of the block: one group of lanes fills it, and then any of
//! them searches it without a read of device memory.
//!
//! Hashing with linear probing, at most half full. The array is a kernel's own
//! `block_shared`; sets of several warps lie side by side in it. A barrier of the group
//! (`warp_barrier`, `block_barrier`) belongs between clearing, inserting and searching.

use crate::scalar::*;
use crate::slab::EMPTY_KEY;
use crate::view::Atomic;
use meerkat_macros::{DeviceStruct, device};

/// What [`find_key`] returns for a key that is not there.
pub const NO_PLACE: u32 = u32::MAX;

/// Where a set lies in an array: a power of two of places.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct KeySet {
    /// Its first place.
    pub first: u32,
    /// How many places it has, less one.
    pub mask: u32,
    /// How far a hash of 32 bits is shifted to number a place.
    pub shift: u32,
}

#[device]
impl KeySet {
    /// A set for `keys` keys, a quarter full if it finds that much room, from `first`
    /// on. `room` is a power of two, from 2 to 2^30, and at least twice the keys.
    pub fn with_room(first: u32, room: u32, keys: u32) -> KeySet {
        let wanted = (keys * 4).max(2).min(room);
        let shift = (wanted - 1).leading_zeros();
        KeySet { first, mask: u32::MAX >> shift, shift }
    }
}

/// Empties the places that a lane of the set's group has to.
#[device]
pub fn clear_set(set: KeySet, places: &[Atomic<u32>], lane: u32, lanes: u32) {
    let mut at = lane;
    while at <= set.mask {
        places[set.first + at].store(EMPTY_KEY);
        at += lanes;
    }
}

/// Where a key is looked for first.
#[device]
fn first_place(set: KeySet, key: u32) -> u32 {
    let hash: u32 = key * 2654435769;
    hash >> set.shift
}

/// Inserts a key other than [`EMPTY_KEY`].
#[device]
pub fn insert_key(set: KeySet, places: &[Atomic<u32>], key: u32) {
    let mut at: u32 = first_place(set, key);
    let mut pending = true;
    while pending {
        let before = places[set.first + at].compare_and_swap(EMPTY_KEY, key);
        pending = before != EMPTY_KEY && before != key;
        at = (at + 1) & set.mask;
    }
}

/// The place of a key other than [`EMPTY_KEY`], or [`NO_PLACE`].
#[device]
pub fn find_key(set: KeySet, places: &[Atomic<u32>], key: u32) -> u32 {
    let at: u32 = first_place(set, key);
    find_from(set, places, key, at, places[set.first + at].load_shared())
}

/// [`find_key`] of four keys: the reads of their first places are under way together.
#[device]
pub fn find_keys(set: KeySet, places: &[Atomic<u32>], keys: [u32; 4]) -> [u32; 4] {
    let mut at = [0u32; 4];
    let mut there = [0u32; 4];
    for k in 0..4u32 {
        at[k] = first_place(set, keys[k]);
        there[k] = places[set.first + at[k]].load_shared();
    }
    for k in 0..4u32 {
        at[k] = find_from(set, places, keys[k], at[k], there[k]);
    }
    at
}

/// The place of a key, looked for from `first` on, where `found` was read.
#[device]
fn find_from(set: KeySet, places: &[Atomic<u32>], key: u32, first: u32, found: u32) -> u32 {
    let mut at = first;
    let mut there = found;
    while there != key && there != EMPTY_KEY {
        at = (at + 1) & set.mask;
        there = places[set.first + at].load_shared();
    }
    select(there == key, set.first + at, NO_PLACE)
}
