//! The pool of slabs.
//!
//! Its slabs are in a row of slots: first those that were given back, then those that
//! were never in use. Many lanes take slots at once, so the slots are counted by 32
//! counters, each on a line of its own: counter `s` counts the slots
//! `s`, `s + 32`, `s + 64` and so on. A lane whose counter has run out asks the
//! others. Slabs are given back between launches only, so there is no list to
//! pop from and nothing to confuse.

use super::MAX_VERTICES;
use super::slots::Slots;
use crate::device::{Device, DeviceBuffer, Words};
use crate::scalar::*;
use crate::slab::{Graph, LOCKED_SLAB, NEXT_LANE, NULL_SLAB};
use crate::view::Atomic;
use crate::{Error, ErrorKind, Weight};
use meerkat_macros::device;

/// How many counters there are.
const COUNTERS: u32 = 32;
/// Words from one counter to the next: 128 bytes.
const STRIDE: u32 = 32;
/// The word that says whether the pool ran out.
const EXHAUSTED: u32 = COUNTERS * STRIDE;
/// The word that says whether an insertion gave up in a long list.
const GIVEN_UP: u32 = EXHAUSTED + 1;
/// From this number of slabs on, a list may be long: laid out, it has one, or two where many keys
/// have one hash.
pub(super) const LONG_LIST: u32 = 2;
/// Of a vertex that has fewer lists than this, one is long that has a slab more, so that lists which are long by
/// chance are not noted. (So a hub of up to some 60,000 neighbours is laid out for four times as many, of which ten
/// batches of 10,000 meet two, and a larger one for twice as many: triangles that follow it take up to 1.13 ms a batch
/// then, and took 1.39. One H200, docs/BENCHMARKS.md, "A window that slides".)
const MANY_LISTS: u32 = 2048;
/// The word that says how often a list was found long; whose follow.
const LONG_LISTS: u32 = EXHAUSTED + 2;
/// How many vertices with long lists are noted; others are when their lists have grown on.
const MOST_NOTED: u32 = 1024;
/// All words.
const WORDS: u32 = LONG_LISTS + 1 + MOST_NOTED;

/// The word of the counter of a slot.
#[device]
pub(super) fn counter_of(slot: u32) -> u32 {
    slot % COUNTERS * STRIDE
}

/// How many slots of its counter are before a slot.
#[device]
pub(super) fn index_at_counter(slot: u32) -> u32 {
    slot / COUNTERS
}

/// Takes a slab out of the pool; [`NULL_SLAB`] if there is none.
#[device]
pub(super) fn take_slab<W: Weight>(graph: &Graph<W>) -> u32 {
    let free: u64 = graph.free.len() as u64;
    let mut slab = NULL_SLAB;
    let mut counter = global_warp_id() % COUNTERS;
    let mut asked = 0u32;
    while asked < COUNTERS && slab == NULL_SLAB && graph.pool[EXHAUSTED].load() == 0 {
        let count = graph.pool[counter * STRIDE].fetch_add(1);
        let slot: u64 = count as u64 * COUNTERS as u64 + counter as u64;
        if slot < free {
            slab = graph.free[slot as u32];
        } else if slot - free < (graph.slabs.len() - graph.fresh) as u64 {
            slab = graph.fresh + (slot - free) as u32;
        }
        counter = (counter + 1) % COUNTERS;
        asked += 1;
    }
    if slab == NULL_SLAB {
        graph.pool[EXHAUSTED].store(1);
    }
    slab
}

/// Says that an insertion gave up in a long list.
#[device]
pub(super) fn give_up<W: Weight>(graph: &Graph<W>) {
    graph.pool[GIVEN_UP].store(1);
}

/// Whether a list of a vertex is long, which begins at `head` and has [`LONG_LIST`] slabs or more.
#[device]
fn is_long<W: Weight>(graph: &Graph<W>, vertex: u32, head: u32) -> bool {
    let mut slab = head;
    let mut slabs = 0u32;
    while slabs <= LONG_LIST && slab != NULL_SLAB && slab != LOCKED_SLAB {
        slab = graph.slabs[slab].word(NEXT_LANE).load();
        slabs += 1;
    }
    graph.vertices[vertex].buckets >= MANY_LISTS || slab != NULL_SLAB && slab != LOCKED_SLAB
}

/// Notes a vertex if a list of it is long, which begins at `head` and has [`LONG_LIST`] slabs or more.
#[device]
pub(super) fn note_long_list<W: Weight>(graph: &Graph<W>, vertex: u32, head: u32) {
    if is_long(graph, vertex, head) && graph.pool[LONG_LISTS].load() < MOST_NOTED {
        let at = graph.pool[LONG_LISTS].fetch_add(1);
        if at < MOST_NOTED {
            graph.pool[LONG_LISTS + 1 + at].store(vertex);
        }
    }
}

