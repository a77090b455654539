//! Pairs of buckets that no hub has any more, for hubs to come: rows of them, by their length.
//!
//! Rows that touch grow together when a row is asked for that is not there, and not as they come:
//! a step of upkeep takes and gives back tens of thousands, and this way one costs a few loads.

use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::mem;

/// Rows of fewer pairs have a list for each length.
const SHORT: usize = 256;
/// Rows grow together once one of so many has come back since they last did.
const WORTH: usize = 4;
/// Hubs are packed where one pair of so many is free.
const LOOSE: u32 = 8;

/// Rows of free pairs of buckets.
#[derive(Debug)]
pub(super) struct Areas {
    /// The first pairs of the rows of each length.
    short: Vec<Vec<u32>>,
    /// A bit for each length: whether there is such a row.
    lengths: [u64; SHORT / 64],
    /// Those that are longer: length, first pair.
    long: BTreeSet<(u32, u32)>,
    /// How many rows there are.
    count: usize,
    /// How many pairs they have.
    pairs: u64,
    /// How many came since rows grew together.
    came: usize,
}

impl Default for Areas {
    fn default() -> Self {
        Areas {
            short: vec![Vec::new(); SHORT],
            lengths: [0; SHORT / 64],
            long: BTreeSet::new(),
            count: 0,
            pairs: 0,
            came: 0,
        }
    }
}

impl Areas {
    /// A row of each of these numbers of pairs, out of the shortest that is long enough: its first. None
    /// of no pairs, and where there is none.
    pub(super) fn take(&mut self, rows: &[u32]) -> Vec<Option<u32>> {
        let mut taken: Vec<_> = rows.iter().map(|&pairs| self.take_one(pairs)).collect();
        let misses = |taken: &[Option<u32>]| {
            rows.iter().zip(taken).any(|(&pairs, first)| pairs != 0 && first.is_none())
        };
        if misses(&taken) && self.came * WORTH >= self.count && self.count != 0 {
            self.grow_together();
            for (first, &pairs) in taken.iter_mut().zip(rows).filter(|(first, _)| first.is_none()) {
                *first = self.take_one(pairs);
            }
        }
        taken
    }

    /// Takes a row back, which is not in use from now on.
    pub(super) fn give_back(&mut self, first: u32, pairs: u32) {
        self.came += 1;
        self.add(first, pairs);
    }

    /// A row of so many pairs that begins at a multiple of that, out of a longer one: its first.
    pub(super) fn take_aligned(&mut self, pairs: u32) -> Option<u32> {
        let longer = 2 * pairs - 1;
        let first = self.take_one(longer)?;
        let aligned = first.next_multiple_of(pairs);
        let end = aligned + pairs;
        self.add(first, aligned - first);
        self.add(end, first + longer - end);
        Some(aligned)
    }

    /// The longest of some rows for which there is none, or 0.
    pub(super) fn longest_missing(&mut self, rows: &[u32]) -> u32 {
        self.without_a_place(rows).into_iter().max().unwrap_or(0)
    }

    /// How many pairs those of some rows have for which there is none.
    pub(super) fn missing(&mut self, rows: &[u32]) -> u64 {
        self.without_a_place(rows).into_iter().map(u64::from).sum()
    }

    /// Those of some rows for which there is none.
    fn without_a_place(&mut self, rows: &[u32]) -> Vec<u32> {
        let taken = self.take(rows);
        let missing = rows.iter().zip(&taken).filter(|(_, first)| first.is_none());
        let missing = missing.map(|(&pairs, _)| pairs).collect();
        for (first, &pairs) in taken.into_iter().zip(rows) {
            first.into_iter().for_each(|first| self.add(first, pairs));
        }
        missing
    }

