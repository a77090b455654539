//! A debug pass over the raw records and blocks.

use super::edges::BlockEdges;
use super::layout::*;
use super::pool::{Pool, SIZES};
use super::take::*;
use crate::graph::invariants::broken;
use crate::graph::lists::RawArc;
use crate::view::SlabWords;
use crate::{Error, Weight};
use std::collections::HashSet;

/// A walk over all lists, on the host.
struct Walk {
    blocks: Vec<SlabWords>,
    /// Quads of blocks that are in a list, or free.
    seen: HashSet<u64>,
    arcs: Vec<RawArc>,
}

/// A record as it is stored.
struct Record {
    first: u32,
    used: u32,
    dead: u32,
    waiting: u32,
}

/// The record of a vertex.
fn record(records: &[SlabWords], v: u32) -> Option<Record> {
    let SlabWords(words) = records.get(v as usize / 8)?;
    let &[first, used, dead, waiting] = words.get(v as usize % 8 * 4..)?.first_chunk()?;
    Some(Record { first, used, dead, waiting })
}

impl Walk {
    /// Notes that some quads are somewhere.
    fn see(&mut self, first: u64, quads: u64, whose: &str) -> Result<(), Error> {
        if first + quads > self.blocks.len() as u64 * 8 {
            return broken(format!("there are no {quads} times 16 bytes from {first}, {whose}"));
        }
        for quad in first..first + quads {
            if !self.seen.insert(quad) {
                return broken(format!("16 bytes {quad} are in two places, again {whose}"));
            }
        }
        Ok(())
    }

    fn word(&self, first: u32, place: u64) -> u32 {
        let word = u64::from(first) * 4 + place;
        let SlabWords(words) = &self.blocks[(word / 32) as usize];
        words[(word % 32) as usize]
    }

    /// The list of a vertex.
    fn list<W: Weight>(
        &mut self,
        v: u32,
        record: &Record,
        places: u64,
        quads: u64,
        count: u32,
    ) -> Result<(), Error> {
        let &Record { first, used, dead, waiting } = record;
        if waiting & ARRIVALS != 0 {
            return broken(format!("vertex {v} waits for {waiting} keys"));
        }
        if used == 0 {
            return match first == NO_BLOCK && dead & KEY == 0 {
                true => Ok(()),
                false => broken(format!("vertex {v} has no keys and block {first}")),
            };
        }
        self.see(first.into(), quads, &format!("at vertex {v}"))?;
        let (mut gone, mut before) = (0, None);
        for place in 0..u64::from(used) {
            let word = self.word(first, place);
            let key = word & KEY;
            if key >= count {
                return broken(format!("vertex {v} has key {key}, which is no vertex"));
            }
            if before.is_some_and(|before| before >= key) {
                return broken(format!("vertex {v} has key {key} after {before:?}"));
            }
            before = Some(key);
            match word >= GONE {
                true => gone += 1,
                false => {
                    let weight = if W::IS_WEIGHTED { self.word(first, places + place) } else { 0 };
                    self.arcs.push((v, key, weight));
                }
            }
        }
        let end = u64::from(used).next_multiple_of(4);
        if (used.into()..end).any(|place| self.word(first, place) != EMPTY) {
            return broken(format!("vertex {v} has something behind its last key"));
        }
        match gone == dead & KEY {
            true => Ok(()),
            false => broken(format!("vertex {v} has {gone} deleted keys and counts {dead:#x}")),
        }
    }
}

impl<W: Weight> BlockEdges<W> {
    pub(super) fn checked_arcs(&self) -> Result<Vec<RawArc>, Error> {
        let (records, blocks) = (self.records.to_vec()?, self.pool.blocks.to_vec()?);
        let mut walk = Walk { blocks, seen: HashSet::new(), arcs: Vec::new() };
        for vertex in 0..self.vertices {
            let Some(own) = record(&records, vertex) else {
                return broken(format!("vertex {vertex} has no record"));
            };
            let class = ((own.used.max(1) - 1) >> self.least).checked_ilog2().map_or(0, |b| b + 1);
            let (places, quads) = (self.places(class as usize), self.quads_of(class as usize));
            walk.list::<W>(vertex, &own, places, quads, self.vertices)?;
        }
        let words = self.pool.shelves()?;
        let free = self.pool.free.to_vec()?;
        for class in 0..SIZES {
            let shelf = Pool::shelf(&words, class);
            if shelf[TAKEN as usize] != 0 {
                return broken(format!("blocks of class {class} are not counted"));
            }
            let stack = free.iter().skip(shelf[START as usize] as usize);
            for &first in stack.take(shelf[HELD as usize] as usize) {
                walk.see(first.into(), self.quads_of(class), "on a stack")?;
            }
            let fresh = u64::from(shelf[COUNT as usize]) * self.quads_of(class);
            walk.see(shelf[FRESH as usize].into(), fresh, "not taken yet")?;
        }
        Ok(walk.arcs)
    }
}
