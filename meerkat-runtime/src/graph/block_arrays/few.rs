//! Lists of up to 16 keys, in the registers of one lane.

use super::layout::*;
use crate::Weight;
use crate::scalar::*;
use crate::view::{DeviceSlice, Slab};
use meerkat_macros::{DeviceStruct, device};

/// How many keys these are.
pub(super) const FEW: u32 = 16;

/// Ascending keys, [`EMPTY`] behind the last, and the bits of their weights.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub(super) struct Few {
    pub(super) keys: [u32; 16],
    pub(super) bits: [u32; 16],
}

/// No keys.
#[device]
pub(super) fn no_keys() -> Few {
    Few { keys: [EMPTY; 16], bits: [0; 16] }
}

/// The first four times four words of a block, of which `used` count; others are `other`.
#[device]
fn load_words(blocks: DeviceSlice<Slab>, first: u32, used: u32, other: u32) -> [u32; 16] {
    let mut words: [u32; 16] = [other; 16];
    for quad in 0..4 {
        if quad * 4 < used {
            let at = first + quad;
            let own: [u32; 4] = blocks[at / 8].quad(at % 8);
            for j in 0..4 {
                words[quad * 4 + j] = select(quad * 4 + j < used, own[j], other);
            }
        }
    }
    words
}

/// The keys of a block that has up to 16, and their weights.
#[device]
pub(super) fn load_few<W: Weight>(blocks: DeviceSlice<Slab>, site: Site, used: u32) -> Few {
    let mut few: Few = no_keys();
    few.keys = load_words(blocks, site.first, used, EMPTY);
    if W::IS_WEIGHTED {
        few.bits = load_words(blocks, site.first + site.places / 4, used, 0);
    }
    few
}

/// Whether a key is one of these, deleted or not.
#[device]
pub(super) fn has_key(few: Few, key: u32) -> bool {
    let mut is_there = false;
    for j in 0..16 {
        is_there = is_there || few.keys[j] & KEY == key;
    }
    is_there
}

/// How many keys are below one.
#[device]
pub(super) fn keys_below(few: Few, key: u32) -> u32 {
    let mut below = 0u32;
    for j in 0..16 {
        below += (few.keys[j] & KEY < key) as u32;
    }
    below
}

/// With one more key, of which there were fewer than 16 and not this one.
#[device]
pub(super) fn with_key<W: Weight>(few: Few, key: u32, bits: u32) -> Few {
    let mut more: Few = few;
    for i in 0..15 {
        let j = 15 - i;
        let is_below = few.keys[j] & KEY < key;
        let comes_behind = few.keys[j - 1] & KEY < key;
        let moved = select(comes_behind, key, few.keys[j - 1]);
        more.keys[j] = select(is_below, few.keys[j], moved);
        if W::IS_WEIGHTED {
            let moved_bits = select(comes_behind, bits, few.bits[j - 1]);
            more.bits[j] = select(is_below, few.bits[j], moved_bits);
        }
    }
    let is_first = few.keys[0] & KEY > key;
    more.keys[0] = select(is_first, key, few.keys[0]);
    if W::IS_WEIGHTED {
        more.bits[0] = select(is_first, bits, few.bits[0]);
    }
    more
}

/// Writes words to a block, from the quad of the place `from` on, up to a multiple of four.
#[device]
fn store_words(blocks: DeviceSlice<Slab>, first: u32, words: [u32; 16], from: u32, used: u32) {
    for k in 0..4 {
        if k * 4 < used && k >= from / 4 {
            let quad = first + k;
            let four = [words[k * 4], words[k * 4 + 1], words[k * 4 + 2], words[k * 4 + 3]];
            blocks[quad / 8].store_quad(quad % 8, four);
        }
    }
}

/// Writes the first `used` keys and their weights to a block, from the place `from` on.
#[device]
pub(super) fn store_few<W: Weight>(
    blocks: DeviceSlice<Slab>,
    site: Site,
    few: Few,
    from: u32,
    used: u32,
) {
    store_words(blocks, site.first, few.keys, from, used);
    if W::IS_WEIGHTED {
        store_words(blocks, site.first + site.places / 4, few.bits, from, used);
    }
}
