//! Building: a block for each list, by its degree; keys in any order; each list sorted, and what was
//! there twice left out.

use super::edges::BlockEdges;
use super::few::*;
use super::layout::*;
use super::search::arc_of_round;
use super::sort::{Keys, SPAN, sort};
use super::take::take_block;
use super::view::Blocks;
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, block_enqueue_frontier, lane_enqueue_frontier};
use crate::graph::layout::Edge;
use crate::graph::options::Endpoint;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, Vertex, Weight};
use meerkat_macros::{device, kernel};

/// Counts the blocks of each class that lists of these degrees take, and the most of one list.
#[kernel]
fn count_classes(degrees: &[Atomic<u32>], least: u32, totals: &[Atomic<u32>]) {
    let i = thread_id();
    let mut degree = 0u32;
    if i < degrees.len() {
        degree = degrees[i].load();
    }
    if degree != 0 {
        totals[class_of(degree, least)].fetch_add_aggregated(1);
    }
    let most = block_reduce_max(degree);
    if block_thread_id() == 0 {
        totals[CLASSES].fetch_max(most);
    }
}

/// Gives each vertex from `first` on an empty block for its degree; none to those that have none.
#[kernel]
fn place_blocks<W: Weight>(graph: &Blocks<W>, degrees: &[Atomic<u32>], first: u32) {
    let v = first + thread_id();
    if v < graph.vertices {
        let mut degree = 0u32;
        if v < degrees.len() {
            degree = degrees[v].load();
        }
        let mut block = NO_BLOCK;
        if degree != 0 {
            block = take_block(graph, class_of(degree, graph.least));
        }
        store_record(graph, v, FIRST, block);
        store_record(graph, v, USED, 0);
        store_record(graph, v, DEAD, 0);
        store_record(graph, v, WAITING, degree);
    }
}

/// Puts edges into lists that have room for them, in any order.
#[kernel]
fn fill_blocks<W: Weight>(graph: &Blocks<W>, edges: &[Edge<W>], reversed: bool) {
    let arc: Edge<W> = arc_of_round(graph, edges, edges.len(), reversed, 0);
    if arc.src < graph.vertices {
        let site: Site = building_site(graph, arc.src);
        let place = graph.records[arc.src / 8].word(arc.src % 8 * 4 + USED).fetch_add(1);
        if place < site.places {
            store_word(graph.blocks, site.first, place, arc.dst);
            if W::IS_WEIGHTED {
                store_word(graph.blocks, site.first, site.places + place, arc.weight.to_bits());
            }
        }
    }
}

/// The block that a list was given; no places if it has none.
#[device]
fn building_site<W: Weight>(graph: &Blocks<W>, v: u32) -> Site {
    let record: [u32; 4] = record_of(graph, v);
    let mut site: Site = site_of(record[0], record[3], graph.least);
    site.places = select(record[3] == 0, 0, site.places);
    site
}

/// Sorts the lists of few keys, a lane each, and lists the others.
#[kernel]
fn sort_few<W: Weight>(graph: &Blocks<W>, released: &Frontier<Released>, long: &Frontier<Vertex>) {
    let v = thread_id();
    let mut left = Released { first: NO_BLOCK, class: 0 };
    let mut has_left = false;
    let mut is_long = false;
    if v < graph.vertices && load_record(graph, v, WAITING) != 0 {
        let site: Site = building_site(graph, v);
        let used = load_record(graph, v, USED).min(site.places);
        is_long = used > FEW;
        if !is_long {
            let mut few: Few = no_keys();
            let mut kept = 0u32;
            for j in 0..used {
                let key: u32 = load_word(graph.blocks, site.first, j);
                let mut bits = 0u32;
                if W::IS_WEIGHTED {
                    bits = load_word(graph.blocks, site.first, site.places + j);
                }
                if !has_key(few, key) {
                    few = with_key::<W>(few, key, bits);
                    kept += 1;
                }
            }
            let to: Site = fitting_site(graph, site, kept);
            // Without a block they stay in this one, to be looked at again.
            let is_placed = to.first != NO_BLOCK;
            let at = Site {
                first: select(is_placed, to.first, site.first),
                places: select(is_placed, to.places, site.places),
            };
            store_few::<W>(graph.blocks, at, few, 0, kept);
            left.first = site.first;
            left.class = class_of(load_record(graph, v, WAITING), graph.least);
            has_left = end_building(graph, v, site, to, kept);
        }
    }
    block_enqueue_frontier(released, left, has_left);
    block_enqueue_frontier(long, v, is_long);
}

