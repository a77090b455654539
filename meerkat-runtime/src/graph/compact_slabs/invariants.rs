//! A debug pass over the raw records, slabs and buckets.

use super::edges::CompactEdges;
use super::layout::*;
use crate::graph::invariants::broken;
use crate::graph::lists::RawArc;
use crate::view::SlabWords;
use crate::{Error, Weight};
use std::collections::HashSet;

/// Where a key is looked for first, as [`bucket_for`] has it on a device.
pub(super) fn first_bucket(key: u32, buckets: u32) -> u32 {
    let seed = buckets.wrapping_mul(2_246_822_507);
    let product = key.wrapping_add(seed).wrapping_mul(2_654_435_769);
    let hash = (product ^ (product >> 15)).wrapping_mul(2_246_822_519);
    ((u64::from(hash) * u64::from(buckets)) >> 32) as u32
}

/// A walk over all lists, on the host.
struct Walk {
    records: Vec<SlabWords>,
    pool: Vec<SlabWords>,
    noted: HashSet<u32>,
    /// Quads of the pool that are in a list, or free.
    seen: HashSet<u32>,
    arcs: Vec<RawArc>,
}

/// The words of some quads.
fn words(slabs: &[SlabWords], quad: u32, quads: u32) -> Option<Vec<u32>> {
    let quad_of = |quad: u32| {
        let SlabWords(words) = slabs.get(quad as usize / 8)?;
        Some(&words[quad as usize % 8 * 4..][..4])
    };
    let all: Option<Vec<_>> = (quad..quad + quads).map(quad_of).collect();
    all.map(|quads| quads.concat())
}

impl Walk {
    /// Notes that some quads of the pool are somewhere; their words.
    fn see(&mut self, quad: u32, quads: u32, whose: &str) -> Result<Vec<u32>, Error> {
        for quad in quad..quad + quads {
            if !self.seen.insert(quad) {
                return broken(format!("16 bytes {quad} are in two places, again {whose}"));
            }
        }
        match words(&self.pool, quad, quads) {
            Some(words) => Ok(words),
            None => broken(format!("there are no 16 bytes {quad}, {whose}")),
        }
    }

    /// Notes a place of a vertex; whether it is empty.
    fn place<W: Weight>(&mut self, v: u32, words: &[u32], count: u32) -> Result<bool, Error> {
        let key = words[0];
        if key == EMPTY || key >= NO_KEY {
            return Ok(key == EMPTY);
        }
        if key >= count {
            return broken(format!("vertex {v} has key {key}, which is no vertex"));
        }
        self.arcs.push((v, key, if W::IS_WEIGHTED { words[1] } else { 0 }));
        Ok(false)
    }

    /// The list of a vertex that is no hub.
    fn list<W: Weight>(&mut self, v: u32, record: &[u32], count: u32) -> Result<(), Error> {
        let step = if W::IS_WEIGHTED { 2 } else { 1 };
        let (mut words, mut ended) = (record.to_vec(), false);
        loop {
            let end = words.len() - 4 + link_place::<W>() as usize;
            let link = words[end];
            if link == LOCKED {
                return broken(format!("vertex {v} has a locked place"));
            }
            let places = if is_link(link) { end } else { words.len() };
            for place in (0..places).step_by(step) {
                let is_empty = self.place::<W>(v, &words[place..], count)?;
                if ended && !is_empty {
                    return broken(format!("vertex {v} has something after an empty place"));
                }
                ended |= is_empty;
            }
            if !is_link(link) {
                return Ok(());
            }
            words = self.see(quad_of(link), 1 << class_of(link), &format!("at vertex {v}"))?;
        }
    }

