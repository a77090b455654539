//! Laying lists out: how much each degree takes, and where it is.

use super::cursor::end_of_record;
use super::edges::CompactEdges;
use super::layout::*;
use super::pool::{CLASSES, Pool};
use super::take::slab_of_page;
use super::view::Compact;
use crate::device::DeviceBuffer;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::schedule::BLOCK_THREADS;
use crate::view::Atomic;
use crate::{Error, Weight};
use meerkat_macros::{DeviceStruct, device, kernel};

/// Lists of more words are in buckets.
const HUB_WORDS: u32 = 96;

/// What a list takes besides its record.
#[derive(Clone, Copy, Debug, DeviceStruct, PartialEq)]
#[repr(C)]
pub(super) struct Needs {
    /// Slabs of 128 bytes before the last slab.
    pub(super) largest: u32,
    /// 1 if there is a last slab, and its class.
    pub(super) lasts: u32,
    pub(super) class: u32,
    /// Pairs of buckets, of a hub.
    pub(super) pairs: u32,
}

/// Places of 16 bytes.
#[device]
pub(super) fn places_of_quad<W: Weight>() -> u32 {
    if W::IS_WEIGHTED { 2u32 } else { 4u32 }
}

/// The pairs of buckets that are `load` sixteenths full with this many neighbours.
#[device]
pub(super) fn pairs_of<W: Weight>(degree: u32, load: u32) -> u32 {
    let per_quad: u32 = places_of_quad::<W>();
    // A pair of buckets is 8 quads.
    let keys: u64 = (8 * per_quad * load) as u64;
    ((degree as u64 * 16 + keys - 1) / keys) as u32
}

/// What a list of this many neighbours takes, beside a record of `record` quads. Buckets are to be
/// `load` sixteenths full.
#[device]
pub(super) fn needs_of<W: Weight>(degree: u32, record: u32, load: u32) -> Needs {
    let per_quad: u32 = places_of_quad::<W>();
    let mut needs = Needs { largest: 0, lasts: 0, class: 0, pairs: 0 };
    let in_record = record * per_quad;
    if degree <= in_record {
        return needs;
    }
    if degree * (4 / per_quad) > HUB_WORDS {
        needs.pairs = pairs_of::<W>(degree, load);
        return needs;
    }
    // Of the record, and of each slab but the last, a place is the link's.
    let mut rest = degree - (in_record - 1);
    let most = 8 * per_quad;
    if rest > most {
        needs.largest = (rest - most + most - 2) / (most - 1);
        rest -= needs.largest * (most - 1);
    }
    needs.lasts = 1;
    while per_quad << needs.class < rest {
        needs.class += 1;
    }
    needs
}

/// The slabs of a class that a list takes.
#[device]
fn slabs_of(needs: Needs, class: u32) -> u32 {
    let last = select(needs.class == class, needs.lasts, 0);
    if class == HUB { needs.pairs } else { last + select(class == LARGEST, needs.largest, 0) }
}

/// Sums up what lists of some degrees take: slabs of each class, pairs of buckets; and the most
/// pairs of one vertex. Threads take one vertex after another.
#[kernel]
fn count_needs<W: Weight>(
    degrees: &[Atomic<u32>],
    record: u32,
    load: u32,
    threads: u32,
    totals: &[Atomic<u64>],
) {
    let mut v = thread_id();
    let mut sums = [0u64; 5];
    let mut most = 0u64;
    while v < degrees.len() {
        let needs: Needs = needs_of::<W>(degrees[v].load(), record, load);
        for class in 0..HUB + 1 {
            sums[class] += slabs_of(needs, class) as u64;
        }
        most = most.max(needs.pairs as u64);
        v += threads;
    }
    for class in 0..HUB + 1 {
        let all = block_reduce_sum(sums[class]);
        if block_thread_id() == 0 && all != 0 {
            totals[class].fetch_add(all);
        }
    }
    let most = block_reduce_max(most);
    if block_thread_id() == 0 {
        totals[HUB + 1].fetch_max(most);
    }
}

/// Gives each vertex the slabs that its degree asks for, linked one to another and empty, from the
/// slots of each class from 0 on; and the buckets, from `first_pair` on.
#[kernel]
fn link_lists<W: Weight>(
    graph: &Compact<W>,
    degrees: &[Atomic<u32>],
    load: u32,
    first_pair: u32,
    next: &[Atomic<u32>],
) {
    let v = thread_id();
    let mut needs: Needs = Needs { largest: 0, lasts: 0, class: 0, pairs: 0 };
    if v < degrees.len() {
        needs = needs_of::<W>(degrees[v].load(), graph.record, load);
    }
    let mut first_largest = 0u32;
    let mut last = 0u32;
    let mut pair = 0u32;
    for class in 0..HUB + 1 {
        let own: u32 = slabs_of(needs, class);
        let below = block_scan_sum(own);
        let all = block_reduce_sum(own);
        let mut first = 0u32;
        if block_thread_id() == 0 && all != 0 {
            first = next[class].fetch_add(all);
        }
        let base = block_broadcast(first, 0);
        if class == HUB {
            pair = first_pair + base + below;
        } else {
            if class == LARGEST {
                first_largest = base + below;
            }
            if class == needs.class {
                last = base + below + select(class == LARGEST, needs.largest, 0);
            }
        }
    }
    if v < degrees.len() {
        if needs.pairs != 0 {
            lay_out_hub(graph, v, pair, needs.pairs);
        } else if needs.lasts != 0 {
            let mut slab: u32 = slab_of_page(graph, needs.class, last);
            let mut link: u32 = link_to(needs.class, slab);
            for i in 0..needs.largest {
                slab = slab_of_page(graph, LARGEST, first_largest + i);
                // The place of the link at the end of 128 bytes.
                graph.pool[slab].word(28 + link_place::<W>()).store(link);
                link = link_to(LARGEST, slab);
            }
            let end: u32 = end_of_record(graph.record, v);
            graph.records[end / 8].word(end % 8 * 4 + link_place::<W>()).store(link);
        }
    }
}