/// Copies a key and its weight to another place.
#[device]
pub(super) fn move_key<W: Weight>(
    graph: &Blocks<W>,
    from: Site,
    place: u32,
    to: Site,
    to_place: u32,
) {
    store_word(graph.blocks, to.first, to_place, load_word(graph.blocks, from.first, place));
    if W::IS_WEIGHTED {
        let bits: u32 = load_word(graph.blocks, from.first, from.places + place);
        store_word(graph.blocks, to.first, to.places + to_place, bits);
    }
}

/// The smallest block for a list that has one: that, or another, or [`NO_BLOCK`].
#[device]
fn fitting_site<W: Weight>(graph: &Blocks<W>, from: Site, kept: u32) -> Site {
    let class: u32 = class_of(kept, graph.least);
    let mut to: Site = from;
    if kept == 0 {
        to = Site { first: NO_BLOCK, places: 0 };
    } else if places_of(class, graph.least) != from.places {
        to = Site { first: take_block(graph, class), places: places_of(class, graph.least) };
    }
    to
}

/// The list of a vertex is built, unless there was no block for it: then it is looked at again.
/// Whether it has left the block that it had.
#[device]
fn end_building<W: Weight>(graph: &Blocks<W>, v: u32, from: Site, to: Site, kept: u32) -> bool {
    store_record(graph, v, USED, kept);
    let is_placed = to.first != NO_BLOCK || kept == 0;
    if is_placed {
        store_record(graph, v, FIRST, to.first);
        store_record(graph, v, WAITING, 0);
        if kept != 0 {
            end_list(graph, to.first, kept);
        }
    }
    is_placed && to.first != from.first
}

/// Sorts long lists, a block each.
#[kernel]
fn sort_long<W: Weight>(graph: &Blocks<W>, released: &Frontier<Released>, long: &Frontier<Vertex>) {
    let me = block_thread_id();
    let memory = block_shared::<u64, SPAN>();
    let all = block_broadcast(long.length[0].load(), 0);
    let mut e = block_broadcast(block_id(), 0);
    while e < all {
        let v = block_broadcast(long.items[e], 0);
        let site: Site = building_site(graph, v);
        let used = block_broadcast(load_record(graph, v, USED), 0).min(site.places);
        let mut i = used + me;
        while i < site.places {
            store_word(graph.blocks, site.first, i, EMPTY);
            i += block_size();
        }
        block_barrier();
        let is_weighted = W::IS_WEIGHTED as u32;
        let keys = Keys { blocks: graph.blocks, site, is_weighted };
        sort(keys, site.places, &memory);
        let kept = block_broadcast(keep_first_keys(graph, site, used), 0);
        let mut to: Site = site;
        if me == 0 {
            to = fitting_site(graph, site, kept);
        }
        let first = block_broadcast(to.first, 0);
        let places = block_broadcast(to.places, 0);
        let to = Site { first, places };
        let mut k = me;
        while k < kept && first != NO_BLOCK && first != site.first {
            move_key(graph, site, k, to, k);
            k += block_size();
        }
        block_barrier();
        let mut has_left = false;
        let class: u32 = class_of(load_record(graph, v, WAITING), graph.least);
        block_barrier();
        if me == 0 {
            has_left = end_building(graph, v, site, to, kept);
        }
        lane_enqueue_frontier(released, Released { first: site.first, class }, has_left);
        e = block_broadcast(e + block_count(), 0);
    }
}

