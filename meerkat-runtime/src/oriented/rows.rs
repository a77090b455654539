//! The rows of an oriented graph, made from a graph in any container.

use crate::frontier::{Frontier, block_enqueue_frontier};
use crate::graph::{has_edge, out_degree};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::schedule::Schedule;
use crate::slab::Graph;
use crate::view::{Atomic, DeviceSlice, Slab};
use crate::{Neighbors, Vertex};
use meerkat_macros::{DeviceStruct, device, kernel, vertex_operator};

/// The out-neighbours of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Row {
    /// Where they begin: which four words of all slabs.
    pub quad: u32,
    /// How many there are.
    pub length: u32,
}

/// An oriented graph as kernels see it; the host has it as an
/// [`OrientedGraph`](super::OrientedGraph).
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct Oriented {
    /// The row of each vertex.
    pub rows: DeviceSlice<Row>,
    /// What the rows hold, in slabs for their loads of four words.
    pub keys: DeviceSlice<Slab>,
}

/// The out-neighbour at a place of a row.
#[device]
pub(super) fn key_at(graph: &Oriented, row: Row, place: u32) -> u32 {
    let quad: u32 = row.quad + place / 4;
    graph.keys[quad / 8].word(quad % 8 * 4 + place % 4).load()
}

/// Counts the arcs at both ends of each.
#[vertex_operator]
pub(super) fn count_ends<G: Neighbors>(v: Vertex, graph: &G, degrees: &[Atomic<u32>]) {
    degrees[v].fetch_add(out_degree(graph, v));
    for_each_neighbor(graph, v, true, |dst| {
        degrees[dst].fetch_add(1);
    });
}

/// Adds the arcs at `v` in two orientations.
#[vertex_operator]
pub(super) fn add_degrees<G: Neighbors>(v: Vertex, out: &G, into: &G, degrees: &[Atomic<u32>]) {
    degrees[v].store(out_degree(out, v) + out_degree(into, v));
}

/// Gives each vertex room for its neighbours, up to `longest`, in whole quads; those of
/// neighbouring vertices side by side.
#[kernel]
pub(super) fn place_rows(
    degrees: &[Atomic<u32>],
    longest: u32,
    next: &[Atomic<u32>],
    rows: &mut [Row],
) {
    let i = thread_id();
    let mut wanted = 0u32;
    if i < rows.len() {
        wanted = room_of(degrees[i].load(), longest) / 4;
    }
    let below = block_scan_sum(wanted);
    let all = block_reduce_sum(wanted);
    let mut first = 0u32;
    if block_thread_id() == 0 {
        first = next[0].fetch_add(all);
    }
    let base = block_broadcast(first, 0);
    if i < rows.len() {
        rows[i] = Row { quad: base + below, length: 0 };
    }
}

/// How many neighbours a row has room for: whole quads.
#[device]
fn room_of(degree: u32, longest: u32) -> u32 {
    (degree.min(longest) + 3) / 4 * 4
}

/// Appends each edge at `v` to the row of its lower end; among equals the smaller vertex
/// is lower. Where edges are `mirrored`, the two arcs of an edge are known to be there;
/// else an arc downwards counts if the opposite one is not.
#[vertex_operator]
pub(super) fn fill_rows<G: Neighbors>(
    v: Vertex,
    graph: &G,
    mirrored: bool,
    degrees: &[Atomic<u32>],
    longest: u32,
    lengths: &[Atomic<u32>],
    oriented: &Oriented,
) {
    for_each_neighbor(graph, v, true, |dst| {
        let degree = degrees[v].load();
        let other = degrees[dst].load();
        let ascends = degree < other || degree == other && v < dst;
        let low = select(ascends, v, dst);
        let high = select(ascends, dst, v);
        if v != dst && (ascends || !mirrored && !has_edge(graph, dst, v)) {
            let place = lengths[low].fetch_add(1);
            let quad = oriented.rows[low].quad + place / 4;
            // Where a graph has an edge twice, a row may be longer than any should be.
            if place < room_of(select(ascends, degree, other), longest) {
                oriented.keys[quad / 8].word(quad % 8 * 4 + place % 4).store(high);
            }
        }
    });
}

/// Writes down how long the rows are, and lists the vertices with more than `limit`.
#[kernel]
pub(super) fn list_rows(
    degrees: &[Atomic<u32>],
    longest: u32,
    lengths: &[Atomic<u32>],
    limit: u32,
    rows: &mut [Row],
    long: &Frontier<Vertex>,
) {
    let v = thread_id();
    let mut length = 0u32;
    if v < rows.len() {
        length = lengths[v].load().min(room_of(degrees[v].load(), longest));
        rows[v].length = length;
    }
    block_enqueue_frontier(long, v, length > limit);
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    let each = |schedule| {
        [count_ends::info_with::<Graph>(schedule), fill_rows::info_with::<Graph>(schedule)]
    };
    let mut kernels: Vec<_> = Schedule::ALL.into_iter().flat_map(each).collect();
    kernels.extend([add_degrees::info::<Graph>(), place_rows::info(), list_rows::info()]);
    kernels
}
