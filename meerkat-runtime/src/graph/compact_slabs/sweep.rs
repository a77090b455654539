//! Lists of compact slabs that take far more memory than their neighbours ask for, found among some
//! vertices.

use super::build::{Needs, needs_of, places_of_quad};
use super::edges::CompactEdges;
use super::lay_out::LOAD_AGAIN;
use super::layout::LARGEST;
use super::outgrown::{Outgrown, describe, no_list};
use super::view::Compact;
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, warp_enqueue_frontier};
use crate::graph::sweep::{MOST_LISTS, keep_at_once};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, Vertex, Weight};
use meerkat_macros::{device, kernel};
use std::ops::Range;

/// A list may grow by so many neighbours, and by this part of those that it has, before it is laid out
/// for fewer.
const SPARE: u32 = 1;
const SPARE_PART: u32 = 16;

/// The quads of slabs, beside its record, of a list whose neighbours came one after another.
#[device]
fn quads_grown<W: Weight>(degree: u32, record: u32) -> u32 {
    let per_quad: u32 = places_of_quad::<W>();
    let mut left = degree;
    let mut places = record * per_quad;
    let mut next = 1u32;
    let mut quads = 0u32;
    while left > places {
        // The link takes the place of a key.
        left -= places - 1;
        places = next * per_quad;
        quads += next;
        next = (next * 2).min(1 << LARGEST);
    }
    quads
}

/// Whether a list takes more memory than it would after it was laid out again and some neighbours came;
/// a hub, twice as much.
#[device]
fn is_wasteful<W: Weight>(list: Outgrown, record: u32) -> bool {
    let degree = list.degree + list.degree / SPARE_PART + SPARE;
    let needs: Needs = needs_of::<W>(degree, record, LOAD_AGAIN);
    if list.pairs != 0 {
        return list.pairs >= needs.pairs * 2;
    }
    needs.pairs == 0 && list.quads > quads_grown::<W>(degree, record)
}

/// Lists the wasteful lists of some vertices, as far as `wasteful` has room.
#[kernel]
fn find_wasteful<W: Weight>(
    graph: &Compact<W>,
    first: Vertex,
    count: u32,
    wasteful: &Frontier<Outgrown>,
) {
    let i = thread_id();
    let mut list = no_list();
    if i < count {
        list = describe(graph, first + i);
    }
    warp_enqueue_frontier(wasteful, list, i < count && is_wasteful::<W>(list, graph.record));
}

impl<W: Weight> CompactEdges<W> {
    /// Lays out some wasteful lists of these vertices: how many. Memory is taken first; if that fails,
    /// all stay. Synchronises.
    pub(super) fn sweep_vertices(&mut self, vertices: Range<Vertex>) -> Result<usize, Error> {
        let (device, count) = (self.device.clone(), vertices.len());
        let found = DeviceBuffer::<Outgrown>::zeroed(&device, count.min(MOST_LISTS))?;
        let length = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 1)?;
        let wasteful = Frontier { items: found.view(), length: length.view() };
        find_wasteful::launch(
            &device,
            count as u32,
            &*self,
            vertices.start,
            count as u32,
            wasteful,
        )?;
        let length = (length.read(0, 1)?[0] as usize).min(found.len());
        let mut lists = found.read(0, length)?;
        if lists.is_empty() {
            return Ok(0);
        }
        keep_at_once(&mut lists, |list| list.degree);
        let (rows, count) = (self.pairs_for(&lists), lists.len());
        self.pack_for(&mut lists, &rows)?;
        self.lay_out(lists, &rows).map(|()| count)
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![find_wasteful::info::<()>(), find_wasteful::info::<u32>()]
}
