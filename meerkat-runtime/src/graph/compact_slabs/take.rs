//! How lanes take slabs out of the pool, and note lists for the host.
//!
//! The slabs of a class are in a row of slots: first those that were given back, then those of the
//! pages, which the host has mapped. Many lanes take slots at once, so [`COUNTERS`] counters of a
//! class count them: counter `s` the slots `s`, `s + 8`, `s + 16` and so on. A lane whose counter
//! has run out asks the others. What one warp takes together is one atomic.
//!
//! A size that gets no more pages (`pool/sizes.rs`) has run out most of the time: lanes look before they count.

use super::layout::*;
use super::view::Compact;
use crate::Weight;
use crate::scalar::*;
use meerkat_macros::device;

/// How many counters a class has.
pub(super) const COUNTERS: u32 = 8;
/// Words from one counter to the next: 128 bytes.
pub(super) const STRIDE: u32 = 32;
/// The word that says whether a lane found no slab.
pub(super) const EXHAUSTED: u32 = (LARGEST + 1) * COUNTERS * STRIDE;
/// The word that says whether an insertion gave up: its list is to be laid out again.
pub(super) const GIVEN_UP: u32 = EXHAUSTED + 1;
/// How many lists are noted as long or full; whose follow.
pub(super) const NOTED: u32 = EXHAUSTED + 2;
/// How many vertices can be noted, at least.
pub(super) const MOST_NOTED: u32 = 1 << 12;

/// A counter counts no further; 8 of them count no more slots than a word numbers.
const MOST_ASKED: u32 = 1 << 28;
/// No page, and no slab.
pub(super) const NONE: u32 = u32::MAX;
/// Slabs of 16 bytes to a page, by their exponent.
pub(super) const PAGE_BITS: u32 = 8;
/// 128 bytes to a page.
pub(super) const PAGE: u32 = 32;

/// The number of a slab of the pages of a class; [`NONE`] if that page is not there.
#[device]
pub(super) fn slab_of_page<W: Weight>(graph: &Compact<W>, class: u32, index: u32) -> u32 {
    let bits = PAGE_BITS - class;
    let entry = (index >> bits) * (LARGEST + 1) + class;
    let mut page = NONE;
    if entry < graph.pages.len() {
        page = graph.pages[entry];
    }
    select(page == NONE, NONE, page << bits | (index & ((1 << bits) - 1)))
}

/// The value of a class.
#[device]
fn of_class(values: [u32; 4], class: u32) -> u32 {
    let low = select(class == 0, values[0], values[1]);
    select(class < 2, low, select(class == 2, values[2], values[3]))
}

/// The number of the slab of a slot; [`NONE`] if its page is not there.
#[device]
pub(super) fn slab_of_slot<W: Weight>(graph: &Compact<W>, class: u32, slot: u32) -> u32 {
    let own: u32 = of_class(graph.given_back, class);
    if slot < own {
        let low = select(class == 0, 0, graph.given_back[0]);
        let high = select(class == 3, graph.given_back[2], 0);
        let first = low + select(class < 2, 0, graph.given_back[1]) + high;
        return graph.free[first + slot];
    }
    let fresh: u32 = of_class(graph.fresh, class);
    slab_of_page(graph, class, fresh + (slot - own))
}

/// Takes a slab of a class: its number, or [`NONE`].
#[device]
fn take_slab_of<W: Weight>(graph: &Compact<W>, class: u32) -> u32 {
    let mut own = global_warp_id() % COUNTERS;
    let mut asked = 0u32;
    let mut slab = NONE;
    while asked < COUNTERS && slab == NONE {
        let counter = (class * COUNTERS + own) * STRIDE;
        let mut may_have_one = true;
        if class < graph.open {
            let taken = graph.counters[counter].load().min(MOST_ASKED);
            let next: u32 = slab_of_slot(graph, class, taken * COUNTERS + own);
            may_have_one = next != NONE;
        }
        if may_have_one {
            let count = graph.counters[counter].fetch_add_aggregated(1);
            if count >= MOST_ASKED {
                // Lanes that find none count, too; the count must not begin again.
                graph.counters[counter].fetch_sub(1);
            } else {
                slab = slab_of_slot(graph, class, count * COUNTERS + own);
            }
        }
        own = (own + 1) % COUNTERS;
        asked += 1;
    }
    slab
}

/// Takes a slab out of the pool, of a class or, where that and some above it get no more pages, of the first of these
/// that has one: its link, or [`NONE`].
#[device]
pub(super) fn take_slab<W: Weight>(graph: &Compact<W>, class: u32) -> u32 {
    let mut of = class;
    let mut slab: u32 = take_slab_of(graph, of);
    while slab == NONE && of < graph.open {
        of += 1;
        slab = take_slab_of(graph, of);
    }
    if slab == NONE {
        graph.counters[EXHAUSTED].store(1);
        return NONE;
    }
    link_to(of, slab)
}

/// How many vertices can be noted.
#[device]
pub(super) fn most_noted<W: Weight>(graph: &Compact<W>) -> u32 {
    graph.counters.len() - NOTED - 1
}

/// Notes a vertex whose list is long, or whose buckets are full. Whether there was room.
#[device]
pub(super) fn note_list<W: Weight>(graph: &Compact<W>, vertex: u32) -> bool {
    let most: u32 = most_noted(graph);
    let mut at = most;
    if graph.counters[NOTED].load() < most {
        at = graph.counters[NOTED].fetch_add(1);
    }
    if at < most {
        graph.counters[NOTED + 1 + at].store(vertex);
    }
    at < most
}

/// Says that an insertion gave up.
#[device]
pub(super) fn give_up<W: Weight>(graph: &Compact<W>) {
    graph.counters[GIVEN_UP].store(1);
}
