//! Lists of compact slabs that take far more memory than their neighbours ask for, found among some
//! vertices.

use super::build::{Needs, needs_of};
use super::edges::CompactEdges;
use super::lay_out::{LOAD_AGAIN, Outgrown, describe};
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

/// So many quads more than twice what is needed are a waste.
const WASTE: u32 = 3;

/// Whether a list takes more than twice the memory that its neighbours ask for.
#[device]
fn is_wasteful<W: Weight>(list: Outgrown, record: u32) -> bool {
    let needs: Needs = needs_of::<W>(list.degree, record, LOAD_AGAIN);
    let of_slabs = needs.largest * 8 + (needs.lasts << needs.class);
    list.pairs * 8 + list.quads >= (needs.pairs * 8 + of_slabs) * 2 + WASTE
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
    let mut list = Outgrown {
        vertex: 0,
        degree: 0,
        tombstones: 0,
        pair: 0,
        pairs: 0,
        slabs: 0,
        quads: 0,
        new_pair: 0,
        new_pairs: 0,
    };
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
        self.lay_out(lists, &rows).map(|()| count)
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![find_wasteful::info::<()>(), find_wasteful::info::<u32>()]
}
