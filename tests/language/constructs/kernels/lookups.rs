//! What a kernel asks of the graph itself: edges, degrees, slabs.

use meerkat::prelude::*;
use meerkat::runtime::graph::{
    NOT_FOUND, NULL_SLAB, find_edge, has_edge, out_degree, search_edge, slab_list_of,
};
use meerkat::runtime::program::KernelInfo;

/// What is known of an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Found {
    pub by_tile: bool,
    pub by_lane: bool,
    pub weight: u64,
}

/// Edges, each looked up by a tile of 8 lanes and by a lane alone.
#[kernel]
pub fn edges(graph: &Graph<u32>, edges: &[Edge<u32>], out: &mut [Found]) {
    let i = thread_id();
    let mut edge = Edge::<u32> { src: 0, dst: 0, weight: 0 };
    if i < edges.len() {
        edge = edges[i];
    }
    let list = slab_list_of(graph, edge.src, edge.dst);
    let mut found = Found { by_tile: false, by_lane: false, weight: NOT_FOUND };
    found.by_lane = has_edge(graph, edge.src, edge.dst);
    let mut work = tile::<8>().ballot(i < edges.len());
    while work != 0 {
        let lane = tile::<8>().dequeue(&mut work);
        let head = tile::<8>().broadcast(list, lane);
        let dst = tile::<8>().broadcast(edge.dst, lane);
        let is_there: TileUniform<8, bool> = search_edge(graph, head, dst);
        let weight: TileUniform<8, u64> = find_edge(graph, head, dst);
        if tile::<8>().lane_id() == lane {
            found.by_tile = is_there;
            found.weight = weight;
        }
    }
    if i < out.len() {
        out[i] = found;
    }
}

/// The neighbours that know `v` as well, looked up in the closure.
#[vertex_operator]
pub fn mutual(v: Vertex, graph: &Graph<u32>, out: &mut [u32]) {
    let mut count = 0u32;
    for_each_neighbor(graph, v, true, |dst| {
        count += has_edge(graph, dst, v) as u32;
    });
    out[v] = count * 1000 + out_degree(graph, v);
}

/// The sum of `v`'s neighbours, by 16-byte loads of a lane alone.
#[vertex_operator]
pub fn quads(v: Vertex, graph: &Graph<u32>, out: &mut [u32]) {
    let lists = graph.vertices[v];
    let mut sum = 0u32;
    for bucket in 0..lists.buckets {
        let mut slab = lists.first + bucket;
        while slab != NULL_SLAB {
            let mut next = NULL_SLAB;
            for part in 0..8u32 {
                let words: [u32; 4] = graph.slabs[slab].quad(part);
                for k in 0..4u32 {
                    if graph.is_neighbor_at(slab, part * 4 + k, words[k]) {
                        sum += words[k];
                    }
                }
                next = words[3];
            }
            slab = next;
        }
    }
    out[v] = sum;
}

pub fn kernels() -> Vec<KernelInfo> {
    let mut kernels: Vec<_> = Schedule::ALL.into_iter().map(mutual::info_with).collect();
    kernels.extend([edges::info(), quads::info()]);
    kernels
}
