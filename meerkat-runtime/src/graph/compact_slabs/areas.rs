//! Pairs of buckets that no hub has any more, for hubs to come: rows of them, by their length.
//!
//! Rows that touch grow together when a row is asked for that is not there, and not as they come:
//! a step of upkeep takes and gives back tens of thousands, and this way one costs a few loads.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::mem;

/// Rows of fewer pairs have a list for each length.
const SHORT: usize = 256;
/// Rows grow together once one of so many has come back since they last did.
const WORTH: usize = 4;

/// Rows of free pairs of buckets.
#[derive(Debug)]
pub(super) struct Areas {
    /// The first pairs of the rows of each length.
    short: Vec<Vec<u32>>,
    /// Those that are longer: length, first pair.
    long: BTreeSet<(u32, u32)>,
    /// How many rows there are.
    count: usize,
    /// How many came since rows grew together.
    came: usize,
}

impl Default for Areas {
    fn default() -> Self {
        Areas { short: vec![Vec::new(); SHORT], long: BTreeSet::new(), count: 0, came: 0 }
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

    /// Whether there is a row for each of these numbers of pairs.
    pub(super) fn has_room_for(&mut self, rows: &[u32]) -> bool {
        let taken = self.take(rows);
        let lacks = |(&pairs, first): (&u32, &Option<u32>)| pairs != 0 && first.is_none();
        let has_room = !rows.iter().zip(&taken).any(lacks);
        for (first, &pairs) in taken.into_iter().zip(rows) {
            first.into_iter().for_each(|first| self.add(first, pairs));
        }
        has_room
    }

    /// Of the first `whole` blocks of `length` pairs, the `most` with the most free pairs: a fourth of
    /// the block at least, and no page in it (`pages` has their first pairs). Their numbers, ascending.
    /// Rows that touch grow together.
    pub(super) fn loose_blocks(
        &mut self,
        length: u32,
        whole: u32,
        most: usize,
        pages: &[u32],
    ) -> Vec<u32> {
        self.grow_together();
        let mut free: HashMap<u32, u32> = HashMap::new();
        for (first, pairs) in self.rows() {
            for block in first / length..(first + pairs).div_ceil(length) {
                let (begin, end) = (block * length, (block + 1) * length);
                let inside = end.min(first + pairs) - begin.max(first);
                *free.entry(block).or_default() += inside;
            }
        }
        for page in pages {
            free.remove(&(page / length));
        }
        let mut loose: Vec<_> =
            free.into_iter().filter(|&(block, free)| block < whole && free >= length / 4).collect();
        loose.sort_unstable_by_key(|&(block, free)| (Reverse(free), block));
        loose.truncate(most);
        let mut blocks: Vec<_> = loose.into_iter().map(|(block, _)| block).collect();
        blocks.sort_unstable();
        blocks
    }

    /// Takes what is free of some blocks of `length` pairs, which ascend: the rows, ascending.
    pub(super) fn take_blocks(&mut self, length: u32, blocks: &[u32]) -> Vec<(u32, u32)> {
        let mut rows = self.rows();
        rows.sort_unstable();
        drop(mem::take(self));
        let mut taken = Vec::new();
        for (mut first, pairs) in rows {
            let end = first + pairs;
            while first < end {
                let block = first / length;
                let next = end.min((block + 1) * length);
                match blocks.binary_search(&block) {
                    Ok(_) => taken.push((first, next - first)),
                    Err(_) => self.add(first, next - first),
                }
                first = next;
            }
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

    fn take_one(&mut self, pairs: u32) -> Option<u32> {
        if pairs == 0 {
            return None;
        }
        let (first, length) = match (pairs as usize..SHORT).find(|&n| !self.short[n].is_empty()) {
            Some(length) => (self.short[length].pop()?, length as u32),
            None => {
                let &(length, first) = self.long.range((pairs, 0)..).next()?;
                self.long.remove(&(length, first));
                (first, length)
            }
        };
        self.count -= 1;
        self.add(first + pairs, length - pairs);
        Some(first)
    }

    fn add(&mut self, first: u32, pairs: u32) {
        if pairs == 0 {
            return;
        }
        self.count += 1;
        match self.short.get_mut(pairs as usize) {
            Some(firsts) => firsts.push(first),
            None => drop(self.long.insert((pairs, first))),
        }
    }

    /// Makes one row of those that touch.
    pub(super) fn grow_together(&mut self) {
        let mut rows = self.rows();
        rows.sort_unstable();
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
    fn loose_blocks_are_whole_a_fourth_free_and_have_no_page() {
        let mut areas = Areas::default();
        for (first, pairs) in [(100, 20), (120, 10), (210, 24), (300, 60), (490, 60)] {
            areas.give_back(first, pairs);
        }
        assert_eq!(areas.loose_blocks(100, 5, 9, &[]), [1, 3]);
        assert_eq!(areas.loose_blocks(100, 6, 9, &[]), [1, 3, 5]);
        assert_eq!(areas.loose_blocks(100, 6, 2, &[]), [3, 5]);
        assert_eq!(areas.loose_blocks(100, 6, 9, &[160, 420]), [3, 5]);
        assert_eq!(areas.take_blocks(100, &[3, 5]), [(300, 60), (500, 50)]);
        assert_eq!(sorted(&areas), [(100, 30), (210, 24), (490, 10)]);
        assert!(areas.has_room_for(&[24, 0, 30]));
        assert!(!areas.has_room_for(&[24, 31, 10]));
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
