//! Lists filled with those of another container, neighbour by neighbour: without a list of arcs, and
//! without a look at what is there.

use super::build::places_of_quad;
use super::cursor::*;
use super::edges::CompactEdges;
use super::insert::claim;
use super::layout::*;
use super::search::is_inside;
use super::view::Compact;
use crate::graph::layout::Edge;
use crate::launch::HostArg;
use crate::neighbors::Neighbors;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::schedule::Schedule;
use crate::slab::Graph;
use crate::view::{DeviceSlice, Slab};
use crate::{Error, Vertex, Weight};
use meerkat_macros::{device, kernel, vertex_operator};

/// A block has a hub: it counts what it put there.
const BLOCK_EACH: Schedule = Schedule::SlabList;

/// Copies the lists that are no hub's, a lane each: a neighbour goes to the place whose number it has
/// among those of its vertex.
#[kernel]
fn copy_lists<G: Neighbors>(source: &G, graph: &Compact<G::Carried>) {
    let v = thread_id();
    let mut is_one = false;
    if v < graph.vertices {
        let link: u32 = link_of(graph, v);
        is_one = !(is_link(link) && class_of(link) == HUB);
    }
    let mut placed = 0u32;
    for_each_neighbor(source, v, is_one, |dst, weight| {
        let arc = Edge::<G::Carried> { src: v, dst, weight };
        if is_inside(graph, arc) && <G::Carried as Weight>::is_ordered(weight) {
            put_arc(graph, placed, arc);
            placed += 1;
        }
    });
}

/// Copies the neighbours of `v` into its buckets, if it is a hub.
#[vertex_operator]
fn copy_hub<G: Neighbors>(v: Vertex, source: &G, graph: &Compact<G::Carried>) {
    let link: u32 = link_of(graph, v);
    let is_hub = is_link(link) && class_of(link) == HUB;
    let mut put = 0u32;
    for_each_neighbor(source, v, is_hub, |dst, weight| {
        let arc = Edge::<G::Carried> { src: v, dst, weight };
        if is_inside(graph, arc) && <G::Carried as Weight>::is_ordered(weight) {
            put += put_into_hub(graph, link, arc) as u32;
        }
    });
    if is_hub {
        let end: u32 = end_of_record(graph.record, v);
        graph.records[end / 8].word(end % 8 * 4 + HUB_DEGREE).store(put);
    }
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

/// Puts an arc that is not there into a bucket of its hub, unless all are full.
#[device]
fn put_into_hub<W: Weight>(graph: &Compact<W>, link: u32, arc: Edge<W>) -> bool {
    let end: u32 = end_of_record(graph.record, arc.src);
    let words: [u32; 4] = graph.records[end / 8].quad(end % 8);
    let mut at: Cursor = enter_hub(words, link, arc.dst);
    while at.probes < at.buckets {
        let words: Words = read_at(graph.pool, at, false);
        let empty: u32 = place_of::<W>(words, EMPTY);
        if empty >= NOWHERE {
            at = next_bucket(at);
        } else if claim(graph, false, at.quad, empty, arc) == EMPTY {
            return true;
        }
    }
    false
}

impl<W: Weight> CompactEdges<W> {
    /// Fills empty lists that were planned for the degrees of another container, which names each
    /// neighbour once. Queued on CUDA.
    pub(super) fn copy_from<G: Neighbors<Carried = W>>(
        &self,
        source: impl HostArg<G> + Copy,
    ) -> Result<(), Error> {
        copy_lists::launch(&self.device, self.vertices, source, self)?;
        // Only hubs have several.
        match self.most_lists {
            1 => Ok(()),
            _ => copy_hub::launch_with(BLOCK_EACH, &self.device, 0..self.vertices, source, self),
        }
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        copy_lists::info::<Graph>(),
        copy_lists::info::<Compact<u32>>(),
        copy_hub::info_with::<Graph>(BLOCK_EACH),
    ]
}
