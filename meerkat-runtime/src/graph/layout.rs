//! Edges in lists, as kernels see them.

use crate::Weight;
use crate::scalar::*;
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
