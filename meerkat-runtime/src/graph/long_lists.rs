//! Long slab lists, laid out again: a vertex that has far more neighbours, or tombstones, than
//! its lists were laid out for gets lists for more than it has, and the pool its old slabs.
//! So what an edge at a hub costs does not grow with the hub.
//!
//! ```text
//! an insertion that walks LONG_LIST slabs --note_long_list--> vertices
//!   --arcs_of--> arcs;  wanted_lists --> a row of new first slabs;  empty_lists --> the pool
//!   arcs --insert_edges--> the new lists
//! ```

use super::adjacency::Adjacency;
use super::build::buckets_of;
use super::convert::{ARCS_AT_ONCE, arcs_of};
use super::insertion::NO_LIMIT;
use super::options::Endpoint;
use crate::device::DeviceBuffer;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::{Graph, NEXT_LANE, NULL_SLAB, SlabLists};
use crate::{Error, Vertex, Weight};
use meerkat_macros::{DeviceStruct, device, kernel};

/// The lists of a vertex, and how many it wants.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
struct Wanted {
    first: u32,
    buckets: u32,
    degree: u32,
    /// How many lists, with room for more neighbours; 0 if other lists would not be shorter.
    wanted: u32,
}

/// How many slabs are linked to the lists of each lane's vertex, the first ones left out; lanes without
/// one (`is_one`) get 0. Collective.
#[device]
pub(super) fn count_linked<W: Weight>(graph: &Graph<W>, own: SlabLists, is_one: bool) -> u32 {
    let mut linked = 0u32;
    let mut work = warp_ballot(is_one);
    while work != 0 {
        let owner = warp_dequeue(&mut work);
        let first = warp_broadcast(own.first, owner);
        let buckets = warp_broadcast(own.buckets, owner);
        let mut slabs = 0u32;
        let mut bucket = lane_id();
        while bucket < buckets {
            let mut slab = graph.slabs[first + bucket].word(NEXT_LANE).load();
            while slab != NULL_SLAB {
                slabs += 1;
                slab = graph.slabs[slab].word(NEXT_LANE).load();
            }
            bucket += 32;
        }
        let all = warp_reduce_sum(slabs);
        if lane_id() == owner {
            linked = all;
        }
    }
    linked
}

/// A vertex that has outgrown its lists and wants so many is a hub that grows: it gets room for as many neighbours again,
/// and others for a fourth more. (With a fourth, a hub that got a million edges by batches of 10,000 was laid out twice
/// in the first ten, and so was its copy in the forest of components: most of these batches took twice as long as later
/// ones. One H200, docs/BENCHMARKS.md, "A window that slides".)
const HUB_LISTS: u32 = 64;

/// How many lists some vertices want, with room for more neighbours than there are. They are long again
/// with more than twice as many, or four times where they are fewer than 2,048, so that a vertex pays for the new
/// layout before the next. A warp for each.
///
/// Other lists are shorter if a vertex has outgrown the ones that it has, or if more than every
/// second slab that is linked to them has tombstones alone. Neighbours whose hashes are alike are
/// in one list, whatever the number of lists.
#[kernel]
fn wanted_lists<W: Weight>(
    graph: &Graph<W>,
    vertices: &[Vertex],
    ratio: u32,
    wanted: &mut [Wanted],
) {
    let i = thread_id();
    let mut own = SlabLists { first: 0, buckets: 0 };
    let mut degree = 0u32;
    if i < wanted.len() {
        own = graph.vertices[vertices[i]];
        degree = graph.degrees[vertices[i]].load();
    }
    let linked: u32 = count_linked(graph, own, i < wanted.len());
    if i < wanted.len() {
        let needed: u32 = buckets_of(degree, ratio);
        let outgrown = needed > own.buckets;
        let more = select(outgrown && needed >= HUB_LISTS, degree, degree / 4);
        let room = select(degree <= u32::MAX / 2, degree + more, degree);
        let has_tombstones = linked / 2 > degree / W::KEYS_PER_SLAB;
        let count = select(outgrown || has_tombstones, buckets_of(room, ratio), 0);
        wanted[i] = Wanted { first: own.first, buckets: own.buckets, degree, wanted: count };
    }
}

impl<W: Weight> Adjacency<W> {
    /// Lays out the lists in which an insertion gave up after `deepest` slabs. After how many it
    /// is to give up from now on: more, since keys of one hash stay in one list. Where there is no
    /// memory, it is to walk the lists.
    pub(super) fn lay_out_or_walk(&mut self, deepest: u32) -> Result<u32, Error> {
        match self.lay_out_long_lists() {
            Err(error) if error.is_about_room() => Ok(NO_LIMIT),
            done => done.map(|_| deepest.saturating_mul(4)),
        }
    }

    /// Lays the lists out again that insertions noted, and that would be shorter; whether there are any.
    /// Synchronises.
    pub(super) fn lay_out_long_lists(&mut self) -> Result<bool, Error> {
        let vertices = self.take_long_lists()?;
        let list = DeviceBuffer::from_slice(self.device(), &vertices)?;
        let wanted = self.wanted_lists(&list)?;
        let mut outgrown: Vec<_> = vertices.into_iter().zip(wanted).collect();
        outgrown.retain(|(_, lists)| lists.wanted > 0);
        // In parts, as compaction goes: their arcs are listed.
        let mut rest = &outgrown[..];
        while !rest.is_empty() {
            let mut arcs = 0;
            let fits = |(_, lists): &&(Vertex, Wanted)| {
                arcs += u64::from(lists.degree);
                arcs <= ARCS_AT_ONCE
            };
            let count = rest.iter().take_while(fits).count().max(1);
            let (part, others) = rest.split_at(count);
            self.lay_out(part)?;
            rest = others;
        }
        Ok(!outgrown.is_empty())
    }

    /// Gives some vertices the lists that they want.
    fn lay_out(&mut self, vertices: &[(Vertex, Wanted)]) -> Result<(), Error> {
        // All that takes memory comes first.
        let ids: Vec<_> = vertices.iter().map(|(vertex, _)| *vertex).collect();
        let list = DeviceBuffer::from_slice(self.device(), &ids)?;
        let heads = vertices.iter().map(|(_, lists)| u64::from(lists.wanted)).sum();
        self.reserve_row(heads)?;
        let arcs = arcs_of(self, &list)?;
        let mut taken = self.take_lists(&list)?;
        let mut first = self.take_row(heads as u32)?;

        self.empty_lists(self, false, &taken)?;
        for (_, old) in vertices {
            taken.heads.extend(old.first..old.first + old.buckets);
        }
        self.reuse_slabs(taken)?;
        for &(vertex, Wanted { wanted: buckets, .. }) in vertices {
            self.set_lists(vertex, SlabLists { first, buckets })?;
            first += buckets;
        }
        // The pool has as many slabs as the neighbours fill, since they came out of as many; so
        // no list lacks one.
        self.fill(&arcs, &[Endpoint::Source])?;
        self.finish_filling()?;
        if self.updates.is_empty() {
            return Ok(());
        }
        // None of these neighbours is an update.
        self.advance_updates()
    }

    /// What lists some vertices have and want. Synchronises.
    fn wanted_lists(&self, vertices: &DeviceBuffer<Vertex>) -> Result<Vec<Wanted>, Error> {
        let (device, count) = (self.device(), vertices.len());
        let mut wanted = DeviceBuffer::zeroed(device, count)?;
        wanted_lists::launch(device, count as u32, self, vertices, self.ratio, &mut wanted)?;
        wanted.to_vec()
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![wanted_lists::info::<()>()]
}
