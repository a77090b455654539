//! Edges in lists, as kernels see them.

use crate::Weight;
use crate::scalar::*;
use crate::view::Atomic;
use meerkat_macros::{DeviceStruct, device};

/// An edge, with its weight if the graph has weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Edge<W: Weight = ()> {
    /// Where it starts.
    pub src: u32,
    /// Where it ends.
    pub dst: u32,
    /// What it carries.
    pub weight: W,
}

/// An edge of a list as the slab lists of its sources have it or, `reversed`, those
/// of its destinations.
#[device]
pub(super) fn arc_at<W: Weight>(edges: &[Edge<W>], i: u32, reversed: bool) -> Edge<W> {
    let edge = edges[i];
    let src = select(reversed, edge.dst, edge.src);
    let dst = select(reversed, edge.src, edge.dst);
    Edge::<W> { src, dst, weight: edge.weight }
}

/// An arc as the list of edges has it that it came from, `reversed` or not.
#[device]
pub(super) fn as_listed<W: Weight>(arc: Edge<W>, reversed: bool) -> Edge<W> {
    let src = select(reversed, arc.dst, arc.src);
    let dst = select(reversed, arc.src, arc.dst);
    Edge::<W> { src, dst, weight: arc.weight }
}

/// How many edges of a list a kernel takes: the first `limit[0]`; or if they are to be taken
/// `whole`, none unless that is all of them.
#[device]
pub(super) fn taken<W: Weight>(edges: &[Edge<W>], limit: &[Atomic<u32>], whole: bool) -> u32 {
    let count = limit[0].load().min(edges.len());
    select(whole && count < edges.len(), 0, count)
}

/// No item of a list.
pub(super) const NO_ITEM: u32 = u32::MAX;

/// The item of a list of `count` that a lane brings to its tile, or [`NO_ITEM`]: a
/// tile of 8 lanes takes `per_tile` items, its lanes' in turn.
#[device]
pub(super) fn item_of_tile(count: u32, per_tile: u32) -> u32 {
    let me = tile::<8>().lane_id();
    let i = (thread_id() / 8) * per_tile + me;
    select(me < per_tile && i < count, i, NO_ITEM)
}
