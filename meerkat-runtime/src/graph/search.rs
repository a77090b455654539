//! Search in the language itself: a tile of 8 lanes for each edge, a slab in one
//! 16-byte load a lane (Awad et al., section IV-B, with tiles in place of warps).

use super::layout::{Edge, NO_ITEM, arc_at, item_of_tile};
use crate::neighbors::{NOT_FOUND, Neighbors};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::{Graph, NO_KEY, NULL_SLAB, SlabLists};
use crate::view::Atomic;
use crate::{TileUniform, Weight};
use meerkat_macros::{device, kernel};

/// The first slab of the list that holds a key.
#[device]
pub fn slab_list_of<W: Weight>(graph: &Graph<W>, vertex: u32, key: u32) -> u32 {
    list_for(graph.vertices[vertex], key)
}

/// The same of a vertex's lists: multiplicative hashing, scaled to the number of lists.
#[device]
pub(super) fn list_for(lists: SlabLists, key: u32) -> u32 {
    let hash: u32 = key * 2654435769;
    let bucket: u64 = (hash as u64 * lists.buckets as u64) >> 32;
    lists.first + bucket as u32
}

/// The arc of an edge of a list, as [`arc_at`] gives it, and the first slab of the list
/// it belongs in; [`NULL_SLAB`] for [`NO_ITEM`] and for an edge outside the graph.
#[device]
pub(super) fn arc_and_list<W: Weight>(
    graph: &Graph<W>,
    edges: &[Edge<W>],
    i: u32,
    reversed: bool,
) -> (Edge<W>, u32) {
    let mut arc: Edge<W> = Edge { src: 0, dst: 0, weight: W::ZERO };
    let mut head = NULL_SLAB;
    if i != NO_ITEM {
        arc = arc_at(edges, i, reversed);
        if arc.src < graph.vertices.len() && arc.dst < graph.vertices.len() {
            head = slab_list_of(graph, arc.src, arc.dst);
        }
    }
    (arc, head)
}

/// How many edges leave a vertex.
#[device]
pub fn out_degree<G: Neighbors>(graph: &G, vertex: u32) -> u32 {
    graph.degree_of(vertex)
}

/// About how many edges leave a vertex, at less cost than [`out_degree`] in a container that does not
/// count them: to choose between two ways.
#[device]
pub fn about_out_degree<G: Neighbors>(graph: &G, vertex: u32) -> u32 {
    graph.about_degree_of(vertex)
}

/// How many lists a vertex has: what `for_each_bucket` counts to.
#[device]
pub fn bucket_count<G: Neighbors>(graph: &G, vertex: u32) -> u32 {
    graph.count_lists(graph.lists_of(vertex))
}

/// The weight that these bits are.
#[device]
pub fn edge_weight<G: Neighbors>(_graph: &G, bits: u32) -> G::Carried {
    G::Carried::from_bits(bits)
}

/// The four words of a slab that a lane of a tile has read, with [`NO_KEY`] for a weight
/// and for the link.
#[device]
pub(super) fn keys_of<W: Weight>(words: [u32; 4], part: u32) -> [u32; 4] {
    let ends = part == 7;
    if W::IS_WEIGHTED {
        return [words[0], NO_KEY, select(ends, NO_KEY, words[2]), NO_KEY];
    }
    [words[0], words[1], words[2], select(ends, NO_KEY, words[3])]
}

/// Whether one of a lane's four keys is this one.
#[device]
pub(super) fn holds(keys: [u32; 4], key: u32) -> bool {
    (keys[0] == key) | (keys[1] == key) | (keys[2] == key) | (keys[3] == key)
}

/// The first place of a key among a lane's four, which hold it.
#[device]
pub(super) fn place_of(keys: [u32; 4], key: u32) -> u32 {
    let back: u32 = select(keys[2] == key, 2, 3);
    select(keys[0] == key, 0, select(keys[1] == key, 1, back))
}

