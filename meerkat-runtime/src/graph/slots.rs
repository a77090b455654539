//! Which slots of a pool are taken, by what lanes asked of its counters. Of `c` counters the first
//! counts the slots `0`, `c`, `2 c` and so on, the next `1`, `c + 1`, `2 c + 1`.

/// The slots of a pool.
pub(in crate::graph) struct Slots {
    /// How many there are.
    pub(in crate::graph) there: u64,
    /// How many were asked of each counter, those in vain too.
    pub(in crate::graph) asked: Vec<u64>,
}

impl Slots {
    fn counters(&self) -> u64 {
        self.asked.len() as u64
    }

    /// How many slots a counter has.
    pub(in crate::graph) fn of_counter(&self, own: usize) -> u64 {
        self.there.saturating_sub(own as u64).div_ceil(self.counters())
    }

    fn taken_of(&self, own: usize) -> u64 {
        self.asked[own].min(self.of_counter(own))
    }

    /// How many are taken.
    pub(in crate::graph) fn taken(&self) -> u64 {
        (0..self.asked.len()).map(|own| self.taken_of(own)).sum()
    }

    /// How many are not taken.
    pub(in crate::graph) fn left(&self) -> u64 {
        self.there - self.taken()
    }

    /// The first slot behind all that are taken.
    pub(in crate::graph) fn begun(&self) -> u64 {
        let taken = (0..self.asked.len()).map(|own| self.taken_of(own));
        (taken.max().unwrap_or(0) * self.counters()).min(self.there)
    }

    /// How many lanes found none: they asked every counter.
    pub(in crate::graph) fn asked_in_vain(&self) -> u64 {
        let vain = |own| self.asked[own] - self.taken_of(own);
        (0..self.asked.len()).map(vain).min().unwrap_or(0)
    }

    /// Those that are not taken.
    pub(in crate::graph) fn untaken(&self) -> impl Iterator<Item = u64> {
        let taken: Vec<_> = (0..self.asked.len()).map(|own| self.taken_of(own)).collect();
        let counters = self.counters();
        let is_left = move |slot: &u64| slot / counters >= taken[(slot % counters) as usize];
        (0..self.there).filter(is_left)
    }
}
