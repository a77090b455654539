//! The pool: slabs of four sizes in pages of 4 KiB, one size to a page, and the buckets of hubs.
//!
//! The host's side; lanes take slabs in `take.rs`. `pool/pairs.rs` has the rows of buckets, `pool/sizes.rs` what
//! happens where slabs of a size have no numbers left.

mod pairs;
mod sizes;
#[cfg(test)]
mod tests;

use super::areas::Areas;
use super::layout::*;
use super::take::*;
use crate::device::{Device, DeviceBuffer, Words};
use crate::graph::slots::Slots;
use crate::view::{Atomic, Slab};
use crate::{Error, ErrorKind};

/// The host's side of the pool.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) slabs: DeviceBuffer<Slab>,
    pub(super) counters: DeviceBuffer<Atomic<u32>>,
    pub(super) pages: DeviceBuffer<u32>,
    pub(super) free: DeviceBuffer<u32>,
    /// The pages of each class.
    table: [Vec<u32>; CLASSES],
    /// How many slabs of each class the counters hand out first: those of `free`.
    pub(super) given_back: [u32; CLASSES],
    /// How many slabs of its pages were in use when the counters began.
    pub(super) fresh: [u32; CLASSES],
    /// Whether slabs that were given up could not be listed: they are in no list and not free.
    pub(super) has_lost: bool,
    /// Pairs of buckets that are not in use.
    areas: Areas,
    /// 128 bytes of the pool that are pages or buckets.
    used: u64,
    /// How many there may be.
    limit: u32,
    /// The first class that may get more pages.
    pub(super) open: u32,
    /// How many slabs of a class have numbers: fewer in tests than [`MOST_NUMBERS`].
    numbers: u64,
}

/// The list of slabs that were given back grows by so many words, 4 KiB.
pub(super) const FREE_AT_ONCE: usize = 1024;
/// How many noted vertices the first copy has room for.
const NOTED_TOGETHER: usize = 255;
/// How many sizes of slabs there are.
pub(super) const CLASSES: usize = LARGEST as usize + 1;

/// Of a class: the slots that were begun, how many of them no lane took, and where the pages go on
/// behind them.
pub(super) struct Begun {
    pub(super) slots: u64,
    pub(super) left: u64,
    pub(super) fresh: u32,
}

impl Pool {
    /// A pool of nothing, for the lists of so many vertices, of at most `limit` slabs of 128 bytes.
    pub(super) fn new(device: &Device, vertices: u32, limit: u32) -> Result<Self, Error> {
        let words = NOTED + 1 + MOST_NOTED.max(vertices / 32);
        Ok(Pool {
            slabs: DeviceBuffer::growable(device, 0, u8::MAX)?,
            counters: DeviceBuffer::zeroed(device, words as usize)?,
            pages: DeviceBuffer::empty(device),
            free: DeviceBuffer::empty(device),
            table: Default::default(),
            given_back: [0; CLASSES],
            fresh: [0; CLASSES],
            has_lost: false,
            areas: Areas::default(),
            used: 0,
            limit,
            open: 0,
            numbers: MOST_NUMBERS,
        })
    }

    /// Bytes of device memory.
    pub(super) fn bytes(&self) -> u64 {
        let tables = self.counters.bytes() + self.pages.bytes() + self.free.bytes();
        self.slabs.bytes() + tables
    }

    /// Pages for so many more slabs of each class, and room for so many pairs of buckets in a row:
    /// the first. If there is no memory, the pool is as it was. Queued on CUDA.
    pub(super) fn map(&mut self, slabs: [u64; CLASSES], pairs: u64) -> Result<u32, Error> {
        if slabs == [0; CLASSES] && pairs == 0 {
            // What there is may be a page beyond the limit, by rounding.
            return Ok(self.used as u32);
        }
        let mut pages: [u64; CLASSES] =
            std::array::from_fn(|class| slabs[class].div_ceil(1 << (PAGE_BITS - class as u32)));
        let again = self.pages_again(&mut pages);
        let mapped = self.map_pages(pages, &again, pairs);
        if mapped.is_err() {
            for page in again.into_iter().flatten() {
                self.areas.give_back(page * PAGE, PAGE);
            }
        }
        mapped
    }

    /// Takes pages out of rows of pairs that are not in use, as many of each class as there are.
    fn pages_again(&mut self, pages: &mut [u64; CLASSES]) -> [Vec<u32>; CLASSES] {
        std::array::from_fn(|class| {
            let mut again = Vec::new();
            while pages[class] > 0 {
                let Some(first) = self.areas.take_aligned(PAGE) else { break };
                let page = first / PAGE;
                if u64::from(page) >= self.most_pages(class) {
                    self.areas.give_back(first, PAGE);
                    break;
                }
                again.push(page);
                pages[class] -= 1;
            }
            again
        })
    }

