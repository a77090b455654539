//! Arcs that go to the places of tombstones, which needs no memory: the way back of deletions, and
//! insertions of a batch that deletes, too.

use super::cursor::*;
use super::insert::{claim, count_at_hub, is_long_walk};
use super::layout::*;
use super::search::{arc_of_thread, is_inside};
use super::view::Compact;
use crate::Weight;
use crate::graph::layout::Edge;
use crate::program::KernelInfo;
use crate::scalar::*;
use meerkat_macros::{device, kernel};

/// Puts an arc into the place of a tombstone; whether that was still there.
#[device]
fn replace<W: Weight>(graph: &Compact<W>, at: Cursor, place: u32, arc: Edge<W>) -> bool {
    let slabs = select(at.in_record == 1, graph.records, graph.pool);
    let (slab, word) = (at.quad / 8, at.quad % 8 * 4 + place);
    if W::IS_WEIGHTED {
        let old = slabs[slab].word(word + 1).load();
        let before: u64 = (old as u64) << 32 | TOMBSTONE as u64;
        let after: u64 = (arc.weight.to_bits() as u64) << 32 | arc.dst as u64;
        slabs[slab].pair(word).compare_and_swap(before, after) == before
    } else {
        slabs[slab].word(word).compare_and_swap(TOMBSTONE, arc.dst) == TOMBSTONE
    }
}

/// Puts an arc into the place of a tombstone, or into an empty one where the walk comes to one first.
/// It is not there, and nobody searches meanwhile. What was deleted leaves a place for each arc that
/// comes back; where there is none, nothing happens. What `inserts` has no such place, and gives up as an
/// insertion does.
#[device]
fn restore_arc<W: Weight>(graph: &Compact<W>, arc: Edge<W>, inserts: bool) {
    let mut at: Cursor = record_of(graph.record, arc.src);
    loop {
        let slabs = select(at.in_record == 1, graph.records, graph.pool);
        let words: Words = read_at(slabs, at, false);
        let last: [u32; 4] = last_quad(at, words);
        let link: u32 = link_at::<W>(at, last);
        if leads_to_hub(at, link) {
            at = enter_hub(last, link, arc.dst);
            continue;
        }
        let tombstone: u32 = place_of::<W>(words, TOMBSTONE);
        let empty: u32 = place_of::<W>(words, EMPTY);
        let is_tombstone = tombstone < at.left.min(4) * 4;
        if is_tombstone || empty < NOWHERE {
            let mut is_own = false;
            if is_tombstone {
                is_own = replace(graph, at, tombstone, arc);
            } else {
                is_own = claim(graph, at.in_record == 1, at.quad, empty, arc) == EMPTY;
            }
            if is_own {
                if at.buckets != 0 {
                    if is_tombstone {
                        let end: u32 = end_of_record(graph.record, arc.src);
                        let word = end % 8 * 4 + state_place::<W>();
                        graph.records[end / 8].word(word).fetch_sub(1);
                    }
                    count_at_hub(graph, arc.src, at.buckets, arc.dst);
                }
                return;
            }
            continue;
        }
        if at.buckets != 0 {
            at = next_bucket(at);
            let is_long = inserts && is_long_walk(graph, arc.src, at);
            if is_long || at.probes >= at.buckets {
                return;
            }
        } else if at.left > 4 {
            at = rest_of_slab(at);
        } else if is_link(link) {
            at = follow(at, link);
        } else {
            return;
        }
    }
}

/// Puts edges, each of which is not there and named once, into the places of tombstones.
#[kernel]
pub(super) fn restore_arcs<W: Weight>(
    graph: &Compact<W>,
    edges: &[Edge<W>],
    reversed: bool,
    inserts: bool,
) {
    let arc: Edge<W> = arc_of_thread(graph, edges, edges.len(), reversed);
    if is_inside(graph, arc) {
        restore_arc(graph, arc, inserts);
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![restore_arcs::info::<()>(), restore_arcs::info::<f32>()]
}