    /// Of some spans of pairs, which ascend, those where an eighth is free, and `longest` pairs: the
    /// loosest, as many as have `most` pairs together. They ascend. Rows that touch grow together.
    pub(super) fn loose_spans(
        &mut self,
        spans: &[(u32, u32)],
        longest: u32,
        most: u32,
    ) -> Vec<(u32, u32)> {
        self.grow_together();
        let mut rows = self.rows();
        rows.par_sort_unstable();
        let mut loose = Vec::new();
        for &(first, pairs) in spans {
            let end = first + pairs;
            let next = rows.partition_point(|row| row.0 + row.1 <= first);
            let inside = rows[next..].iter().take_while(|row| row.0 < end);
            let free: u32 = inside.map(|row| end.min(row.0 + row.1) - first.max(row.0)).sum();
            if free >= longest && free >= pairs.div_ceil(LOOSE) {
                loose.push(((u64::from(free) << 32) / u64::from(pairs), first, pairs));
            }
        }
        loose.sort_unstable_by_key(|&(free, first, _)| (Reverse(free), first));
        let mut left = most;
        let fits = |&(_, _, pairs): &(u64, u32, u32)| {
            let fits = pairs <= left;
            left = left.saturating_sub(pairs);
            fits
        };
        let mut spans: Vec<_> =
            loose.into_iter().take_while(fits).map(|(_, first, pairs)| (first, pairs)).collect();
        spans.sort_unstable();
        spans
    }

    /// Takes what is free within some spans of pairs, which ascend: the rows, ascending.
    pub(super) fn take_within(&mut self, spans: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let mut rows = self.rows();
        rows.par_sort_unstable();
        drop(mem::take(self));
        let mut taken = Vec::new();
        for (mut first, pairs) in rows {
            let end = first + pairs;
            let next = spans.partition_point(|&(start, pairs)| start + pairs <= first);
            for &(start, pairs) in spans[next..].iter().take_while(|span| span.0 < end) {
                let (start, stop) = (start.max(first), end.min(start + pairs));
                self.add(first, start - first);
                taken.push((start, stop - start));
                first = stop;
            }
            self.add(first, end - first);
        }
        self.grow_together();
        taken
    }

    /// Each row: its first pair, and how many there are.
    pub(super) fn rows(&self) -> Vec<(u32, u32)> {
        let short = self.short.iter().zip(0..);
        let short = short.flat_map(|(firsts, pairs)| firsts.iter().map(move |&at| (at, pairs)));
        short.chain(self.long.iter().map(|&(pairs, first)| (first, pairs))).collect()
    }

    /// Whether so many are free of pairs, in use or not, that hubs are worth packing.
    pub(super) fn is_loose(&self, pairs: u64) -> bool {
        self.pairs >= pairs / u64::from(LOOSE)
    }

    fn take_one(&mut self, pairs: u32) -> Option<u32> {
        if pairs == 0 {
            return None;
        }
        let (first, length) = match self.shortest_from(pairs) {
            Some(length) => (self.pop_short(length)?, length as u32),
            None => {
                let &(length, first) = self.long.range((pairs, 0)..).next()?;
                self.long.remove(&(length, first));
                (first, length)
            }
        };
        self.count -= 1;
        self.pairs -= u64::from(length);
        self.add(first + pairs, length - pairs);
        Some(first)
    }

    fn add(&mut self, first: u32, pairs: u32) {
        if pairs == 0 {
            return;
        }
        self.count += 1;
        self.pairs += u64::from(pairs);
        match self.short.get_mut(pairs as usize) {
            Some(firsts) => {
                firsts.push(first);
                self.lengths[pairs as usize / 64] |= 1 << (pairs % 64);
            }
            None => drop(self.long.insert((pairs, first))),
        }
    }

    /// The least length of a short row that has so many pairs.
    fn shortest_from(&self, pairs: u32) -> Option<usize> {
        let first = pairs as usize / 64;
        // Of the first word without the lengths below.
        let masks = std::iter::once(u64::MAX << (pairs % 64)).chain(std::iter::repeat(u64::MAX));
        let words = self.lengths.iter().enumerate().skip(first).zip(masks);
        let found = words.map(|((at, word), mask)| (at, word & mask)).find(|(_, word)| *word != 0);
        found.map(|(at, word)| at * 64 + word.trailing_zeros() as usize)
    }

    /// Takes the short row of a length that came last.
    fn pop_short(&mut self, length: usize) -> Option<u32> {
        let first = self.short[length].pop();
        if self.short[length].is_empty() {
            self.lengths[length / 64] &= !(1 << (length % 64));
        }
        first
    }

