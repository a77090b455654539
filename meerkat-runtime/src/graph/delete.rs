//! Deletion in the language itself (Awad et al., section IV-C, with tiles of 8
//! lanes in place of warps).

use super::adjacency::{Adjacency, spread};
use super::layout::{Edge, item_of_tile};
use super::options::Endpoint;
use super::search::{arc_and_list, holds, keys_of, place_of};
use crate::Error;
use crate::device::DeviceBuffer;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::{Graph, NULL_SLAB, TOMBSTONE_KEY};
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
        let keys = keys_of(graph, words, part);
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

/// Deletes a list of edges; `reversed`, from the lists of their destinations. A
/// tile takes `per_tile` edges, its lanes' in turn.
#[kernel]
fn delete_edges<W: Weight>(graph: &Graph<W>, edges: &[Edge<W>], per_tile: u32, reversed: bool) {
    let me = tile::<8>().lane_id();
    let i = item_of_tile(edges.len(), per_tile);
    let (arc, head) = arc_and_list(graph, edges, i, reversed);
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
    vec![delete_edges::info::<()>()]
}
