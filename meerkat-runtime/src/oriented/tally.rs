//! Who is told of the triangles that a pass finds, beside their total.

use crate::Vertex;
use crate::view::Atomic;
use meerkat_macros::{device, device_view};

/// What is counted. A triangle has a lowest corner, whose row has the two others: an edge to each of
/// them, at places of that row; and a third edge closes it, at a place of another row. Places are
/// numbered over all rows.
#[device]
pub(super) trait Tally {
    /// Whether anything is counted beside the total.
    const KEEPS: bool;
    /// The edge at a place closes a triangle.
    fn close(&self, place: u32);
    /// The edge at a place leads to another corner of `count` triangles, one that it has here.
    fn add_to_edge(&self, place: u32, corner: Vertex, count: u32);
    /// A vertex is the lowest corner of `count` triangles.
    fn add_to_lowest(&self, corner: Vertex, count: u64);
}

/// Nothing.
#[device_view(TotalBuffers)]
pub(super) struct Total {
    /// None.
    pub none: &[u32],
}

#[device]
impl Tally for Total {
    const KEEPS: bool = false;
    fn close(&self, _place: u32) {}
    fn add_to_edge(&self, _place: u32, _corner: Vertex, _count: u32) {}
    fn add_to_lowest(&self, _corner: Vertex, _count: u64) {}
}

/// The triangles of each vertex.
#[device_view(CornerBuffers)]
pub(super) struct Corners {
    /// By vertex.
    pub corners: &[Atomic<u64>],
}

#[device]
impl Tally for Corners {
    const KEEPS: bool = true;
    fn close(&self, _place: u32) {}
    fn add_to_edge(&self, _place: u32, corner: Vertex, count: u32) {
        self.corners[corner].fetch_add(count as u64);
    }
    fn add_to_lowest(&self, corner: Vertex, count: u64) {
        self.corners[corner].fetch_add(count);
    }
}

/// The triangles of each edge: its support.
#[device_view(SupportBuffers)]
pub(super) struct Supports {
    /// By the edge's place.
    pub support: &[Atomic<u32>],
}

#[device]
impl Tally for Supports {
    const KEEPS: bool = true;
    fn close(&self, place: u32) {
        self.support[place].fetch_add(1);
    }
    fn add_to_edge(&self, place: u32, _corner: Vertex, count: u32) {
        self.support[place].fetch_add(count);
    }
    fn add_to_lowest(&self, _corner: Vertex, _count: u64) {}
}
