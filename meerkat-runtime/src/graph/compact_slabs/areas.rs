//! Pairs of buckets that no hub has any more, for hubs to come: rows of them, which grow together
//! where they touch.

use std::collections::{BTreeMap, BTreeSet};

/// Rows of free pairs of buckets.
#[derive(Debug, Default)]
pub(super) struct Areas {
    /// How long each is, by its first pair.
    by_place: BTreeMap<u32, u32>,
    /// The same by their length: length, first pair.
    by_length: BTreeSet<(u32, u32)>,
}

impl Areas {
    /// A row of pairs, out of the shortest that is long enough: its first. None of no pairs.
    pub(super) fn take(&mut self, pairs: u32) -> Option<u32> {
        if pairs == 0 {
            return None;
        }
        let (length, first) = *self.by_length.range((pairs, 0)..).next()?;
        self.remove(first, length);
        self.add(first + pairs, length - pairs);
        Some(first)
    }

    /// Takes a row back, which is not in use from now on.
    pub(super) fn give_back(&mut self, first: u32, pairs: u32) {
        let (mut first, mut pairs) = (first, pairs);
        if let Some((&before, &length)) = self.by_place.range(..first).next_back()
            && before + length == first
        {
            self.remove(before, length);
            (first, pairs) = (before, length + pairs);
        }
        if let Some(&length) = self.by_place.get(&(first + pairs)) {
            self.remove(first + pairs, length);
            pairs += length;
        }
        self.add(first, pairs);
    }

    /// Each row: its first pair, and how many there are.
    pub(super) fn rows(&self) -> impl Iterator<Item = (u32, u32)> {
        self.by_place.iter().map(|(&first, &pairs)| (first, pairs))
    }

    fn add(&mut self, first: u32, pairs: u32) {
        if pairs != 0 {
            self.by_place.insert(first, pairs);
            self.by_length.insert((pairs, first));
        }
    }

    fn remove(&mut self, first: u32, pairs: u32) {
        self.by_place.remove(&first);
        self.by_length.remove(&(pairs, first));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random_u32;

    #[test]
    fn rows_that_touch_are_one_and_the_shortest_that_fits_is_taken() {
        let mut areas = Areas::default();
        areas.give_back(10, 5);
        areas.give_back(20, 3);
        areas.give_back(15, 5);
        assert_eq!(areas.rows().collect::<Vec<_>>(), [(10, 13)]);
        areas.give_back(40, 4);
        assert_eq!(areas.take(3), Some(40));
        assert_eq!(areas.take(13), Some(10));
        assert_eq!((areas.take(2), areas.take(0)), (None, None));
        assert_eq!(areas.rows().collect::<Vec<_>>(), [(43, 1)]);
    }

    #[test]
    fn no_pair_is_in_two_rows_and_none_is_lost_in_20000_steps() {
        let mut areas = Areas::default();
        areas.give_back(100, 1000);
        let mut taken: Vec<(u32, u32)> = Vec::new();
        for step in 0..20_000 {
            let pairs = random_u32(11, step) % 60 + 1;
            match areas.take(pairs) {
                Some(first) if !random_u32(12, step).is_multiple_of(3) => {
                    taken.push((first, pairs))
                }
                Some(first) => areas.give_back(first, pairs),
                None => taken.drain(..taken.len() / 2).for_each(|(at, n)| areas.give_back(at, n)),
            }
            let mut all: Vec<_> = taken.iter().copied().chain(areas.rows()).collect();
            all.sort_unstable();
            let end = all.iter().try_fold(100, |at, &(first, n)| (first == at).then_some(at + n));
            assert_eq!(end, Some(1100));
            let free: Vec<_> = areas.rows().collect();
            assert!(free.windows(2).all(|pair| pair[0].0 + pair[0].1 < pair[1].0), "{free:?}");
        }
    }
}
