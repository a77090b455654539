//! Insertion by a lane alone: into a list that is short, and that nobody else is at.
//!
//! Most edges of a batch are the only ones of their list. The first lane that comes to a list keeps
//! others off for the rest of the launch and puts its key in; so nobody waits, and nobody has to see
//! what another has written. Who comes later, and all edges of longer lists, are left to the steps of
//! the round. The mark stays at the list, and says nothing in the next round: it has ten bits of the
//! round's number, and where an old one is taken for a new one, all edges of that list are left.

use super::few::*;
use super::insert::{NEW, NOTHING, revive};
use super::layout::*;
use super::merge::next_site;
use super::round::*;
use super::search::{arc_of_round, is_inside};
use super::view::Blocks;
use crate::Weight;
use crate::frontier::block_enqueue_frontier;
use crate::graph::layout::{Edge, taken};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use meerkat_macros::{device, kernel};

/// Inserts those edges of a round, from the edge `from` on, that are the first at a short list; lists
/// the others.
#[kernel]
pub(super) fn insert_alone<W: Weight>(
    graph: &Blocks<W>,
    edges: &[Edge<W>],
    limit: &[Atomic<u32>],
    whole: bool,
    reversed: bool,
    from: u32,
    round: &Round,
) {
    let i = thread_id();
    let mut released = Released { first: NO_BLOCK, class: 0 };
    let mut is_left = false;
    if i < round.outcomes.len() {
        let arc: Edge<W> = arc_of_round(graph, edges, taken(edges, limit, whole), reversed, from);
        let mut outcome = NOTHING;
        if is_inside(graph, arc) && W::is_ordered(arc.weight) {
            let record: [u32; 4] = record_of(graph, arc.src);
            is_left = true;
            if record[1] < FEW && record[3] != round.lock {
                let word = arc.src % 8 * 4 + WAITING;
                let seen =
                    graph.records[arc.src / 8].word(word).compare_and_swap(record[3], round.lock);
                // Nobody was here in this launch, so the list is as it was read.
                if seen == record[3] {
                    let list = BlockList { first: record[0], used: record[1] };
                    let (own, left): (u32, Released) = insert_one(graph, arc, list);
                    outcome = own;
                    released = left;
                    is_left = false;
                }
            }
        }
        round.outcomes[i].store(outcome);
    }
    block_enqueue_frontier(&round.left, i, is_left);
    block_enqueue_frontier(&round.released, released, released.first != NO_BLOCK);
}

/// Inserts an arc into a list that nobody else is at: what becomes of it, and the block that the list
/// has left.
#[device]
fn insert_one<W: Weight>(graph: &Blocks<W>, arc: Edge<W>, list: BlockList) -> (u32, Released) {
    let mut released = Released { first: NO_BLOCK, class: 0 };
    let used = list.used;
    let site: Site = site_of(list.first, used, graph.least);
    let few: Few = load_few::<W>(graph.blocks, site, used);
    let place: u32 = keys_below(few, arc.dst);
    if has_key(few, arc.dst) {
        if W::IS_WEIGHTED {
            store_word(graph.blocks, site.first, site.places + place, arc.weight.to_bits());
        }
        let is_new: bool = revive(graph, arc.src, site.first + place / 4, place % 4, arc.dst);
        return (select(is_new, NEW, NOTHING), released);
    }
    let to: Site = next_site(graph, site, used, 1);
    if to.first == NO_BLOCK {
        return (NOTHING, released);
    }
    let moves = to.first != site.first || used == 0;
    if moves && used != 0 {
        released = Released { first: site.first, class: class_of(used, graph.least) };
    }
    let more: Few = with_key::<W>(few, arc.dst, arc.weight.to_bits());
    store_few::<W>(graph.blocks, to, more, select(moves, 0, place), used + 1);
    let words: u64 = ((used + 1) as u64) << 32 | to.first as u64;
    graph.records[arc.src / 8].pair(arc.src % 8 * 4 + FIRST).store(words);
    (NEW, released)
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![insert_alone::info::<()>(), insert_alone::info::<f32>()]
}