    /// Makes one row of those that touch.
    pub(super) fn grow_together(&mut self) {
        let mut rows = self.rows();
        rows.par_sort_unstable();
        let mut grown: Vec<(u32, u32)> = Vec::with_capacity(rows.len());
        for (first, pairs) in rows {
            match grown.last_mut() {
                Some((start, length)) if *start + *length == first => *length += pairs,
                _ => grown.push((first, pairs)),
            }
        }
        drop(mem::take(self));
        // The last that came goes first: those at low places.
        grown.iter().rev().for_each(|&(first, pairs)| self.add(first, pairs));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random_u32;

    fn sorted(areas: &Areas) -> Vec<(u32, u32)> {
        let mut rows = areas.rows();
        rows.sort_unstable();
        rows
    }

    #[test]
    fn the_shortest_that_fits_is_taken_and_rows_that_touch_grow_together_if_none_does() {
        let mut areas = Areas::default();
        areas.give_back(10, 5);
        areas.give_back(20, 3);
        areas.give_back(15, 5);
        areas.give_back(40, 4);
        areas.give_back(1000, 300);
        assert_eq!(areas.take(&[3, 0, 4]), [Some(20), None, Some(40)]);
        assert_eq!(areas.take(&[290, 10]), [Some(1000), Some(1290)]);
        assert_eq!(sorted(&areas), [(10, 5), (15, 5)]);
        assert_eq!(areas.take(&[8]), [Some(10)]);
        assert_eq!(sorted(&areas), [(18, 2)]);
        areas.give_back(10, 8);
        assert_eq!(areas.take(&[11]), [None]);
        assert_eq!(areas.take(&[10]), [Some(10)]);
        assert_eq!(sorted(&areas), []);
    }

    #[test]
    fn rows_that_do_not_come_back_are_not_looked_through_again() {
        let mut areas = Areas::default();
        (0..100).for_each(|row| areas.give_back(row * 2, 1));
        assert_eq!(areas.take(&[2]), [None]);
        assert_eq!(areas.came, 0);
        areas.give_back(1, 1);
        assert_eq!((areas.take(&[2]), areas.came), (vec![None], 1));
        (1..40).for_each(|row| areas.give_back(row * 2 + 1, 1));
        assert_eq!(areas.take(&[81]), [Some(0)]);
        assert_eq!(areas.take(&[1]), [Some(82)]);
    }

    #[test]
    fn loose_spans_are_an_eighth_free_and_have_room_for_the_longest_row() {
        let mut areas = Areas::default();
        for (first, pairs) in [(100, 20), (120, 10), (210, 24), (300, 60), (490, 60)] {
            areas.give_back(first, pairs);
        }
        let spans = [(0, 100), (100, 200), (300, 100), (400, 50), (450, 50), (500, 100)];
        assert_eq!(
            areas.loose_spans(&spans, 1, 600),
            [(100, 200), (300, 100), (450, 50), (500, 100)]
        );
        assert_eq!(areas.loose_spans(&spans, 51, 600), [(100, 200), (300, 100)]);
        assert_eq!(areas.loose_spans(&spans, 1, 250), [(300, 100), (500, 100)]);
        assert_eq!(areas.pairs, 174);
        assert!(areas.is_loose(174 * 8) && !areas.is_loose(175 * 8));
        assert_eq!(areas.take_within(&[(300, 100), (500, 100)]), [(300, 60), (500, 50)]);
        assert_eq!(sorted(&areas), [(100, 30), (210, 24), (490, 10)]);
        assert_eq!(areas.longest_missing(&[24, 0, 30]), 0);
        assert_eq!(areas.longest_missing(&[24, 31, 10]), 31);
        assert_eq!(areas.take_aligned(32), None);
        areas.give_back(130, 40);
        areas.give_back(600, 70);
        assert_eq!(areas.take_aligned(32), Some(608));
        assert_eq!(sorted(&areas).iter().map(|row| row.1).sum::<u32>(), 30 + 24 + 10 + 40 + 38);
    }

    #[test]
    fn no_pair_is_in_two_rows_and_none_is_lost_in_20000_steps() {
        let mut areas = Areas::default();
        areas.give_back(100, 1000);
        let mut taken: Vec<(u32, u32)> = Vec::new();
        for step in 0..20_000 {
            let pairs = random_u32(11, step) % 60 + 1;
            match areas.take(&[pairs])[0] {
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
            if step % 16 == 0 {
                areas.grow_together();
                let free = sorted(&areas);
                let apart = |pair: &[(u32, u32)]| pair[0].0 + pair[0].1 < pair[1].0;
                assert!(free.windows(2).all(apart), "{free:?}");
            }
        }
    }
}
