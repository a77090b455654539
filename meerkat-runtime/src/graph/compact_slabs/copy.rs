//! Lists filled with those of another container, neighbour by neighbour: without a list of arcs, and
//! without a look at what is there.

use super::build::places_of_quad;
use super::cursor::*;
use super::edges::CompactEdges;
use super::insert::claim;
use super::layout::*;
use super::search::is_inside;
use super::view::Compact;
use crate::graph::convert::OF_HUBS;
use crate::graph::layout::Edge;
use crate::graph::out_degree;
use crate::launch::HostArg;
use crate::neighbors::Neighbors;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::Graph;
use crate::view::{DeviceSlice, Slab};
use crate::{Error, Vertex, Weight};
use meerkat_macros::{device, kernel, vertex_operator};

/// Lanes that copy a list together.
const TILE: u32 = 8;
/// Vertices of a launch.
const AT_ONCE: u32 = 1 << 28;

/// Copies the lists that are no hub's, each by a tile of lanes: each neighbour goes to the place whose
/// number it has among those of its vertex. From vertex `begin` on.
#[kernel]
fn copy_lists<G: Neighbors>(source: &G, graph: &Compact<G::Carried>, begin: u32) {
    let v = begin + thread_id() / TILE;
    let mut is_one = false;
    if v < graph.vertices {
        let link: u32 = link_of(graph, v);
        is_one = !(is_link(link) && class_of(link) == HUB);
    }
    let lists: G::Lists = source.lists_of(select(is_one, v, 0));
    let count = select(is_one, source.count_lists(lists), 0);
    let mut list = 0u32;
    let mut chunk: G::Chunk = source.first_chunk(lists, 0);
    let mut placed = 0u32;
    while warp_any(list < count) {
        let goes_on = list < count && source.is_chunk(chunk);
        let words = select(goes_on, source.words_of(chunk), 0);
        let mut at = lane_id() % TILE;
        while warp_any(at < words) {
            let mut arc = Edge::<G::Carried> { src: v, dst: EMPTY, weight: G::Carried::ZERO };
            if at < words {
                let word: u32 = source.read_word(chunk, at);
                if source.is_neighbor_at(chunk, at, word) {
                    let mut after = 0u32;
                    if at % 2 == 0 && at + 1 < words {
                        after = source.read_word(chunk, at + 1);
                    }
                    arc.dst = word;
                    arc.weight = source.weight_at(chunk, at, after);
                }
            }
            let is_here = is_inside(graph, arc) && G::Carried::is_ordered(arc.weight);
            let tile = warp_ballot(is_here) >> (lane_id() / TILE * TILE);
            let below = tile & ((1 << lane_id() % TILE) - 1);
            if is_here {
                put_arc(graph, placed + below.count_ones(), arc);
            }
            placed += (tile & ((1 << TILE) - 1)).count_ones();
            at += TILE;
        }
        if goes_on {
            let last: u32 = source.read_word(chunk, words - 1);
            chunk = source.next_chunk(chunk, last);
        } else if list < count {
            list += 1;
            if list < count {
                chunk = source.first_chunk(lists, list);
            }
        }
    }
}

/// Copies the neighbours of `v` into its buckets, if it is a hub.
#[vertex_operator]
fn copy_hub<G: Neighbors>(v: Vertex, source: &G, graph: &Compact<G::Carried>) {
    let link: u32 = link_of(graph, v);
    let is_hub = is_link(link) && class_of(link) == HUB;
    if is_hub {
        let end: u32 = end_of_record(graph.record, v);
        let degree: u32 = out_degree(source, v);
        graph.records[end / 8].word(end % 8 * 4 + HUB_DEGREE).store(degree);
    }
    for_each_neighbor(source, v, is_hub, |dst, weight| {
        let arc = Edge::<G::Carried> { src: v, dst, weight };
        if is_inside(graph, arc) && <G::Carried as Weight>::is_ordered(weight) {
            put_into_hub(graph, link, arc);
        }
    });
}

/// The word at the end of a record, where a link may be.
#[device]
fn link_of<W: Weight>(graph: &Compact<W>, vertex: u32) -> u32 {
    let end: u32 = end_of_record(graph.record, vertex);
    graph.records[end / 8].word(end % 8 * 4 + link_place::<W>()).load()
}

/// Puts an arc that is not there into a place of its list. Where there is none, its container had named
/// fewer neighbours before: the arc is left out.
#[device]
fn put_arc<W: Weight>(graph: &Compact<W>, number: u32, arc: Edge<W>) {
    let mut place = number;
    let mut link: u32 = link_of(graph, arc.src);
    let per_quad: u32 = places_of_quad::<W>();
    // Where a list goes on, the last place is the link's.
    let mut places = graph.record * per_quad - is_link(link) as u32;
    if place < places {
        store_arc(graph.records, arc.src * graph.record, place, arc);
        return;
    }
    while is_link(link) {
        place -= places;
        let first: u32 = quad_of(link);
        let quads = 1 << class_of(link);
        let end = first + quads - 1;
        link = graph.pool[end / 8].word(end % 8 * 4 + link_place::<W>()).load();
        places = quads * per_quad - is_link(link) as u32;
        if place < places {
            store_arc(graph.pool, first, place, arc);
            return;
        }
    }
}

/// Stores an arc at a place from a quad on.
#[device]
fn store_arc<W: Weight>(slabs: DeviceSlice<Slab>, first: u32, place: u32, arc: Edge<W>) {
    let per_quad: u32 = places_of_quad::<W>();
    let quad = first + place / per_quad;
    let word = quad % 8 * 4 + place % per_quad * (4 / per_quad);
    if W::IS_WEIGHTED {
        let pair: u64 = (arc.weight.to_bits() as u64) << 32 | arc.dst as u64;
        slabs[quad / 8].pair(word).store(pair);
    } else {
        slabs[quad / 8].word(word).store(arc.dst);
    }
}

/// Puts an arc that is not there into a bucket of its hub.
#[device]
fn put_into_hub<W: Weight>(graph: &Compact<W>, link: u32, arc: Edge<W>) {
    let end: u32 = end_of_record(graph.record, arc.src);
    let words: [u32; 4] = graph.records[end / 8].quad(end % 8);
    let mut at: Cursor = enter_hub(words, link, arc.dst);
    while at.probes < at.buckets {
        let words: Words = read_at(graph.pool, at, false);
        let empty: u32 = place_of::<W>(words, EMPTY);
        if empty >= NOWHERE {
            at = next_bucket(at);
        } else if claim(graph, false, at.quad, empty, arc) == EMPTY {
            return;
        }
    }
}

impl<W: Weight> CompactEdges<W> {
    /// Fills empty lists that were planned for the degrees of another container, which names each
    /// neighbour once. Queued on CUDA.
    pub(super) fn copy_from<G: Neighbors<Carried = W>>(
        &self,
        source: impl HostArg<G> + Copy,
    ) -> Result<(), Error> {
        for begin in (0..self.vertices).step_by(AT_ONCE as usize) {
            let vertices = (self.vertices - begin).min(AT_ONCE);
            copy_lists::launch(&self.device, vertices * TILE, source, self, begin)?;
        }
        // Only hubs have several.
        match self.most_lists {
            1 => Ok(()),
            _ => copy_hub::launch_with(OF_HUBS, &self.device, 0..self.vertices, source, self),
        }
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        copy_lists::info::<Graph>(),
        copy_lists::info::<Compact<u32>>(),
        copy_hub::info_with::<Graph>(OF_HUBS),
    ]
}
