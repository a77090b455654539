//! Deletion in the language itself (Awad et al., section IV-C, with tiles of 8
//! lanes in place of warps).

use super::adjacency::{Adjacency, spread};
use super::layout::{Edge, as_listed, item_of_tile, taken};
use super::options::Endpoint;
use super::search::{arc_and_list, holds, keys_of, place_of};
use crate::Error;
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, block_enqueue_frontier};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::{Graph, NULL_SLAB, TOMBSTONE_KEY};
use crate::view::Atomic;
use crate::{TileUniform, Weight};
use meerkat_macros::{device, kernel};

/// The edge is not there.
pub(super) const ABSENT: u32 = 3;
/// The edge was there and is not any more.
pub(super) const DELETED: u32 = 4;

/// Deletes an edge; its place stays taken until compaction. Returns [`DELETED`]
/// or [`ABSENT`]. Collective of the tile.
#[device]
pub(super) fn delete_edge<W: Weight>(
    graph: &Graph<W>,
    head: TileUniform<8, u32>,
    dst: TileUniform<8, u32>,
) -> TileUniform<8, u32> {
    let part = tile::<8>().lane_id();
    let mut slab = head;
    while slab != NULL_SLAB {
        let words = graph.slabs[slab].quad(part);
        let keys = keys_of::<W>(words, part);
        let is_there = holds(keys, dst);
        let found = tile::<8>().ballot(is_there);
        if found != 0 {
            let mut seen = TOMBSTONE_KEY;
            if is_there {
                let place = part * 4 + place_of(keys, dst);
                // Of several tiles that delete one edge, one succeeds.
                seen = graph.slabs[slab].word(place).compare_and_swap(dst, TOMBSTONE_KEY);
            }
            let first = tile::<8>().broadcast(seen, found.trailing_zeros()) == dst;
            return if first { DELETED } else { ABSENT };
        }
        slab = tile::<8>().broadcast(words[3], 7);
    }
    ABSENT
}

/// Deletes the edges that the lanes of each tile bring, in turn: whether the lane's own was
/// there and is not any more. Collective of the tile.
#[device]
fn delete_in_turn<W: Weight>(graph: &Graph<W>, arc: Edge<W>, head: u32) -> bool {
    let me = tile::<8>().lane_id();
    let mut outcome = ABSENT;
    let mut work = tile::<8>().ballot(head != NULL_SLAB);
    while work != 0 {
        let lane = tile::<8>().dequeue(&mut work);
        let slab = tile::<8>().broadcast(head, lane);
        let key = tile::<8>().broadcast(arc.dst, lane);
        let deleted: TileUniform<8, u32> = delete_edge(graph, slab, key);
        if me == lane {
            outcome = deleted;
        }
    }
    if outcome == DELETED {
        graph.degrees[arc.src].fetch_sub(1);
    }
    outcome == DELETED
}

/// Deletes a list of edges; `reversed`, from the lists of their destinations. A
/// tile takes `per_tile` edges, its lanes' in turn.
#[kernel]
fn delete_edges<W: Weight>(graph: &Graph<W>, edges: &[Edge<W>], per_tile: u32, reversed: bool) {
    let i = item_of_tile(edges.len(), per_tile);
    let (arc, head) = arc_and_list(graph, edges, i, reversed);
    delete_in_turn(graph, arc, head);
}

/// Deletes the [`taken`] edges of a list, and lists the arcs that were there, with the weights
/// that the list has, if `gone` has room: as they lie in the slab lists if `mirrored`, else as
/// the list has them.
#[kernel]
pub(super) fn delete_and_list<W: Weight>(
    graph: &Graph<W>,
    edges: &[Edge<W>],
    limit: &[Atomic<u32>],
    whole: bool,
    per_tile: u32,
    reversed: bool,
    mirrored: bool,
    gone: &Frontier<Edge<W>>,
) {
    let count: u32 = taken(edges, limit, whole);
    let i = item_of_tile(count, per_tile);
    let (arc, head) = arc_and_list(graph, edges, i, reversed);
    let deleted: bool = delete_in_turn(graph, arc, head);
    let listed: Edge<W> = as_listed(arc, reversed && !mirrored);
    block_enqueue_frontier(gone, listed, deleted && gone.items.len() != 0);
}

impl<W: Weight> Adjacency<W> {
    /// Queues the deletion of edges from the lists of these ends of theirs.
    pub(super) fn queue_deletions(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
    ) -> Result<(), Error> {
        let (threads, per_tile) = spread(self.device(), edges.len());
        delete_edges::launch(self.device(), threads, self, edges, per_tile, end.is_reversed())
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![delete_edges::info::<()>(), delete_and_list::info::<()>()]
}
