//! Sorting by a block: a network for powers of two (Batcher's bitonic sort), in place. What is near to
//! each other is compared in the block's own memory.

use super::layout::*;
use crate::scalar::*;
use crate::view::{Atomic, DeviceSlice, Slab};
use meerkat_macros::{DeviceStruct, device};

/// How many numbers the block's memory has.
pub(super) const SPAN: u32 = 2048;

/// Numbers that can be sorted.
#[device]
pub(super) trait Sequence {
    fn number_at(&self, i: u32) -> u64;
    fn set_number(&self, i: u32, number: u64);
}

/// Items from `start` on.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub(super) struct Items {
    pub(super) items: DeviceSlice<Atomic<u64>>,
    pub(super) start: u32,
}

#[device]
impl Sequence for Items {
    fn number_at(&self, i: u32) -> u64 {
        self.items[self.start + i].load()
    }
    fn set_number(&self, i: u32, number: u64) {
        self.items[self.start + i].store(number);
    }
}

/// The keys of a block above their weights.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub(super) struct Keys {
    pub(super) blocks: DeviceSlice<Slab>,
    pub(super) site: Site,
    /// 1 or 0.
    pub(super) is_weighted: u32,
}

#[device]
impl Sequence for Keys {
    fn number_at(&self, i: u32) -> u64 {
        let key: u32 = load_word(self.blocks, self.site.first, i);
        let mut bits = 0u32;
        if self.is_weighted == 1 {
            bits = load_word(self.blocks, self.site.first, self.site.places + i);
        }
        (key as u64) << 32 | bits as u64
    }
    fn set_number(&self, i: u32, number: u64) {
        store_word(self.blocks, self.site.first, i, (number >> 32) as u32);
        if self.is_weighted == 1 {
            store_word(self.blocks, self.site.first, self.site.places + i, number as u32);
        }
    }
}

/// The two places that a thread compares in a step of the network, of which `i` is its number:
/// `bit` apart, and whether these are to descend.
#[device]
fn pair_of(i: u32, run: u32, bit: u32) -> (u32, u32, bool) {
    let low = i / bit * (bit * 2) + i % bit;
    (low, low + bit, low & run != 0)
}

/// Sorts `2^n` numbers. Collective of the block, whose `memory` it is.
#[device]
pub(super) fn sort<S: Sequence>(of: S, count: u32, memory: &[Atomic<u64>]) {
    let length: u32 = block_broadcast(count, 0);
    let span: u32 = block_broadcast(length.min(SPAN), 0);
    let mut base = block_broadcast(0u32, 0);
    while base < length {
        load_span(of, base, span, memory);
        let mut run = block_broadcast(2u32, 0);
        while run <= span {
            merge_span(base, span, run, run / 2, memory);
            run = block_broadcast(run * 2, 0);
        }
        store_span(of, base, span, memory);
        base = block_broadcast(base + span, 0);
    }
    let mut run = block_broadcast(span * 2, 0);
    // Behind the largest power of two there is 0.
    while run != 0 && run <= length {
        let mut bit = block_broadcast(run / 2, 0);
        while bit >= span {
            compare_far(of, length, run, bit);
            bit = block_broadcast(bit / 2, 0);
        }
        let mut base = block_broadcast(0u32, 0);
        while base < length {
            load_span(of, base, span, memory);
            merge_span(base, span, run, span / 2, memory);
            store_span(of, base, span, memory);
            base = block_broadcast(base + span, 0);
        }
        run = block_broadcast(run * 2, 0);
    }
}

/// A step of the network over all numbers. Collective of the block.
#[device]
fn compare_far<S: Sequence>(of: S, length: u32, run: u32, bit: u32) {
    let mut i = block_thread_id();
    while i < length / 2 {
        let (low, high, descends): (u32, u32, bool) = pair_of(i, run, bit);
        let a: u64 = of.number_at(low);
        let b: u64 = of.number_at(high);
        if (a > b && !descends) || (a < b && descends) {
            of.set_number(low, b);
            of.set_number(high, a);
        }
        i += block_size();
    }
    block_barrier();
}

/// The steps of a run from `first` on, over the span of numbers in the block's memory that begins at
/// `base`. Collective of the block.
#[device]
fn merge_span(base: u32, span: u32, run: u32, first: u32, memory: &[Atomic<u64>]) {
    let mut bit: u32 = block_broadcast(first, 0);
    while bit > 0 {
        let mut i = block_thread_id();
        while i < span / 2 {
            let (low, high, _descends): (u32, u32, bool) = pair_of(i, run, bit);
            let descends = (base + low) & run != 0;
            let a = memory[low].load();
            let b = memory[high].load();
            if (a > b && !descends) || (a < b && descends) {
                memory[low].store(b);
                memory[high].store(a);
            }
            i += block_size();
        }
        block_barrier();
        bit = block_broadcast(bit / 2, 0);
    }
}

/// Brings a span of numbers to the block's memory. Collective of the block.
#[device]
fn load_span<S: Sequence>(of: S, base: u32, span: u32, memory: &[Atomic<u64>]) {
    let mut i = block_thread_id();
    while i < span {
        memory[i].store(of.number_at(base + i));
        i += block_size();
    }
    block_barrier();
}

/// Brings a span of numbers back. Collective of the block.
#[device]
fn store_span<S: Sequence>(of: S, base: u32, span: u32, memory: &[Atomic<u64>]) {
    let mut i = block_thread_id();
    while i < span {
        of.set_number(base + i, memory[i].load());
        i += block_size();
    }
    block_barrier();
}
