//! How many more slabs of each size the pool gets, and what it gets where a size has no numbers left.
//!
//! A link finds a slab of 16 bytes in the first 4 GiB of a pool, one of 32 bytes in the first 8, and so on. Once
//! pages of a size would lie beyond, that size is closed, until the graph is built again: lanes that find no slab of it
//! take a larger one. What is given back of a closed size is taken again.

use super::super::layout::LARGEST;
use super::super::take::{PAGE, PAGE_BITS};
use super::{CLASSES, Pool};
use crate::graph::slots::Slots;
use crate::{Error, ErrorKind};

/// So many are mapped at once if they were asked for, however few there are.
const FEW_SLABS: u64 = 1 << 12;
/// At least a 32nd of the slabs of a size is free after the pool has grown, if there is room.
const SPARE: u64 = 32;

/// Who takes the slabs for which their own class has no numbers.
#[derive(Clone, Copy, PartialEq)]
enum Instead {
    /// The next class: lanes asked for so many.
    Next,
    /// Lists that get larger slabs than they asked for, and go on with larger ones: one more of each larger class at
    /// most.
    All,
}

/// How many more slabs of each class are to be mapped, and the first class that may get more then.
struct ToMap {
    slabs: [u64; CLASSES],
    open: u32,
}

impl Pool {
    /// How many pages of a class there may be, so that their slabs have numbers.
    pub(super) fn most_pages(&self, class: usize) -> u64 {
        self.numbers >> (PAGE_BITS - class as u32)
    }

    /// What is to be mapped so that of each class that is `asked` for so many slabs are there, those that are left
    /// among them, and `spare` ones. If it `closes` classes, as far as new pages have numbers; else as if all had.
    fn to_map(
        &self,
        asked: [u64; CLASSES],
        spare: [u64; CLASSES],
        slots: &[Slots; CLASSES],
        (instead, closes): (Instead, bool),
    ) -> ToMap {
        let (mut open, mut end) = (self.open, self.used / u64::from(PAGE));
        let mut wanted = asked;
        let mut slabs = [0; CLASSES];
        for class in 0..CLASSES {
            let (left, bits) = (slots[class].left(), PAGE_BITS - class as u32);
            let missing = wanted[class].saturating_sub(left);
            let room = match class < self.open as usize {
                true => 0,
                false if closes => self.most_pages(class).saturating_sub(end),
                false => u64::from(u32::MAX),
            };
            let fit = room << bits;
            if class as u32 == LARGEST || missing <= fit {
                let ample = wanted[class].saturating_add(spare[class]).saturating_sub(left);
                slabs[class] = missing.max(ample.min(fit));
            } else {
                slabs[class] = fit;
                open = open.max(class as u32 + 1);
                let (others, rest) = match instead {
                    Instead::Next => (class + 1..class + 2, missing - fit),
                    // What smaller classes have passed on counts in all others already.
                    Instead::All => (class + 1..CLASSES, (missing - fit).min(asked[class])),
                };
                wanted[others].iter_mut().for_each(|more| *more = more.saturating_add(rest));
            }
            end = end.saturating_add(slabs[class].div_ceil(1 << bits));
        }
        ToMap { slabs, open }
    }

    /// Maps what is asked for and spare, and closes classes if even free pages that hubs have left do not do. If there
    /// is no memory, the pool is as it was.
    fn map_for(
        &mut self,
        asked: [u64; CLASSES],
        spare: [u64; CLASSES],
        slots: &[Slots; CLASSES],
        instead: Instead,
    ) -> Result<(), Error> {
        let mut mapped = Ok(());
        for closes in [false, true] {
            let ToMap { slabs, open } = self.to_map(asked, spare, slots, (instead, closes));
            mapped = self.map(slabs, 0).map(|_| self.open = open);
            match &mapped {
                Err(error) if matches!(error.kind(), ErrorKind::TooManyCompactSlabs { .. }) => {}
                _ => break,
            }
        }
        mapped
    }

    /// Goes on after a lane found no slab, with what was asked for in vain, and some more if there is room
    /// for that. Of other classes as many are left afterwards: else each would stop a batch of its own.
    /// Synchronises.
    pub(in crate::graph::compact_slabs) fn grow(&mut self) -> Result<(), Error> {
        let slots = self.slots_to_map()?;
        // Each lane asked that found none: perhaps many for one list. Of a closed class none counts that found none.
        let asked: [u64; CLASSES] =
            slots.each_ref().map(|slots| slots.asked_in_vain().min(slots.there.max(FEW_SLABS)));
        let spare = std::array::from_fn(|class| {
            (slots[class].there / 8).max(self.slabs_of_pages(class) / SPARE)
        });
        // Who gave up meanwhile tries again, too.
        self.forget_exhaustion()?;
        match self.map_for(asked, spare, &slots, Instead::Next) {
            Err(error) if error.is_about_room() => {
                self.map_for(asked, [0; CLASSES], &slots, Instead::Next)
            }
            mapped => mapped,
        }
    }

    /// Makes sure that lists which ask for so many slabs of each class get some. Synchronises, unless that is
    /// none.
    pub(in crate::graph::compact_slabs) fn reserve(
        &mut self,
        slabs: [u64; CLASSES],
    ) -> Result<(), Error> {
        if slabs == [0; CLASSES] {
            return Ok(());
        }
        let slots = self.slots_to_map()?;
        self.map_for(slabs, [0; CLASSES], &slots, Instead::All)
    }

    /// Ends numbers early.
    #[cfg(test)]
    pub(in crate::graph::compact_slabs) fn number_no_more_than(&mut self, slabs: u64) {
        self.numbers = slabs;
    }
}

#[cfg(test)]
mod tests;
