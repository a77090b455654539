//! Slab lists with far more slabs than their neighbours ask for, found among some vertices and laid
//! out again where they are: the first slabs stay, so that no row of new ones is needed.

use super::adjacency::Adjacency;
use super::build::buckets_of;
use super::convert::arcs_of;
use super::long_lists::count_linked;
use super::options::Endpoint;
use super::sweep::{MOST_LISTS, keep_at_once};
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, warp_enqueue_frontier};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::{Graph, SlabLists};
use crate::view::Atomic;
use crate::{Error, Vertex, Weight};
use meerkat_macros::{DeviceStruct, kernel};
use std::ops::Range;

/// A vertex whose lists have too many slabs.
#[derive(Clone, Copy, Debug, Default, DeviceStruct)]
#[repr(C)]
struct Wasteful {
    vertex: u32,
    degree: u32,
    first: u32,
    buckets: u32,
    /// How many of its lists it is to keep.
    kept: u32,
}

/// Lists the vertices among some that have more than twice the slabs that their neighbours ask for, as
/// far as `wasteful` has room. Lists are given up where there are more than three for one that is
/// wanted: what grows gets twice as many as it needs.
#[kernel]
fn find_wasteful_chains<W: Weight>(
    graph: &Graph<W>,
    first: Vertex,
    count: u32,
    ratio: u32,
    wasteful: &Frontier<Wasteful>,
) {
    let i = thread_id();
    let mut own = SlabLists { first: 0, buckets: 0 };
    let mut degree = 0u32;
    if i < count {
        own = graph.vertices[first + i];
        degree = graph.degrees[first + i].load();
    }
    let linked: u32 = count_linked(graph, own, i < count);
    let wanted = buckets_of(degree, ratio).max(1);
    let filled = degree / W::KEYS_PER_SLAB + 1;
    let has_tombstones = linked >= filled && own.buckets + linked >= 2 * wanted.max(filled);
    let has_shrunk = own.buckets / 3 > wanted;
    let kept = select(has_shrunk, wanted, own.buckets);
    let list = Wasteful { vertex: first + i, degree, first: own.first, buckets: own.buckets, kept };
    warp_enqueue_frontier(wasteful, list, i < count && (has_tombstones || has_shrunk));
}

impl<W: Weight> Adjacency<W> {
    /// Lays out some wasteful lists of these vertices: of how many. Memory is taken first; if that
    /// fails, all stay. Synchronises.
    pub(super) fn sweep_vertices(&mut self, vertices: Range<Vertex>) -> Result<usize, Error> {
        let (device, count) = (self.device().clone(), vertices.len());
        let found = DeviceBuffer::<Wasteful>::zeroed(&device, count.min(MOST_LISTS))?;
        let length = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 1)?;
        let wasteful = Frontier { items: found.view(), length: length.view() };
        let (first, threads, ratio) = (vertices.start, count as u32, self.ratio);
        find_wasteful_chains::launch(&device, threads, &*self, first, threads, ratio, wasteful)?;
        let length = (length.read(0, 1)?[0] as usize).min(found.len());
        let mut lists = found.read(0, length)?;
        if lists.is_empty() {
            return Ok(0);
        }
        keep_at_once(&mut lists, |list| list.degree);
        self.lay_out_in_place(&lists, vertices).map(|()| lists.len())
    }

    /// Lays lists out again in the first slabs that they keep.
    fn lay_out_in_place(
        &mut self,
        lists: &[Wasteful],
        vertices: Range<Vertex>,
    ) -> Result<(), Error> {
        // All that takes memory comes first.
        let ids: Vec<_> = lists.iter().map(|list| list.vertex).collect();
        let ids = DeviceBuffer::from_slice(self.device(), &ids)?;
        let arcs = arcs_of(self, &ids)?;
        let mut taken = self.take_lists(&ids)?;
        let given_up =
            lists.iter().flat_map(|list| list.first + list.kept..list.first + list.buckets);
        taken.heads.extend(given_up);

        self.empty_lists(self, false, &taken)?;
        self.reuse_slabs(taken)?;
        if lists.iter().any(|list| list.kept != list.buckets) {
            self.keep_first(lists, vertices)?;
        }
        // The pool has as many slabs as the neighbours fill: each list got all that it needs out of what
        // it gave up.
        self.fill(&arcs, &[Endpoint::Source])?;
        self.finish_filling()
    }

    /// Makes lists fewer.
    fn keep_first(&mut self, lists: &[Wasteful], vertices: Range<Vertex>) -> Result<(), Error> {
        let first = vertices.start as usize;
        let mut dictionary = self.lists().read(first, vertices.len())?;
        for list in lists {
            dictionary[list.vertex as usize - first].buckets = list.kept;
        }
        self.write_lists(first, &dictionary)
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![find_wasteful_chains::info::<()>()]
}