/// The host's side of the pool.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) counters: DeviceBuffer<Atomic<u32>>,
    pub(super) free: DeviceBuffer<u32>,
    /// The first slab that was never in use when the counters began.
    pub(super) fresh: u32,
}

/// The slots of a pool that begins again.
pub(super) struct FreeSlots {
    pub(super) free: DeviceBuffer<u32>,
    pub(super) fresh: u32,
}

/// The first slots: behind them, no lane took one.
pub(super) struct Begun {
    pub(super) slots: u32,
    /// How many of them no lane took.
    pub(super) left: usize,
    /// The first slab that was never in use.
    pub(super) fresh: u32,
}

impl Pool {
    /// A pool of the slabs from `fresh` on.
    pub(super) fn new(device: &Device, fresh: u32) -> Result<Self, Error> {
        let counters = DeviceBuffer::zeroed(device, WORDS as usize)?;
        Ok(Pool { counters, free: DeviceBuffer::zeroed(device, 0)?, fresh })
    }

    /// The words that insertions may leave: not 0 if a lane found no slab, if one gave up in a
    /// long list, and if one found such a list.
    pub(super) fn found(&self) -> Words<'_> {
        (&self.counters, EXHAUSTED as usize..LONG_LISTS as usize + 1)
    }

    /// The vertices that are noted, each once; none are from now on. Synchronises.
    pub(super) fn take_long_lists(&mut self) -> Result<Vec<u32>, Error> {
        let noted = LONG_LISTS as usize;
        let words = self.counters.read(noted, WORDS as usize - noted)?;
        self.counters.write(GIVEN_UP as usize, &[0, 0])?;
        let mut vertices = words[1..][..words[0].min(MOST_NOTED) as usize].to_vec();
        vertices.sort_unstable();
        vertices.dedup();
        Ok(vertices)
    }

    /// Goes on with the slabs that are left, after a lane found none, or gave up: for insertions
    /// that need fewer. Takes no memory. Queued on CUDA.
    pub(super) fn forget_exhaustion(&mut self) -> Result<(), Error> {
        self.counters.write(EXHAUSTED as usize, &[0, 0])
    }

    /// How many of `slabs` slabs are in use. Synchronises.
    pub(super) fn slabs_in_use(&self, slabs: u32) -> Result<u32, Error> {
        let before = u64::from(self.fresh) - self.free.len() as u64;
        Ok((before + self.slots(slabs)?.taken()) as u32)
    }

    /// The slabs of `slabs` that are not in use. Synchronises.
    pub(super) fn unused_slabs(&self, slabs: u32) -> Result<Vec<u32>, Error> {
        let (slots, free) = (self.slots(slabs)?, self.free.to_vec()?);
        let slab = |slot: u64| match slot.checked_sub(free.len() as u64) {
            None => free[slot as usize],
            Some(after) => self.fresh + after as u32,
        };
        Ok(slots.untaken().map(slab).collect())
    }

    /// Bytes of device memory.
    pub(super) fn bytes(&self) -> u64 {
        self.counters.bytes() + self.free.bytes()
    }

    /// Which of `slabs` slabs were begun. Synchronises.
    pub(super) fn begun(&self, slabs: u32) -> Result<Begun, Error> {
        let (slots, free) = (self.slots(slabs)?, self.free.len() as u64);
        // Slots that were passed over lie below the last one taken; free slabs may lie above.
        let end = slots.begun().max(free);
        let (left, fresh) = (end - slots.taken(), self.fresh + (end - free) as u32);
        Ok(Begun { slots: end as u32, left: left as usize, fresh })
    }

    /// Goes on with these slots, and with all slabs that follow. Takes no memory. Queued on CUDA.
    pub(super) fn begin_again(&mut self, slots: FreeSlots) -> Result<(), Error> {
        FreeSlots { free: self.free, fresh: self.fresh } = slots;
        // Long lists stay noted, and who gave up in them.
        self.counters.write(0, &[0; EXHAUSTED as usize + 1])
    }

    fn slots(&self, slabs: u32) -> Result<Slots, Error> {
        let there = self.free.len() as u64 + u64::from(slabs - self.fresh);
        let words = self.counters.read(0, EXHAUSTED as usize)?;
        let asked = words.chunks_exact(STRIDE as usize).map(|words| u64::from(words[0]));
        Ok(Slots { there, asked: asked.collect() })
    }
}

/// Slabs are numbered by `u32`, and the numbers above are marks.
pub(super) fn check_slab_count(slabs: u64) -> Result<(), Error> {
    if slabs > MAX_VERTICES { Err(ErrorKind::TooManySlabs { slabs }.into()) } else { Ok(()) }
}
