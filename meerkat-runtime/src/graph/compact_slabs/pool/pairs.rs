//! Rows of pairs of buckets: those of hubs, and those that none has.

use super::super::take::PAGE;
use super::{CLASSES, Pool};
use crate::{Error, ErrorKind};

/// An eighth of all pairs is a small part, and so are so many: 1 MiB.
const AMPLE_PART: u64 = 8;
const FEW_PAIRS: u64 = 1 << 13;

impl Pool {
    /// Room for pairs of buckets, in a row for each of these numbers of pairs: the first of each.
    /// If there is no memory, the pool is as it was. Queued on CUDA.
    pub(in crate::graph::compact_slabs) fn take_pairs(
        &mut self,
        rows: &[u32],
    ) -> Result<Vec<u32>, Error> {
        match self.take_or_map_pairs(rows) {
            Err(error) if error.is_about_room() => {
                // There may be room once rows that touch are one.
                self.areas.grow_together();
                self.take_or_map_pairs(rows).inspect_err(|_| self.areas.grow_together())
            }
            taken => taken,
        }
    }

    fn take_or_map_pairs(&mut self, rows: &[u32]) -> Result<Vec<u32>, Error> {
        let again = self.areas.take(rows);
        let taken = || rows.iter().copied().zip(again.iter().copied());
        let is_new = |(pairs, again): (u32, Option<u32>)| match again {
            None => u64::from(pairs),
            Some(_) => 0,
        };
        let new = self.map([0; CLASSES], taken().map(is_new).sum());
        if new.is_err() {
            for (pairs, first) in taken() {
                first.into_iter().for_each(|first| self.areas.give_back(first, pairs));
            }
        }
        let mut next = new?;
        let first = |(pairs, again): (u32, Option<u32>)| {
            again.unwrap_or_else(|| {
                next += pairs;
                next - pairs
            })
        };
        let firsts = taken().map(first).collect();
        self.give_back_rest(next);
        Ok(firsts)
    }

    /// Whether rows of so many pairs are there or may be mapped: what is known before any memory is taken.
    pub(in crate::graph::compact_slabs) fn check_limit(
        &mut self,
        rows: &[u32],
    ) -> Result<(), Error> {
        let mut is_over = self.missing_beyond_limit(rows);
        if is_over.is_some() {
            self.areas.grow_together();
            is_over = self.missing_beyond_limit(rows);
        }
        match is_over {
            Some(slabs) => Err(ErrorKind::SlabLimit { slabs, limit: self.limit }.into()),
            None => Ok(()),
        }
    }

    /// How many pairs there would be with those that are missing, if that is too many.
    fn missing_beyond_limit(&mut self, rows: &[u32]) -> Option<u64> {
        let missing = self.areas.missing(rows);
        let used = self.used + missing;
        (missing != 0 && used > u64::from(self.limit)).then_some(used)
    }

    /// See [`Areas::longest_missing`].
    pub(in crate::graph::compact_slabs) fn longest_missing(&mut self, rows: &[u32]) -> u32 {
        self.areas.longest_missing(rows)
    }

    /// Whether so many pairs are free that hubs are worth packing.
    pub(in crate::graph::compact_slabs) fn is_loose(&self) -> bool {
        let pages: usize = self.table.iter().map(Vec::len).sum();
        self.areas.is_loose(self.used - pages as u64 * u64::from(PAGE))
    }

    /// Spans of at most `length` pairs, a multiple of a page, where there is no page: see
    /// [`Areas::loose_spans`].
    pub(in crate::graph::compact_slabs) fn loose_spans(
        &mut self,
        length: u32,
        longest: u32,
        most: u32,
    ) -> Vec<(u32, u32)> {
        let mut is_page = vec![false; self.used as usize / PAGE as usize];
        self.table.iter().flatten().for_each(|&page| is_page[page as usize] = true);
        let mut spans: Vec<(u32, u32)> = Vec::new();
        for (page, _) in is_page.into_iter().enumerate().filter(|(_, is_page)| !is_page) {
            let first = page as u32 * PAGE;
            match spans.last_mut() {
                Some((start, pairs)) if *start + *pairs == first && *pairs < length => {
                    *pairs += PAGE
                }
                _ => spans.push((first, PAGE)),
            }
        }
        self.areas.loose_spans(&spans, longest, most)
    }

    /// See [`Areas::take_within`].
    pub(in crate::graph::compact_slabs) fn take_within(
        &mut self,
        spans: &[(u32, u32)],
    ) -> Vec<(u32, u32)> {
        self.areas.take_within(spans)
    }

    /// So many pairs more are a small part of what there is and of what there may be: other lists may need some, too.
    pub(in crate::graph::compact_slabs) fn ample_pairs(&self) -> u64 {
        let may_come = u64::from(self.limit).saturating_sub(self.used);
        (self.used / AMPLE_PART).max(FEW_PAIRS).min(may_come / AMPLE_PART)
    }

    /// Takes the pairs from one on back that its page has.
    pub(in crate::graph::compact_slabs) fn give_back_rest(&mut self, first: u32) {
        let rest = first.next_multiple_of(PAGE) - first;
        if rest != 0 {
            self.areas.give_back(first, rest);
        }
    }

    /// Takes buckets back that are empty again.
    pub(in crate::graph::compact_slabs) fn give_back_pairs(&mut self, first: u32, pairs: u32) {
        self.areas.give_back(first, pairs);
    }

    /// Rows of pairs of buckets that are not in use: the first of each, and how many.
    pub(in crate::graph::compact_slabs) fn unused_pairs(&self) -> Vec<(u32, u32)> {
        self.areas.rows()
    }
}
