//! Sorting by a block: a network for powers of two (Batcher's bitonic sort), in place.

use super::layout::*;
use super::round::Round;
use super::view::Blocks;
use crate::Weight;
use crate::scalar::*;
use meerkat_macros::device;

/// The two places that a thread compares in a step of the network: the pair `i`, `bit` apart, and
/// whether these are to descend.
#[device]
pub(super) fn pair_of(i: u32, run: u32, bit: u32) -> (u32, u32, bool) {
    let low = (i / bit) * bit * 2 + i % bit;
    (low, low + bit, low & run != 0)
}

/// Sorts items from `start` on, of which there are `2^n`. Collective of the block.
#[device]
pub(super) fn sort_items(round: &Round, start: u32, count: u32) {
    let length: u32 = block_broadcast(count, 0);
    let mut run = block_broadcast(2u32, 0);
    while run <= length {
        let mut bit = block_broadcast(run / 2, 0);
        while bit > 0 {
            let mut i = block_thread_id();
            while i < length / 2 {
                let (low, high, descends): (u32, u32, bool) = pair_of(i, run, bit);
                let a = round.items[start + low].load();
                let b = round.items[start + high].load();
                if (a > b && !descends) || (a < b && descends) {
                    round.items[start + low].store(b);
                    round.items[start + high].store(a);
                }
                i += block_size();
            }
            block_barrier();
            bit = block_broadcast(bit / 2, 0);
        }
        run = block_broadcast(run * 2, 0);
    }
}

/// Sorts the words of a block, and the weights with them. Collective of the block.
#[device]
pub(super) fn sort_block<W: Weight>(graph: &Blocks<W>, site: Site) {
    let length: u32 = block_broadcast(site.places, 0);
    let mut run = block_broadcast(2u32, 0);
    while run <= length {
        let mut bit = block_broadcast(run / 2, 0);
        while bit > 0 {
            let mut i = block_thread_id();
            while i < length / 2 {
                let (low, high, descends): (u32, u32, bool) = pair_of(i, run, bit);
                let a: u32 = load_word(graph.blocks, site.first, low);
                let b: u32 = load_word(graph.blocks, site.first, high);
                if (a > b && !descends) || (a < b && descends) {
                    store_word(graph, site.first, low, b);
                    store_word(graph, site.first, high, a);
                    if W::IS_WEIGHTED {
                        let x: u32 = load_word(graph.blocks, site.first, site.places + low);
                        let y: u32 = load_word(graph.blocks, site.first, site.places + high);
                        store_word(graph, site.first, site.places + low, y);
                        store_word(graph, site.first, site.places + high, x);
                    }
                }
                i += block_size();
            }
            block_barrier();
            bit = block_broadcast(bit / 2, 0);
        }
        run = block_broadcast(run * 2, 0);
    }
}
