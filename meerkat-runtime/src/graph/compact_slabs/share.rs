//! Which edges of a list a lane takes: several, one after another. A lane that is done with one goes
//! on with the next while others of its warp are still at theirs, so a long list keeps no warp waiting.

use super::view::Compact;
use crate::Weight;
use crate::device::Device;
use crate::graph::layout::{Edge, arc_at};
use crate::scalar::*;
use meerkat_macros::{DeviceStruct, device};

/// The most edges of a lane: a bit each.
const MOST_EACH: usize = 16;

/// Edges of a list that a lane takes: the first, and how many in all, 32 apart.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub(super) struct Share {
    pub(super) first: u32,
    pub(super) count: u32,
}

/// How many edges of a list each lane takes, and for how many threads: no more lanes than run at
/// once.
pub(super) fn shares(device: &Device, edges: usize) -> (u32, u32) {
    // Half of the threads fit, by their registers. On the CPU each lane takes two, as several do on
    // a GPU.
    let lanes = if device.is_cuda() { device.threads_at_once() / 2 } else { edges.div_ceil(2) };
    let each = (edges / lanes.max(1)).clamp(1, MOST_EACH);
    (each as u32, edges.div_ceil(each).next_multiple_of(32) as u32)
}

/// The share of a lane in the first `count` edges of a list, where a lane takes `each`.
#[device]
pub(super) fn share_of_lane(count: u32, each: u32) -> Share {
    let me = lane_id();
    let base = thread_id() / 32 * 32 * each;
    let left = count - count.min(base);
    let wanted = select(left > me, (left - me.min(left) + 31) / 32, 0);
    Share { first: base + me, count: wanted.min(each) }
}

/// The arc that comes `number`th in a share, as [`arc_at`] gives it; one outside the graph if there
/// is none.
#[device]
pub(super) fn arc_of_share<W: Weight>(
    graph: &Compact<W>,
    edges: &[Edge<W>],
    share: Share,
    number: u32,
    reversed: bool,
) -> Edge<W> {
    let mut arc: Edge<W> = Edge { src: graph.vertices, dst: 0, weight: W::ZERO };
    if number < share.count {
        arc = arc_at(edges, share.first + number * 32, reversed);
    }
    arc
}

/// Whether both ends of an arc are vertices.
#[device]
pub(super) fn is_inside<W: Weight>(graph: &Compact<W>, arc: Edge<W>) -> bool {
    arc.src < graph.vertices && arc.dst < graph.vertices
}
