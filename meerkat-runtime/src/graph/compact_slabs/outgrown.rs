//! What a list is that is to be laid out again, and how it is emptied.

use super::build::lay_out_hub;
use super::cursor::end_of_record;
use super::insert::tombstones_of;
use super::layout::*;
use super::take::{NOTED, most_noted};
use super::view::Compact;
use crate::frontier::{Frontier, lane_enqueue_frontier};
use crate::graph::layout::{Edge, arc_at};
use crate::neighbors::Neighbors;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Vertex, Weight};
use meerkat_macros::{DeviceStruct, device, kernel};

/// A list as it is, and as it is to be.
#[derive(Clone, Copy, Debug, Default, DeviceStruct)]
#[repr(C)]
pub(super) struct Outgrown {
    pub(super) vertex: u32,
    pub(super) degree: u32,
    /// How many tombstones a hub has.
    pub(super) tombstones: u32,
    /// The first pair of buckets and how many, if it is a hub.
    pub(super) pair: u32,
    pub(super) pairs: u32,
    /// How many slabs it has, and how many quads they are.
    pub(super) slabs: u32,
    pub(super) quads: u32,
    /// The buckets that it is to have.
    pub(super) new_pair: u32,
    pub(super) new_pairs: u32,
}

/// What the list of a vertex is.
#[device]
pub(super) fn describe<W: Weight>(graph: &Compact<W>, v: Vertex) -> Outgrown {
    let own: CompactLists = graph.lists_of(v);
    let degree: u32 = graph.degree_of(v);
    let pair = select(own.pairs == 0, 0, own.quad / 8);
    let mut slabs = 0u32;
    let mut quads = 0u32;
    let mut chunk: CompactChunk = graph.first_chunk(own, 0);
    while own.pairs == 0 && graph.is_chunk(chunk) {
        slabs += (chunk.kind == OF_SLAB) as u32;
        quads += select(chunk.kind == OF_SLAB, chunk.words / 4, 0);
        let link: u32 = graph.read_word(chunk, graph.link_place(chunk));
        chunk = graph.next_chunk(chunk, link);
    }
    let mut tombstones = 0u32;
    if own.pairs != 0 {
        tombstones = tombstones_of(graph, v);
    }
    let (pairs, new_pair, new_pairs) = (own.pairs, 0u32, 0u32);
    Outgrown { vertex: v, degree, tombstones, pair, pairs, slabs, quads, new_pair, new_pairs }
}

/// The list of no vertex.
#[device]
pub(super) fn no_list() -> Outgrown {
    Outgrown {
        vertex: 0,
        degree: 0,
        tombstones: 0,
        pair: 0,
        pairs: 0,
        slabs: 0,
        quads: 0,
        new_pair: 0,
        new_pairs: 0,
    }
}

/// What some lists are.
#[kernel]
pub(super) fn describe_lists<W: Weight>(
    graph: &Compact<W>,
    vertices: &[Vertex],
    lists: &mut [Outgrown],
) {
    let i = thread_id();
    if i < lists.len() {
        lists[i] = describe(graph, vertices[i]);
    }
}

/// Empties some lists, a warp each, and lists the slabs that they leave. A list that is to be a
/// hub gets its buckets, another an empty record.
#[kernel]
pub(super) fn empty_outgrown<W: Weight>(
    graph: &Compact<W>,
    lists: &[Outgrown],
    left: &Frontier<u32>,
) {
    let i = global_warp_id();
    let me = lane_id();
    if i < lists.len() {
        let own = lists[i];
        let mut word = me;
        while word < own.pairs * 32 {
            graph.pool[own.pair + word / 32].word(word % 32).store(EMPTY);
            word += 32;
        }
        if me == 0 {
            let end: u32 = end_of_record(graph.record, own.vertex);
            let mut link: u32 = TOMBSTONE;
            if own.pairs == 0 {
                link = graph.records[end / 8].word(end % 8 * 4 + link_place::<W>()).load();
            }
            while is_link(link) {
                lane_enqueue_frontier(left, link, true);
                link = empty_slab(graph, link);
            }
            for k in 0..graph.record * 4 {
                let quad = own.vertex * graph.record + k / 4;
                graph.records[quad / 8].word(quad % 8 * 4 + k % 4).store(EMPTY);
            }
            if own.new_pairs != 0 {
                lay_out_hub(graph, own.vertex, own.new_pair, own.new_pairs);
            }
        }
    }
}

/// Clears the flags of the noted hubs. A vertex may be noted twice, so nothing is read by way of a cache.
#[kernel]
pub(super) fn forget_hubs<W: Weight>(graph: &Compact<W>) {
    let most: u32 = most_noted(graph);
    let count = graph.counters[NOTED].load().min(most);
    let mut i = thread_id();
    while i < count {
        let vertex = graph.counters[NOTED + 1 + i].load();
        let end: u32 = end_of_record(graph.record, vertex);
        let link = graph.records[end / 8].word(end % 8 * 4 + link_place::<W>()).load();
        if is_link(link) && class_of(link) == HUB {
            let word = end % 8 * 4 + state_place::<W>();
            graph.records[end / 8].word(word).fetch_and(NOTED_HUB - 1);
        }
        i += block_count() * block_size();
    }
}

/// Empties a slab and returns the link at its end.
#[device]
fn empty_slab<W: Weight>(graph: &Compact<W>, link: u32) -> u32 {
    let first: u32 = quad_of(link);
    let quads = 1 << class_of(link);
    let end = first + quads - 1;
    let next = graph.pool[end / 8].word(end % 8 * 4 + link_place::<W>()).load();
    for k in 0..quads * 4 {
        let quad = first + k / 4;
        graph.pool[quad / 8].word(quad % 8 * 4 + k % 4).store(EMPTY);
    }
    next
}

/// Counts the edges that have their end at each of some vertices, which ascend.
#[kernel]
pub(super) fn count_coming<W: Weight>(
    edges: &[Edge<W>],
    reversed: bool,
    vertices: &[Vertex],
    coming: &[Atomic<u32>],
) {
    let i = thread_id();
    if i < edges.len() {
        let src: Vertex = arc_at(edges, i, reversed).src;
        let mut first = 0u32;
        let mut end = vertices.len();
        while first < end {
            let middle = (first + end) / 2;
            if vertices[middle] < src {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        if first < vertices.len() && vertices[first] == src {
            coming[first].fetch_add(1);
        }
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        describe_lists::info::<()>(),
        count_coming::info::<()>(),
        count_coming::info::<u32>(),
        empty_outgrown::info::<()>(),
        empty_outgrown::info::<u32>(),
        forget_hubs::info::<()>(),
    ]
}