    /// [`map`](Self::map) by whole pages, and with those of each class that are there.
    fn map_pages(
        &mut self,
        pages: [u64; CLASSES],
        again: &[Vec<u32>; CLASSES],
        pairs: u64,
    ) -> Result<u32, Error> {
        let all = pages.iter().fold(0u64, |sum, &count| sum.saturating_add(count));
        let first = self.used.saturating_add(all.saturating_mul(PAGE.into()));
        let used = first.saturating_add(pairs);
        // The last slab of each class, and the last pair, must have a number.
        let mut end = self.used / u64::from(PAGE);
        let mut is_numbered = used <= self.numbers;
        for (class, &count) in pages.iter().enumerate() {
            end = end.saturating_add(count);
            is_numbered &= count == 0 || end <= self.most_pages(class);
        }
        if !is_numbered {
            return Err(ErrorKind::TooManyCompactSlabs { bytes: used.saturating_mul(128) }.into());
        }
        if used > u64::from(self.limit) {
            return Err(ErrorKind::SlabLimit { slabs: used, limit: self.limit }.into());
        }
        // Pages begin at a multiple of their size.
        debug_assert!(self.used.is_multiple_of(PAGE.into()));
        let mut page = (self.used / u64::from(PAGE)) as u32;
        let more = std::array::from_fn(|class| {
            let new = page..page + pages[class] as u32;
            page = new.end;
            again[class].iter().copied().chain(new).collect()
        });
        self.reserve_entries(&more)?;
        let used = used.next_multiple_of(PAGE.into());
        if used > self.slabs.len() as u64 {
            // On the CPU all slabs move.
            let spare = if self.slabs.device().is_cuda() { 0 } else { used / 4 };
            self.slabs.grow((used + spare) as usize, u8::MAX)?;
        }
        self.add_pages(more)?;
        self.used = used;
        Ok(first as u32)
    }

    /// Makes sure that the device's table has entries for so many more pages of each class. The new ones say
    /// that there is no page.
    fn reserve_entries(&mut self, more: &[Vec<u32>; CLASSES]) -> Result<(), Error> {
        let entries = self.table.iter().zip(more).map(|(of, more)| of.len() + more.len());
        let words = entries.max().unwrap_or(0) * CLASSES;
        if words > self.pages.len() {
            let words = words.max(self.pages.len() + self.pages.len() / 8);
            self.pages = self.pages.grown(words.next_multiple_of(CLASSES), u8::MAX)?;
        }
        Ok(())
    }

    /// Adds pages to the tables, or none if the device fails. Queued on CUDA.
    fn add_pages(&mut self, more: [Vec<u32>; CLASSES]) -> Result<(), Error> {
        let before = self.table.each_ref().map(Vec::len);
        self.table.iter_mut().zip(more).for_each(|(pages, more)| pages.extend(more));
        self.write_entries_from(before).inspect_err(|_| {
            self.table.iter_mut().zip(before).for_each(|(pages, count)| pages.truncate(count));
        })
    }

    /// Writes the entries of each class from these on to the device's table: only those that are new, for a large
    /// graph has hundreds of thousands.
    fn write_entries_from(&mut self, before: [usize; CLASSES]) -> Result<(), Error> {
        let entry = |at: usize| self.table.each_ref().map(|of| of.get(at).copied().unwrap_or(NONE));
        for (first, pages) in before.into_iter().zip(&self.table) {
            if first < pages.len() {
                let words: Vec<u32> = (first..pages.len()).flat_map(entry).collect();
                self.pages.write(first * CLASSES, &words)?;
            }
        }
        Ok(())
    }

    /// Goes on after the first slabs of each class's pages, which are in use.
    pub(super) fn take_first(&mut self, slabs: [u64; CLASSES]) -> Result<(), Error> {
        let free = DeviceBuffer::empty(self.counters.device());
        self.begin_again(free, [0; CLASSES], slabs.map(|count| count as u32))
    }

    /// Counts from the start: slabs that were given back, class by class, how many of each, and how many
    /// of the pages' are in use. Queued on CUDA.
    pub(super) fn begin_again(
        &mut self,
        free: DeviceBuffer<u32>,
        given_back: [u32; CLASSES],
        fresh: [u32; CLASSES],
    ) -> Result<(), Error> {
        self.counters.write(0, &[0; EXHAUSTED as usize])?;
        (self.free, self.given_back, self.fresh) = (free, given_back, fresh);
        Ok(())
    }