/// The bits of an edge's weight, 0 without weights, or [`NOT_FOUND`]; from the
/// slab its list starts with. Collective of the tile.
#[device]
pub fn find_edge<W: Weight>(
    graph: &Graph<W>,
    head: TileUniform<8, u32>,
    dst: TileUniform<8, u32>,
) -> TileUniform<8, u64> {
    let part = tile::<8>().lane_id();
    // Empty places and tombstones are no neighbours, not even of who asks for `u32::MAX`.
    let mut slab = select(dst < NO_KEY, head, NULL_SLAB);
    while slab != NULL_SLAB {
        let words = graph.slabs[slab].quad(part);
        let keys = keys_of::<W>(words, part);
        let found = tile::<8>().ballot(holds(keys, dst));
        if found != 0 {
            if !W::IS_WEIGHTED {
                return 0u64;
            }
            // A weight follows its key.
            let beside = select(keys[0] == dst, words[1], words[3]);
            return tile::<8>().broadcast(beside, found.trailing_zeros()) as u64;
        }
        slab = tile::<8>().broadcast(words[3], 7);
    }
    NOT_FOUND
}

/// Whether the edge is in the graph, from the slab its list starts with.
/// Collective of the tile.
#[device]
pub fn search_edge<W: Weight>(
    graph: &Graph<W>,
    head: TileUniform<8, u32>,
    dst: TileUniform<8, u32>,
) -> TileUniform<8, bool> {
    let bits: TileUniform<8, u64> = find_edge(graph, head, dst);
    bits != NOT_FOUND
}

/// [`find_edge`] by a lane alone, in a closure, an operator, or where lanes are apart.
#[device]
pub fn find_edge_alone<G: Neighbors>(graph: &G, src: u32, dst: u32) -> u64 {
    graph.find(src, dst)
}

/// Whether the edge is in the graph, found out by a lane alone ([`find_edge_alone`]).
#[device]
pub fn has_edge<G: Neighbors>(graph: &G, src: u32, dst: u32) -> bool {
    find_edge_alone(graph, src, dst) != NOT_FOUND
}

/// The neighbour of `v` at place `i` of its lists, or `u32::MAX` if it has no more than `i`.
/// By a lane alone; the lists are read up to it. Places change with every update.
#[device]
pub fn nth_neighbor<G: Neighbors>(graph: &G, v: u32, i: u32) -> u32 {
    let mut before = i;
    let found = find_neighbor(graph, v, true, |dst| {
        let is_it = before == 0;
        before -= 1;
        is_it
    });
    found
}

/// A neighbour of `v`, each as likely as another up to a part in 2^32 of its degree, or
/// `u32::MAX` if it has none: `random` is a word of [`random_u32`](crate::random::random_u32).
/// By a lane alone.
#[device]
pub fn random_neighbor<G: Neighbors>(graph: &G, v: u32, random: u32) -> u32 {
    let degree = out_degree(graph, v);
    nth_neighbor(graph, v, ((random as u64 * degree as u64) >> 32) as u32)
}

/// Tells for each of a list of edges whether the graph has it: 1 or 0. A tile
/// takes `per_tile` edges, its lanes' in turn.
#[kernel]
pub(super) fn search_edges<W: Weight>(
    graph: &Graph<W>,
    edges: &[Edge<W>],
    per_tile: u32,
    reversed: bool,
    found: &[Atomic<u32>],
) {
    let me = tile::<8>().lane_id();
    let i = item_of_tile(edges.len(), per_tile);
    let (arc, head) = arc_and_list(graph, edges, i, reversed);
    let mut present = false;
    let mut work = tile::<8>().ballot(head != NULL_SLAB);
    while work != 0 {
        let lane = tile::<8>().dequeue(&mut work);
        let slab = tile::<8>().broadcast(head, lane);
        let key = tile::<8>().broadcast(arc.dst, lane);
        let is_there: TileUniform<8, bool> = search_edge(graph, slab, key);
        if me == lane {
            present = is_there;
        }
    }
    if i != NO_ITEM {
        found[i].store(present as u32);
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![search_edges::info::<()>()]
}
