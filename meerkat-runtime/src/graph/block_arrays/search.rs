//! Searching for an arc, deleting it, and its way back: by a lane alone.

use super::insert::revive;
use super::layout::*;
use super::view::Blocks;
use crate::Weight;
use crate::frontier::{Frontier, block_enqueue_frontier};
use crate::graph::layout::{Edge, arc_at, as_listed, taken};
use crate::graph::search::has_edge;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use meerkat_macros::{device, kernel};

/// Deletes an arc; its place stays taken until the list is tidied. Whether it was there, and whether
/// the list is to be noted now.
#[device]
fn delete_arc<W: Weight>(graph: &Blocks<W>, src: u32, dst: u32) -> (bool, bool) {
    let record: [u32; 4] = record_of(graph, src);
    let list = BlockList { first: record[0], used: record[1] };
    let (place, word): (u32, u32) = place_in(graph.blocks, list, dst);
    if word != dst {
        return (false, false);
    }
    let quad = list.first + place / 4;
    // Of several lanes that delete one edge, one succeeds.
    let cell = quad % 8 * 4 + place % 4;
    if graph.blocks[quad / 8].word(cell).compare_and_swap(dst, dst | GONE) != dst {
        return (false, false);
    }
    let before = graph.records[src / 8].word(src % 8 * 4 + DEAD).fetch_add(1) & KEY;
    // Once a fourth of a list is gone, and later from time to time: there may have been no room.
    let was_it = before as u64 * 4 >= list.used as u64;
    let is_it = before as u64 * 4 + 4 >= list.used as u64;
    let is_noted = is_it && (!was_it || (before + 1).count_ones() == 1);
    if is_noted {
        graph.records[src / 8].word(src % 8 * 4 + DEAD).fetch_or(NOTED);
    }
    (true, is_noted)
}

/// Deletes a list of edges; `reversed`, from the lists of their destinations.
#[kernel]
pub(super) fn delete_from_blocks<W: Weight>(graph: &Blocks<W>, edges: &[Edge<W>], reversed: bool) {
    let arc: Edge<W> = arc_of_round(graph, edges, edges.len(), reversed, 0);
    let mut is_noted = false;
    if is_inside(graph, arc) {
        let (_gone, noted): (bool, bool) = delete_arc(graph, arc.src, arc.dst);
        is_noted = noted;
    }
    block_enqueue_frontier(&graph.noted, arc.src, is_noted);
}

/// Deletes the [`taken`] edges of a list, and lists the arcs that were there, with the weights
/// that the list has, if `gone` has room: as they lie in the lists if `mirrored`, else as the list
/// of edges has them.
#[kernel]
pub(super) fn delete_listed_from_blocks<W: Weight>(
    graph: &Blocks<W>,
    edges: &[Edge<W>],
    limit: &[Atomic<u32>],
    whole: bool,
    reversed: bool,
    mirrored: bool,
    gone: &Frontier<Edge<W>>,
) {
    let arc: Edge<W> = arc_of_round(graph, edges, taken(edges, limit, whole), reversed, 0);
    let mut is_gone = false;
    let mut is_noted = false;
    if is_inside(graph, arc) {
        let (own, noted): (bool, bool) = delete_arc(graph, arc.src, arc.dst);
        is_gone = own;
        is_noted = noted;
    }
    let listed: Edge<W> = as_listed(arc, reversed && !mirrored);
    block_enqueue_frontier(&graph.noted, arc.src, is_noted);
    block_enqueue_frontier(gone, listed, is_gone && gone.items.len() != 0);
}

/// Takes back the deletion of a list of edges, each of which was there: where a list was not tidied
/// since, the key has its place still. Without, nothing happens.
#[kernel]
pub(super) fn restore_to_blocks<W: Weight>(graph: &Blocks<W>, edges: &[Edge<W>], reversed: bool) {
    let arc: Edge<W> = arc_of_round(graph, edges, edges.len(), reversed, 0);
    if is_inside(graph, arc) {
        let record: [u32; 4] = record_of(graph, arc.src);
        let list = BlockList { first: record[0], used: record[1] };
        let (place, word): (u32, u32) = place_in(graph.blocks, list, arc.dst);
        if word == arc.dst | GONE {
            if W::IS_WEIGHTED {
                let own: Site = site_of(list.first, list.used, graph.least);
                store_word(graph.blocks, list.first, own.places + place, arc.weight.to_bits());
            }
            revive(graph, arc.src, list.first + place / 4, place % 4, arc.dst);
        }
    }
}

/// Tells for each of a list of edges whether the graph has it: 1 or 0.
#[kernel]
pub(super) fn search_blocks<W: Weight>(
    graph: &Blocks<W>,
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

/// The arc that a thread brings of the first `count` edges of a list, of which `from` is thread
/// 0's, as [`arc_at`] gives it; one outside the graph if there is none.
#[device]
pub(super) fn arc_of_round<W: Weight>(
    graph: &Blocks<W>,
    edges: &[Edge<W>],
    count: u32,
    reversed: bool,
    from: u32,
) -> Edge<W> {
    let i = from + thread_id();
    let mut arc: Edge<W> = Edge { src: graph.vertices, dst: 0, weight: W::ZERO };
    if i < count {
        arc = arc_at(edges, i, reversed);
    }
    arc
}

/// Whether both ends of an arc are vertices.
#[device]
pub(super) fn is_inside<W: Weight>(graph: &Blocks<W>, arc: Edge<W>) -> bool {
    arc.src < graph.vertices && arc.dst < graph.vertices
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        delete_from_blocks::info::<()>(),
        delete_listed_from_blocks::info::<()>(),
        restore_to_blocks::info::<f32>(),
        search_blocks::info::<()>(),
    ]
}