    /// The words that say what was asked of the counters.
    pub(super) fn asked(&self) -> Words<'_> {
        (&self.counters, 0..EXHAUSTED as usize)
    }

    /// What was begun of each class, by the words of [`asked`](Self::asked).
    pub(super) fn begun(&self, asked: &[u32]) -> [Begun; CLASSES] {
        let slots = self.slots_of(asked);
        std::array::from_fn(|class| {
            let before = u64::from(self.given_back[class]);
            let end = slots[class].begun().max(before);
            Begun {
                slots: end,
                left: end - slots[class].taken(),
                fresh: self.fresh[class] + (end - before) as u32,
            }
        })
    }

    /// What was asked of the counters of each class. Synchronises.
    fn slots(&self) -> Result<[Slots; CLASSES], Error> {
        Ok(self.slots_of(&self.counters.read(0, EXHAUSTED as usize)?))
    }

    /// What was asked of the counters of each class; what was asked for in vain is taken back, for slots that
    /// are mapped later are to be found. Synchronises.
    fn slots_to_map(&mut self) -> Result<[Slots; CLASSES], Error> {
        let mut asked = self.counters.read(0, EXHAUSTED as usize)?;
        let slots = self.slots_of(&asked);
        let words = asked.iter_mut().step_by(STRIDE as usize);
        let there =
            slots.iter().flat_map(|of| (0..COUNTERS as usize).map(|own| of.of_counter(own)));
        let mut is_any = false;
        for (asked, there) in words.zip(there).filter(|(asked, there)| u64::from(**asked) > *there)
        {
            (*asked, is_any) = (there as u32, true);
        }
        if is_any {
            self.counters.write(0, &asked)?;
        }
        Ok(slots)
    }

    fn slots_of(&self, asked: &[u32]) -> [Slots; CLASSES] {
        std::array::from_fn(|class| {
            let pages = self.slabs_of_pages(class) - u64::from(self.fresh[class]);
            let there = u64::from(self.given_back[class]) + pages;
            let own = asked.chunks_exact(STRIDE as usize).skip(class * COUNTERS as usize);
            let asked = own.take(COUNTERS as usize).map(|words| u64::from(words[0]));
            Slots { there, asked: asked.collect() }
        })
    }

    /// How many slabs the pages of a class have.
    fn slabs_of_pages(&self, class: usize) -> u64 {
        (self.table[class].len() as u64) << (PAGE_BITS - class as u32)
    }

    /// Goes on with the slabs that are left, after a lane found none: for insertions that need
    /// fewer. Takes no memory. Queued on CUDA.
    pub(super) fn forget_exhaustion(&mut self) -> Result<(), Error> {
        self.counters.write(EXHAUSTED as usize, &[0, 0])
    }

    /// 128 bytes of the pool that are pages or buckets.
    pub(super) fn used(&self) -> u64 {
        self.used
    }

    /// The words that insertions leave: whether a lane found no slab, whether one gave up,
    /// and how many lists are noted.
    pub(super) fn found(&self) -> Words<'_> {
        (&self.counters, EXHAUSTED as usize..NOTED as usize + 1)
    }

    /// No vertex is noted from now on, and nobody has given up. Queued on CUDA.
    pub(super) fn forget_noted(&mut self) -> Result<(), Error> {
        self.counters.write(GIVEN_UP as usize, &[0, 0])
    }

    /// The slabs of each class that are not in use, by their links. Synchronises.
    pub(super) fn unused(&self) -> Result<Vec<u32>, Error> {
        let (slots, mut free) = (self.slots()?, self.free.to_vec()?);
        let mut links = Vec::new();
        for (class, slots) in slots.iter().enumerate() {
            let later = free.split_off(self.given_back[class] as usize);
            let slab = |slot: u64| match free.get(slot as usize) {
                Some(&slab) => slab,
                None => self.slab_of_pages(class, slot - free.len() as u64),
            };
            links.extend(slots.untaken().map(|slot| link_to(class as u32, slab(slot))));
            free = later;
        }
        Ok(links)
    }

    /// How many slabs of whatever size are not in use, and pairs of buckets. Synchronises.
    pub(super) fn count_unused(&self) -> Result<u64, Error> {
        let slabs: u64 = self.slots()?.iter().map(Slots::left).sum();
        let pairs: u64 = self.areas.rows().iter().map(|&(_, pairs)| u64::from(pairs)).sum();
        Ok(slabs + pairs)
    }

    /// A slab of the pages of a class that was not in use when the counters began.
    fn slab_of_pages(&self, class: usize, number: u64) -> u32 {
        let index = self.fresh[class] + number as u32;
        let bits = PAGE_BITS - class as u32;
        self.table[class][(index >> bits) as usize] << bits | (index & ((1 << bits) - 1))
    }

    /// The vertices that are noted, each once. Synchronises, most often once.
    pub(super) fn noted(&self) -> Result<Vec<u32>, Error> {
        let first = NOTED as usize + 1;
        let mut vertices = self.counters.read(NOTED as usize, 1 + NOTED_TOGETHER)?;
        let count = (vertices.remove(0) as usize).min(self.counters.len() - first);
        vertices.truncate(count);
        let read = vertices.len();
        vertices.extend(self.counters.read(first + read, count - read)?);
        vertices.sort_unstable();
        vertices.dedup();
        Ok(vertices)
    }
}
