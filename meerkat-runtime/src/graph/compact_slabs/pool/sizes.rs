//! How many more slabs of each size the pool gets, and what it gets where a size has no numbers left.
//!
//! A link finds a slab of 16 bytes in the first 4 GiB of a pool, one of 32 bytes in the first 8, and so on. Once
//! pages of a size would lie beyond, that size is closed: lanes that find no slab of it take one of the first
//! size that is open. What is given back of a closed size is taken again.

use super::super::layout::LARGEST;
use super::super::take::PAGE_BITS;
use super::{CLASSES, Pool};
use crate::{Error, ErrorKind};

/// So many are mapped at once if they were asked for, however few there are.
const FEW_SLABS: u64 = 1 << 12;
/// At least a 32nd of the slabs of a size is free after the pool has grown, if there is room.
const SPARE: u64 = 32;

impl Pool {
    /// How many pages of a class there may be, so that their slabs have numbers.
    pub(super) fn most_pages(&self, class: usize) -> u64 {
        self.numbers >> (PAGE_BITS - class as u32)
    }

    /// Goes on after a lane found no slab, with what was asked for in vain, and some more if there is room
    /// for that. Of other classes as many are left afterwards: else each would stop a batch of its own.
    /// Synchronises.
    pub(in crate::graph::compact_slabs) fn grow(&mut self) -> Result<(), Error> {
        let slots = self.slots_to_map()?;
        // Each lane asked that found none: perhaps many for one list.
        let mut asked: [u64; CLASSES] =
            slots.each_ref().map(|slots| slots.asked_in_vain().min(slots.there.max(FEW_SLABS)));
        // Who gave up meanwhile tries again, too.
        self.forget_exhaustion()?;
        loop {
            let open = self.open as usize;
            // Who asked for a slab of a closed class takes one of the first that is open.
            asked[open] += asked[..open].iter().sum::<u64>();
            asked[..open].fill(0);
            let ample = std::array::from_fn(|class| {
                let spare = (slots[class].there / 8).max(self.slabs_of_pages(class) / SPARE);
                let wanted = asked[class] + spare;
                if class < open { 0 } else { wanted.saturating_sub(slots[class].left()) }
            });
            match self.map(ample, 0) {
                Err(error) if self.closes_one(&error) => {}
                Err(error) if error.is_about_room() => return self.map(asked, 0).map(drop),
                mapped => return mapped.map(drop),
            }
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
        loop {
            let open = self.open as usize;
            // A list that gets a larger slab than it asked for goes on with larger ones: with one more of each
            // size, at most.
            let of_closed: u64 = slabs[..open].iter().sum();
            let missing: [u64; CLASSES] = std::array::from_fn(|class| {
                let wanted = slabs[class].saturating_add(of_closed);
                if class < open { 0 } else { wanted.saturating_sub(slots[class].left()) }
            });
            if missing == [0; CLASSES] {
                return Ok(());
            }
            match self.map(missing, 0) {
                Err(error) if self.closes_one(&error) => {}
                mapped => return mapped.map(drop),
            }
        }
    }

    /// Closes the first class that is open, if slabs have no numbers left and there is a larger class: whether
    /// it did.
    fn closes_one(&mut self, error: &Error) -> bool {
        let closes =
            matches!(error.kind(), ErrorKind::TooManyCompactSlabs { .. }) && self.open < LARGEST;
        self.open += u32::from(closes);
        closes
    }

    /// Ends numbers early.
    #[cfg(test)]
    pub(in crate::graph::compact_slabs) fn number_no_more_than(&mut self, slabs: u64) {
        self.numbers = slabs;
    }
}

#[cfg(test)]
mod tests;
