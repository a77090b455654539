//! Lists of compact slabs that take far more memory than their neighbours ask for, found among some
//! vertices.

use super::build::{Needs, needs_of, places_of_quad};
use super::edges::CompactEdges;
use super::lay_out::{LOAD_AGAIN, Refill, slabs_grown};
use super::layout::LARGEST;
use super::outgrown::{Outgrown, describe, no_list};
use super::pool::CLASSES;
use super::view::Compact;
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, warp_enqueue_frontier};
use crate::graph::sweep::{MOST_LISTS, keep_at_once};
use crate::launch::VertexItems;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::schedule::Schedule;
use crate::view::Atomic;
use crate::{Error, Vertex, Weight};
use meerkat_macros::{device, kernel};
use std::mem;
use std::ops::Range;

/// A list may grow by so many neighbours, and by this part of those that it has, before it is laid out
/// for fewer.
const SPARE: u32 = 1;
const SPARE_PART: u32 = 16;

/// The quads of slabs, beside its record, that a list takes at most whose neighbours came one after another. Of
/// each class below `open` it has a slab perhaps; `mask` goes through which of these it has.
#[device]
fn quads_grown<W: Weight>(degree: u32, record: u32, open: u32) -> u32 {
    let per_quad: u32 = places_of_quad::<W>();
    let mut most = 0u32;
    for mask in 0..(1u32 << open) {
        let mut left = degree;
        let mut places = record * per_quad;
        let mut class = 0u32;
        let mut quads = 0u32;
        while left > places {
            // The link takes the place of a key.
            left -= places - 1;
            while class < open && (mask >> class) & 1 == 0 {
                class += 1;
            }
            places = per_quad << class;
            quads += 1 << class;
            class = (class + 1).min(LARGEST);
        }
        most = most.max(quads);
    }
    most
}

/// Whether a list takes more memory than it would after it was laid out again and some neighbours came;
/// a hub, twice as much.
#[device]
fn is_wasteful<W: Weight>(list: Outgrown, record: u32, open: u32) -> bool {
    let degree = list.degree + list.degree / SPARE_PART + SPARE;
    let needs: Needs = needs_of::<W>(degree, record, LOAD_AGAIN);
    if list.pairs != 0 {
        return list.pairs >= needs.pairs * 2;
    }
    needs.pairs == 0 && list.quads > quads_grown::<W>(degree, record, open)
}

/// A lane walks a short list: what a warp finds together takes one atomic. (Tiles of 8 lanes took 0.30 ms for 65,536
/// lists of eleven neighbours on an H200, lanes take 0.05.)
const OF_SHORT: Schedule = Schedule::Thread;

/// The words that a search leaves: how many short lists there are and how many hubs; of the short ones
/// that are listed the arcs, the slabs, and the slabs of each class that they ask for.
const SHORT: usize = 0;
const HUBS: usize = 1;
const ARCS: u32 = 2;
const SLABS: u32 = 3;
const ASKED: u32 = 4;
const WORDS: usize = ASKED as usize + CLASSES;

/// Lists the wasteful lists of some vertices, as far as there is room: those that are no hubs' apart.
#[kernel]
fn find_wasteful<W: Weight>(
    graph: &Compact<W>,
    first: Vertex,
    count: u32,
    short: &Frontier<Outgrown>,
    hubs: &Frontier<Outgrown>,
) {
    let i = thread_id();
    let mut list = no_list();
    let mut wasteful = false;
    if i < count {
        list = describe(graph, first + i);
        wasteful = is_wasteful::<W>(list, graph.record, graph.open);
    }
    warp_enqueue_frontier(short, list, wasteful && list.pairs == 0);
    warp_enqueue_frontier(hubs, list, wasteful && list.pairs != 0);
}

/// Names the vertices of short lists, as many as are listed, and adds up what they are.
#[kernel]
fn sum_short<W: Weight>(
    lists: &[Outgrown],
    record: u32,
    vertices: &mut [Vertex],
    words: &[Atomic<u32>],
) {
    let i = thread_id();
    let listed = words[SHORT as u32].load().min(lists.len());
    let mut list = no_list();
    if i < listed {
        list = lists[i];
        vertices[i] = list.vertex;
    }
    let arcs = warp_reduce_sum(list.degree);
    let slabs = warp_reduce_sum(list.slabs);
    if lane_id() == 0 && arcs + slabs != 0 {
        words[ARCS].fetch_add(arcs);
        words[SLABS].fetch_add(slabs);
    }
    for class in 0..LARGEST + 1 {
        let asked = warp_reduce_sum(slabs_grown::<W>(list.degree, record, class));
        if lane_id() == 0 && asked != 0 {
            words[ASKED + class].fetch_add(asked);
        }
    }
}

/// Wasteful lists.
struct Wasteful {
    /// Those that are no hubs', and stay none: how many, on the device, with their vertices.
    short: DeviceBuffer<Outgrown>,
    vertices: DeviceBuffer<Vertex>,
    count: usize,
    /// What [`sum_short`] says of them.
    words: Vec<u32>,
    hubs: Vec<Outgrown>,
}

