//! Searching for an arc and deleting it, by a lane alone.

use super::cursor::*;
use super::layout::*;
use super::view::Compact;
use crate::Weight;
use crate::frontier::{Frontier, block_enqueue_frontier};
use crate::graph::layout::{Edge, arc_at, as_listed, taken};
use crate::graph::search::has_edge;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::{Atomic, DeviceSlice, Slab};
use meerkat_macros::{device, kernel};

/// Where a key is in its list: the first quad that was read, and the place among its words.
/// [`NOWHERE`] if it is not there. By a lane alone; `is_fixed` if nobody writes the lists in this
/// launch.
#[device]
pub(super) fn search<W: Weight>(
    records: DeviceSlice<Slab>,
    pool: DeviceSlice<Slab>,
    record: u32,
    src: u32,
    dst: u32,
    is_fixed: bool,
) -> (Cursor, u32) {
    let mut at: Cursor = record_of(record, src);
    loop {
        let words: Words = read_at(select(at.in_record == 1, records, pool), at, is_fixed);
        let last: [u32; 4] = last_quad(at, words);
        let link: u32 = link_at::<W>(at, last);
        if leads_to_hub(at, link) {
            at = enter_hub(last, link, dst);
            continue;
        }
        let place: u32 = place_of::<W>(words, dst);
        if place < NOWHERE {
            return (at, place);
        }
        // Behind an empty place all are empty.
        if place_of::<W>(words, EMPTY) < NOWHERE {
            return (at, NOWHERE);
        }
        if at.buckets != 0 {
            at = next_bucket(at);
            if at.probes >= at.buckets {
                return (at, NOWHERE);
            }
        } else if at.left > 4 {
            at = rest_of_slab(at);
        } else if is_link(link) {
            at = follow(at, link);
        } else {
            return (at, NOWHERE);
        }
    }
}

/// Deletes an arc; its place stays taken. Whether it was there.
#[device]
pub(super) fn delete_arc<W: Weight>(graph: &Compact<W>, src: u32, dst: u32) -> bool {
    let (at, place): (Cursor, u32) =
        search::<W>(graph.records, graph.pool, graph.record, src, dst, false);
    if place >= NOWHERE {
        return false;
    }
    let slabs = select(at.in_record == 1, graph.records, graph.pool);
    let word = at.quad % 8 * 4 + place;
    // Of several lanes that delete one edge, one succeeds.
    let seen = slabs[at.quad / 8].word(word).compare_and_swap(dst, TOMBSTONE);
    if seen == dst && at.buckets != 0 {
        let end: u32 = end_of_record(graph.record, src);
        graph.records[end / 8].word(end % 8 * 4 + HUB_DEGREE).fetch_sub(1);
        graph.records[end / 8].word(end % 8 * 4 + state_place::<W>()).fetch_add(1);
    }
    seen == dst
}

/// Deletes a list of edges; `reversed`, from the lists of their destinations.
#[kernel]
pub(super) fn delete_arcs<W: Weight>(graph: &Compact<W>, edges: &[Edge<W>], reversed: bool) {
    let arc: Edge<W> = arc_of_thread(graph, edges, edges.len(), reversed);
    if is_inside(graph, arc) {
        delete_arc(graph, arc.src, arc.dst);
    }
}

/// Deletes the [`taken`] edges of a list, and lists the arcs that were there, with the weights
/// that the list has, if `gone` has room: as they lie in the lists if `mirrored`, else as the list
/// of edges has them.
#[kernel]
pub(super) fn delete_listed_arcs<W: Weight>(
    graph: &Compact<W>,
    edges: &[Edge<W>],
    limit: &[Atomic<u32>],
    whole: bool,
    reversed: bool,
    mirrored: bool,
    gone: &Frontier<Edge<W>>,
) {
    let arc: Edge<W> = arc_of_thread(graph, edges, taken(edges, limit, whole), reversed);
    let mut is_gone = false;
    if is_inside(graph, arc) {
        is_gone = delete_arc(graph, arc.src, arc.dst);
    }
    let listed: Edge<W> = as_listed(arc, reversed && !mirrored);
    block_enqueue_frontier(gone, listed, is_gone && gone.items.len() != 0);
}

/// Tells for each of a list of edges whether the graph has it: 1 or 0.
#[kernel]
pub(super) fn search_arcs<W: Weight>(
    graph: &Compact<W>,
    edges: &[Edge<W>],
    reversed: bool,
    found: &[Atomic<u32>],
) {
    let i = thread_id();
    if i < edges.len() {
        let arc: Edge<W> = arc_at(edges, i, reversed);
        let mut is_there = false;
        if is_inside(graph, arc) {
            is_there = has_edge(graph, arc.src, arc.dst);
        }
        found[i].store(is_there as u32);
    }
}

/// The arc that a thread brings of the first `count` edges of a list, as [`arc_at`] gives it; one
/// outside the graph if there is none.
#[device]
pub(super) fn arc_of_thread<W: Weight>(
    graph: &Compact<W>,
    edges: &[Edge<W>],
    count: u32,
    reversed: bool,
) -> Edge<W> {
    let i = thread_id();
    let mut arc: Edge<W> = Edge { src: graph.vertices, dst: 0, weight: W::ZERO };
    if i < count {
        arc = arc_at(edges, i, reversed);
    }
    arc
}

/// Whether both ends of an arc are vertices.
#[device]
pub(super) fn is_inside<W: Weight>(graph: &Compact<W>, arc: Edge<W>) -> bool {
    arc.src < graph.vertices && arc.dst < graph.vertices
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![delete_arcs::info::<()>(), delete_listed_arcs::info::<()>(), search_arcs::info::<()>()]
}