    /// The buckets of a hub.
    fn hub<W: Weight>(&mut self, v: u32, last: &[u32], count: u32) -> Result<(), Error> {
        let buckets = last[HUB_BUCKETS as usize];
        let first = quad_of(last[link_place::<W>() as usize]);
        let words = self.see(first, buckets * BUCKET, &format!("at hub {v}"))?;
        let (mut keys, mut tombstones, step) = (0, 0, if W::IS_WEIGHTED { 2 } else { 1 });
        let full: Vec<bool> = words
            .chunks_exact(4 * BUCKET as usize)
            .map(|bucket| !bucket.iter().step_by(step).any(|&word| word == EMPTY))
            .collect();
        for (at, bucket) in (0..).zip(words.chunks_exact(4 * BUCKET as usize)) {
            let mut ended = false;
            for place in bucket.chunks_exact(step) {
                let is_empty = self.place::<W>(v, place, count)?;
                if ended && !is_empty {
                    return broken(format!("hub {v} has something after an empty place"));
                }
                ended |= is_empty;
                if place[0] >= NO_KEY {
                    tombstones += u32::from(place[0] == TOMBSTONE);
                    continue;
                }
                keys += 1;
                let mut probed = first_bucket(place[0], buckets);
                while probed != at {
                    if !full[probed as usize] {
                        return broken(format!("hub {v} has key {} out of place", place[0]));
                    }
                    probed = (probed + 1) % buckets;
                }
            }
        }
        let (degree, state) = (last[HUB_DEGREE as usize], last[state_place::<W>() as usize]);
        if state >= NOTED_HUB && !self.noted.contains(&v) {
            return broken(format!("hub {v} is marked as noted, and is not"));
        }
        match (degree, state & (NOTED_HUB - 1)) == (keys, tombstones) {
            true => Ok(()),
            false => broken(format!(
                "hub {v} has {keys} keys and {tombstones} tombstones, degree {degree} and state {state}"
            )),
        }
    }

    fn vertex<W: Weight>(&mut self, v: u32, record: u32, count: u32) -> Result<(), Error> {
        let before = self.arcs.len();
        let Some(words) = words(&self.records, v * record, record) else {
            return broken(format!("vertex {v} has no record"));
        };
        let last = &words[words.len() - 4..];
        let link = last[link_place::<W>() as usize];
        match is_link(link) && class_of(link) == HUB {
            true => self.hub::<W>(v, last, count)?,
            false => self.list::<W>(v, &words, count)?,
        }
        let mut keys = HashSet::new();
        match self.arcs[before..].iter().find(|(_, key, _)| !keys.insert(*key)) {
            Some((_, key, _)) => broken(format!("vertex {v} has key {key} twice")),
            None => Ok(()),
        }
    }
}

impl<W: Weight> CompactEdges<W> {
    pub(super) fn checked_arcs(&self) -> Result<Vec<RawArc>, Error> {
        let (records, pool) = (self.records.to_vec()?, self.pool.slabs.to_vec()?);
        let noted = self.pool.noted()?.into_iter().collect();
        let mut walk = Walk { records, pool, noted, seen: HashSet::new(), arcs: Vec::new() };
        for vertex in 0..self.vertices {
            walk.vertex::<W>(vertex, self.record, self.vertices)?;
        }
        let counted: Vec<u32> = self.degrees()?.to_vec()?;
        let mut degrees = vec![0; self.vertices as usize];
        walk.arcs.iter().for_each(|(v, _, _)| degrees[*v as usize] += 1);
        if counted != degrees {
            return broken("degrees that operators count are not those of the lists".to_owned());
        }
        let free = self.pool.unused()?.into_iter();
        let free = free.map(|link| (quad_of(link), 1 << class_of(link)));
        let pairs =
            self.pool.unused_pairs().into_iter().map(|(first, pairs)| (first * 8, pairs * 8));
        for (quad, quads) in free.chain(pairs) {
            let words = walk.see(quad, quads, "in the pool")?;
            if words.iter().any(|&word| word != EMPTY) {
                return broken(format!("16 bytes {quad} are in the pool and not empty"));
            }
        }
        let (seen, all) = (walk.seen.len() as u64, self.pool.used() * 8);
        if seen != all && !self.pool.has_lost {
            return broken(format!("{seen} of {all} times 16 bytes are in a list or in the pool"));
        }
        Ok(walk.arcs)
    }
}