impl<W: Weight> CompactEdges<W> {
    /// Lays out some wasteful lists of these vertices: how many. Memory is taken first, of hubs apart from
    /// the others; if that fails, these stay, and the others may have moved. (No list is described anew
    /// between the two: short ones, laid out for all that comes, make no other list move.) Synchronises.
    pub(super) fn sweep_vertices(&mut self, vertices: Range<Vertex>) -> Result<usize, Error> {
        let mut wasteful = self.wasteful(vertices)?;
        let mut hubs = mem::take(&mut wasteful.hubs);
        let count = wasteful.count + hubs.len();
        if wasteful.count != 0 {
            self.lay_out_short(wasteful)?;
        }
        if !hubs.is_empty() {
            let rows = self.pairs_for(&hubs);
            self.pack_for(&mut hubs, &rows)?;
            self.lay_out(hubs, &rows)?;
        }
        Ok(count)
    }

    /// The wasteful lists of these vertices, as many as are laid out at once: of short ones as many as are
    /// listed, for each has at most 96 neighbours. Synchronises.
    fn wasteful(&self, vertices: Range<Vertex>) -> Result<Wasteful, Error> {
        let (device, count) = (&self.device, vertices.len());
        let short = DeviceBuffer::<Outgrown>::zeroed(device, count.min(MOST_LISTS))?;
        let hubs = DeviceBuffer::<Outgrown>::zeroed(device, count.min(MOST_LISTS))?;
        let words = DeviceBuffer::<Atomic<u32>>::zeroed(device, WORDS)?;
        let length = |word: usize| words.view_of(word..word + 1);
        let list = |items: &DeviceBuffer<Outgrown>, word| Frontier {
            items: items.view(),
            length: length(word),
        };
        let (to_short, to_hubs) = (list(&short, SHORT), list(&hubs, HUBS));
        let (first, threads) = (vertices.start, count as u32);
        find_wasteful::launch::<W>(device, threads, self, first, threads, to_short, to_hubs)?;
        let mut named = DeviceBuffer::<Vertex>::zeroed(device, short.len())?;
        let threads = short.len() as u32;
        sum_short::launch::<W>(device, threads, &short, self.record, &mut named, &words)?;
        let words = words.to_vec()?;
        let there = |word: usize, room: usize| (words[word] as usize).min(room);
        let count = there(SHORT, short.len());
        let mut hubs = hubs.read(0, there(HUBS, hubs.len()))?;
        keep_at_once(&mut hubs, |list| list.degree);
        Ok(Wasteful { short, vertices: named, count, words, hubs })
    }

    /// Lays out short lists, of which the host knows the sums alone: there are tens of thousands.
    fn lay_out_short(&mut self, wasteful: Wasteful) -> Result<(), Error> {
        let Wasteful { short, vertices, count, words, .. } = wasteful;
        let list = vertices.view_of(0..count);
        let items = VertexItems { list, ..VertexItems::all(count as u32) };
        let (arcs, slabs) = (words[ARCS as usize], words[SLABS as usize]);
        let layout = self.layout_of(short, (items, OF_SHORT), arcs.into(), slabs as usize)?;
        self.pool.reserve(std::array::from_fn(|class| words[ASKED as usize + class].into()))?;
        self.lay_out_there(layout, &[], Refill::Roomy)
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        find_wasteful::info::<()>(),
        find_wasteful::info::<u32>(),
        sum_short::info::<()>(),
        sum_short::info::<u32>(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;
    use crate::graph::batch::Batch;
    use crate::graph::dynamic_graph::DynamicGraph;
    use crate::graph::layout::Edge;
    use crate::graph::options::{Compaction, SlabOptions};

    const VERTICES: u32 = 75_000;

    /// 12 neighbours of each vertex below 70,000, and 400 of ten others.
    fn edges() -> impl Iterator<Item = Edge<()>> {
        let degree = |src| if src < 70_000 { 12 } else { 400 };
        let of = move |src| (1..=degree(src)).map(move |i| (src, (src + i) % VERTICES));
        (0..70_010).flat_map(of).map(|(src, dst)| Edge { src, dst, weight: () })
    }

    /// Whether an edge stays: the first two of a vertex, and twenty of each of the ten.
    fn stays(edge: &Edge<()>) -> bool {
        let number = (edge.dst + VERTICES - edge.src) % VERTICES;
        number <= if edge.src < 70_000 { 2 } else { 20 }
    }

    #[test]
    fn a_sweep_lays_out_as_many_short_lists_as_fit_and_the_next_one_the_rest() {
        let options = SlabOptions { compaction: Compaction::OnDemand, ..SlabOptions::DEFAULT };
        let (device, all) = (Device::cpu(), edges().collect::<Vec<_>>());
        let mut graph =
            DynamicGraph::<CompactEdges<()>>::from_edges(&device, VERTICES, &all, &options)
                .expect("a graph");
        let leaving: Vec<_> = edges().filter(|edge| !stays(edge)).collect();
        graph.apply(&Batch::new().delete(leaving)).expect("a batch");
        let mut laid_out = Vec::new();
        let swept = graph.each_orientation(|lists, _| {
            for _ in 0..3 {
                laid_out.push(lists.sweep_vertices(0..VERTICES)?);
            }
            Ok(())
        });
        swept.expect("sweeps");
        assert_eq!(laid_out[..3], [MOST_LISTS + 10, 70_000 - MOST_LISTS, 0]);
        graph.check_invariants().expect("what must hold");
        let mut found = graph.to_edges().expect("edges");
        found.sort_unstable_by_key(|edge| (edge.src, edge.dst));
        let mut kept: Vec<_> = edges().filter(stays).collect();
        kept.sort_unstable_by_key(|edge| (edge.src, edge.dst));
        assert_eq!(found, kept);
    }
}