/// Makes a vertex a hub without neighbours, whose buckets begin at a pair.
#[device]
pub(super) fn lay_out_hub<W: Weight>(graph: &Compact<W>, v: u32, pair: u32, pairs: u32) {
    let end: u32 = end_of_record(graph.record, v);
    let word = end % 8 * 4;
    graph.records[end / 8].word(word + HUB_BUCKETS).store(pairs * 2);
    graph.records[end / 8].word(word + HUB_DEGREE).store(0);
    graph.records[end / 8].word(word + state_place::<W>()).store(0);
    let link: u32 = link_to(HUB, pair);
    graph.records[end / 8].word(word + link_place::<W>()).store(link);
}

/// What the lists of a graph take, with records of one size.
pub(super) struct Plan {
    /// Quads of a record.
    pub(super) record: u32,
    /// Slabs of each class.
    slabs: [u64; CLASSES],
    /// Pairs of buckets.
    pairs: u64,
    /// The most of one vertex.
    pub(super) most_pairs: u32,
}

impl Plan {
    /// The plan for lists of these degrees: with weights records are of 32 bytes, without of 16, or of
    /// 32 where that takes hardly more memory and is read at once. Synchronises.
    pub(super) fn of<W: Weight>(
        degrees: &DeviceBuffer<Atomic<u32>>,
        load: u32,
    ) -> Result<Self, Error> {
        let vertices = degrees.len() as u64;
        let large = Self::with_record::<W>(degrees, 2, load)?;
        if W::IS_WEIGHTED {
            return Ok(large);
        }
        let small = Self::with_record::<W>(degrees, 1, load)?;
        let (of_small, of_large) = (small.bytes(vertices), large.bytes(vertices));
        Ok(if of_large <= of_small + of_small / MORE_FOR_LARGE { large } else { small })
    }

    fn with_record<W: Weight>(
        degrees: &DeviceBuffer<Atomic<u32>>,
        record: u32,
        load: u32,
    ) -> Result<Self, Error> {
        let device = degrees.device();
        let threads = (degrees.len() as u32).next_multiple_of(BLOCK_THREADS).min(COUNTING_THREADS);
        let totals = DeviceBuffer::<Atomic<u64>>::zeroed(device, HUB as usize + 2)?;
        count_needs::launch::<W>(device, threads, degrees, record, load, threads, &totals)?;
        let totals = totals.to_vec()?;
        Ok(Plan {
            record,
            slabs: std::array::from_fn(|class| totals[class]),
            pairs: totals[HUB as usize],
            most_pairs: totals[HUB as usize + 1] as u32,
        })
    }

    fn bytes(&self, vertices: u64) -> u64 {
        let of_class = |(class, count): (usize, &u64)| count << (4 + class);
        let slabs: u64 = self.slabs.iter().enumerate().map(of_class).sum();
        vertices * u64::from(self.record) * 16 + slabs + self.pairs * 128
    }

    /// A pool with what it says; the first pair of buckets.
    pub(super) fn pool(
        &self,
        degrees: &DeviceBuffer<Atomic<u32>>,
        limit: u32,
    ) -> Result<(Pool, u32), Error> {
        let mut pool = Pool::new(degrees.device(), degrees.len() as u32, limit)?;
        let first_pair = pool.map(self.slabs, self.pairs)?;
        pool.give_back_rest(first_pair + self.pairs as u32);
        pool.take_first(self.slabs)?;
        Ok((pool, first_pair))
    }
}

/// Threads that count what lists take, at most: they fill a large GPU.
const COUNTING_THREADS: u32 = 1 << 18;

/// Larger records may take this part more of all memory.
const MORE_FOR_LARGE: u64 = 20;

/// Links the empty lists of vertices to what a [`Plan`]'s pool has for them. Queued on CUDA.
pub(super) fn place<W: Weight>(
    edges: &CompactEdges<W>,
    degrees: &DeviceBuffer<Atomic<u32>>,
    load: u32,
    first_pair: u32,
) -> Result<(), Error> {
    let (device, threads) = (degrees.device(), degrees.len() as u32);
    let next = DeviceBuffer::<Atomic<u32>>::zeroed(device, HUB as usize + 1)?;
    link_lists::launch(device, threads, edges, degrees, load, first_pair, &next)
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![count_needs::info::<()>(), link_lists::info::<()>(), link_lists::info::<u32>()]
}
