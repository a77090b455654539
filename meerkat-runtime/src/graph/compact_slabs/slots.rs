//! Which slots of a class of slabs are taken, by what lanes asked of its counters.

use super::take::COUNTERS;

/// The slots of a class.
pub(super) struct Slots {
    /// How many there are.
    pub(super) there: u64,
    /// How many were asked of each counter, those in vain too.
    pub(super) asked: Vec<u64>,
}

impl Slots {
    /// How many slots a counter has.
    pub(super) fn of_counter(&self, own: usize) -> u64 {
        self.there.saturating_sub(own as u64).div_ceil(COUNTERS.into())
    }

    fn taken_of(&self, own: usize) -> u64 {
        self.asked[own].min(self.of_counter(own))
    }

    /// How many are taken.
    pub(super) fn taken(&self) -> u64 {
        (0..self.asked.len()).map(|own| self.taken_of(own)).sum()
    }

    /// How many are not taken.
    pub(super) fn left(&self) -> u64 {
        self.there - self.taken()
    }

    /// The first slot behind all that are taken.
    pub(super) fn begun(&self) -> u64 {
        let taken = (0..self.asked.len()).map(|own| self.taken_of(own));
        (taken.max().unwrap_or(0) * u64::from(COUNTERS)).min(self.there)
    }

    /// How many lanes found none: they asked every counter.
    pub(super) fn asked_in_vain(&self) -> u64 {
        let vain = |own| self.asked[own] - self.taken_of(own);
        (0..self.asked.len()).map(vain).min().unwrap_or(0)
    }

    /// The first slot behind all that are taken, and the slots before it that are not.
    pub(super) fn passed_over(&self) -> (u64, Vec<u64>) {
        let taken: Vec<_> = (0..self.asked.len()).map(|own| self.taken_of(own)).collect();
        let counters = u64::from(COUNTERS);
        let least = taken.iter().min().copied().unwrap_or(0) * counters;
        let begun = self.begun();
        let is_left = |slot: &u64| slot / counters >= taken[(slot % counters) as usize];
        (begun, (least..begun).filter(is_left).collect())
    }
}