/// Of sorted keys keeps each once; how many. Collective of the block.
#[device]
fn keep_first_keys<W: Weight>(graph: &Blocks<W>, site: Site, used: u32) -> u32 {
    let all: u32 = block_broadcast(used, 0);
    let mut kept = block_broadcast(0u32, 0);
    let mut base = block_broadcast(0u32, 0);
    while base < all {
        let i = base + block_thread_id();
        let mut is_first = false;
        let mut key = 0u32;
        let mut bits = 0u32;
        if i < all {
            key = load_word(graph.blocks, site.first, i);
            if W::IS_WEIGHTED {
                bits = load_word(graph.blocks, site.first, site.places + i);
            }
            is_first = true;
            if i > 0 {
                // What is kept so far is below, or ends with the key before.
                is_first = load_word(graph.blocks, site.first, i - 1) != key;
            }
        }
        let below = block_scan_sum(is_first as u32);
        let own = block_reduce_sum(is_first as u32);
        block_barrier();
        if is_first {
            store_word(graph.blocks, site.first, kept + below, key);
            if W::IS_WEIGHTED {
                store_word(graph.blocks, site.first, site.places + kept + below, bits);
            }
        }
        block_barrier();
        kept = block_broadcast(kept + own, 0);
        base = block_broadcast(base + block_size(), 0);
    }
    kept
}

/// How many blocks of each class lists of these degrees take, and the most keys of one.
/// Synchronises.
pub(super) fn needs_of(
    degrees: &DeviceBuffer<Atomic<u32>>,
    least: u32,
) -> Result<([u64; CLASSES as usize], u32), Error> {
    let totals = DeviceBuffer::<Atomic<u32>>::zeroed(degrees.device(), CLASSES as usize + 1)?;
    count_classes::launch(degrees.device(), degrees.len() as u32, degrees, least, &totals)?;
    let totals = totals.to_vec()?;
    Ok((std::array::from_fn(|class| totals[class].into()), totals[CLASSES as usize]))
}

impl<W: Weight> BlockEdges<W> {
    /// Gives the vertices from `first` on their blocks. Queued on CUDA.
    pub(super) fn place(
        &self,
        degrees: &DeviceBuffer<Atomic<u32>>,
        first: u32,
    ) -> Result<(), Error> {
        place_blocks::launch(&self.device, self.vertices - first, self, degrees, first)
    }

    /// Puts edges into lists that are being built. Queued on CUDA.
    pub(super) fn fill_in(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        ends: &[Endpoint],
    ) -> Result<(), Error> {
        let threads = edges.len() as u32;
        let fill = |end: &Endpoint| {
            fill_blocks::launch(&self.device, threads, self, edges, end.is_reversed())
        };
        ends.iter().try_for_each(fill)
    }

    /// Sorts the lists that were built. Synchronises.
    pub(super) fn sort_lists(&mut self) -> Result<(), Error> {
        let (device, vertices) = (self.device.clone(), self.vertices);
        let released = DeviceBuffer::zeroed(&device, vertices as usize)?;
        let long = DeviceBuffer::<u32>::zeroed(&device, vertices as usize)?;
        let mut lengths = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 2)?;
        let left = Frontier { items: released.view(), length: lengths.view_of(0..1) };
        let list = Frontier { items: long.view(), length: lengths.view_of(1..2) };
        let most = device.threads_at_once() as u32;
        loop {
            sort_few::launch(&device, vertices, &*self, left, list)?;
            sort_long::launch(&device, most, &*self, left, list)?;
            self.put_back(left, vertices)?;
            lengths.write(0, &[0, 0])?;
            if !self.pool.is_exhausted()? {
                return Ok(());
            }
            self.grow(false)?;
        }
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        count_classes::info(),
        place_blocks::info::<()>(),
        fill_blocks::info::<()>(),
        fill_blocks::info::<f32>(),
        sort_few::info::<()>(),
        sort_few::info::<f32>(),
        sort_long::info::<()>(),
        sort_long::info::<f32>(),
    ]
}
