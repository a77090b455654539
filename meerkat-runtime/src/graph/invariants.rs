//! A debug pass over the raw slabs.

use super::adjacency::Adjacency;
use super::dynamic_graph::DynamicGraph;
use super::lists::{EdgeLists, RawArc};
use crate::slab::{EMPTY_KEY, NEXT_LANE, NULL_SLAB, SlabLists, TOMBSTONE_KEY};
use crate::view::SlabWords;
use crate::{Direction, Error, ErrorKind, Weight};
use std::collections::HashSet;

impl<L: EdgeLists> DynamicGraph<L> {
    /// Looks over every list, on the host, for what must hold between operations:
    /// no key twice in a vertex's lists and each where its hash names,
    /// empties only at a list's end, links that neither meet nor close a ring,
    /// degrees equal to keys, every slab in a list or in the pool and then empty,
    /// both orientations the same edges. For tests: copies the whole graph.
    ///
    /// # Errors
    /// [`ErrorKind::BrokenInvariant`] names the first that does not; the device
    /// fails.
    pub fn check_invariants(&self) -> Result<(), Error> {
        let out = self.out_edges().ok().map(L::checked_arcs).transpose()?;
        if self.options().direction == Direction::Undirected {
            let arcs: HashSet<_> = out.iter().flatten().copied().collect();
            let alone = arcs.iter().find(|(u, v, bits)| !arcs.contains(&(*v, *u, *bits)));
            return alone.map_or(Ok(()), |arc| broken(format!("{arc:?} has no other arc")));
        }
        let into = self.in_edges().ok().map(L::checked_arcs).transpose()?;
        let (Some(mut out), Some(into)) = (out, into) else { return Ok(()) };
        let mut turned: Vec<_> = into.into_iter().map(|(v, u, bits)| (u, v, bits)).collect();
        out.sort_unstable();
        turned.sort_unstable();
        if out == turned { Ok(()) } else { broken("in-edges are not the out-edges".to_owned()) }
    }
}

pub(super) fn broken<T>(what: String) -> Result<T, Error> {
    Err(ErrorKind::BrokenInvariant { what }.into())
}

impl<W: Weight> Adjacency<W> {
    pub(super) fn checked_arcs(&self) -> Result<Vec<RawArc>, Error> {
        let (lists, degrees) = (self.lists().to_vec()?, self.degrees().to_vec()?);
        let mut walk = Walk { slabs: self.slabs().to_vec()?, seen: HashSet::new(), arcs: vec![] };
        for (vertex, (lists, degree)) in (0..).zip(lists.iter().zip(degrees)) {
            let before = walk.arcs.len();
            walk.vertex::<W>(vertex, *lists, self.vertex_count())?;
            let keys = walk.arcs.len() - before;
            if keys != degree as usize {
                return broken(format!("vertex {vertex} has {keys} keys and degree {degree}"));
            }
        }
        let in_use = self.slab_count()? as usize;
        if walk.seen.len() != in_use {
            return broken(format!("{in_use} slabs are in use, {} in lists", walk.seen.len()));
        }
        for (number, slab) in (0..).zip(&walk.slabs) {
            if !walk.seen.contains(&number) && slab.0 != [u32::MAX; 32] {
                return broken(format!("slab {number} is in no list and not empty"));
            }
        }
        let unused = self.unused_slabs()?;
        match unused.iter().find(|slab| walk.seen.contains(slab)) {
            Some(slab) => broken(format!("slab {slab} is in a list and in the pool")),
            None => Ok(walk.arcs),
        }
    }
}

/// A walk over all slab lists.
struct Walk {
    slabs: Vec<SlabWords>,
    seen: HashSet<u32>,
    arcs: Vec<RawArc>,
}

impl Walk {
    fn vertex<W: Weight>(&mut self, v: u32, lists: SlabLists, count: u32) -> Result<(), Error> {
        let mut keys = HashSet::new();
        for bucket in 0..lists.buckets {
            let mut at = lists.first + bucket;
            let mut ended = false;
            while at != NULL_SLAB {
                let Some(SlabWords(words)) = self.slabs.get(at as usize).copied() else {
                    return broken(format!("vertex {v} links to slab {at}, which is none"));
                };
                if !self.seen.insert(at) {
                    return broken(format!("slab {at} is in two places, again at vertex {v}"));
                }
                for lane in (0..NEXT_LANE).filter(|lane| W::KEY_LANES >> lane & 1 == 1) {
                    let key = words[lane as usize];
                    if key != EMPTY_KEY && ended {
                        return broken(format!("vertex {v} has key {key} after an empty place"));
                    }
                    ended |= key == EMPTY_KEY;
                    if key >= TOMBSTONE_KEY {
                        continue;
                    }
                    let place = (u64::from(key.wrapping_mul(2_654_435_769))
                        * u64::from(lists.buckets))
                        >> 32;
                    if key >= count || place != u64::from(bucket) || !keys.insert(key) {
                        return broken(format!("vertex {v} has key {key} twice or out of place"));
                    }
                    let bits = if W::IS_WEIGHTED { words[lane as usize + 1] } else { 0 };
                    self.arcs.push((v, key, bits));
                }
                at = words[NEXT_LANE as usize];
                if ended && at != NULL_SLAB {
                    return broken(format!("vertex {v} has a slab after an empty place"));
                }
            }
        }
        Ok(())
    }
}
