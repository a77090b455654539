//! The triangles that a batch makes or breaks: a search from each of its edges.

use meerkat_runtime::graph::{NULL_SLAB, is_neighbor, out_degree, search_edge, slab_list_of};
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// What a triangle counts: a third and a half of it are whole numbers.
pub(super) const SIXTHS: u64 = 6;

/// Whether an ascending list of edges has this one: 1 or 0.
#[device]
fn is_listed(edges: &[Edge], src: Vertex, dst: Vertex) -> u32 {
    let mut low = 0u32;
    let mut high = edges.len();
    while low < high {
        let middle = low + (high - low) / 2;
        let edge = edges[middle];
        if edge.src < src || edge.src == src && edge.dst < dst {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let mut found = 0u32;
    if low < edges.len() {
        found = (edges[low].src == src && edges[low].dst == dst) as u32;
    }
    found
}

/// The common neighbours of `u` and `v`, in sixths: one that closes a triangle
/// with `k` edges of `changed` counts a `k`-th, for the triangle is found from
/// each of them. Adds it to the neighbour's corners too. Collective of the tile.
#[device]
fn common_neighbors(
    graph: &Graph,
    u: TileUniform<8, u32>,
    v: TileUniform<8, u32>,
    changed: &[Edge],
    sign: u64,
    corners: &[Atomic<u64>],
) -> TileUniform<8, u64> {
    let part = tile::<8>().lane_id();
    let lists = graph.vertices[u];
    let mut own = 0u64;
    for bucket in 0..lists.buckets {
        let mut slab = lists.first + bucket;
        while slab != NULL_SLAB {
            let keys: [u32; 4] = graph.slabs[slab].quad(part);
            for k in 0..4u32 {
                let key = keys[k];
                let list = slab_list_of(graph, v, key);
                let wanted = is_neighbor(graph, part * 4 + k, key) && key != u && key != v;
                let mut work = tile::<8>().ballot(wanted);
                while work != 0 {
                    let lane = tile::<8>().dequeue(&mut work);
                    let w = tile::<8>().broadcast(key, lane);
                    let head = tile::<8>().broadcast(list, lane);
                    let closes: TileUniform<8, bool> = search_edge(graph, head, w);
                    if closes && part == lane {
                        let new = 1 + is_listed(changed, u, w) + is_listed(changed, v, w);
                        let sixths = SIXTHS / new as u64;
                        own += sixths;
                        corners[w].fetch_add(sixths * sign);
                    }
                }
            }
            slab = tile::<8>().broadcast(keys[3], 7);
        }
    }
    tile::<8>().reduce_sum(own)
}

/// Counts the triangles over each of the changed edges, ascending, in sixths, and adds
/// `sign` times them, wrapping, to the total and to what their corners have. The graph
/// has both arcs of an edge, and one of them counts.
#[kernel]
pub fn close_triangles(
    changed: &[Edge],
    graph: &Graph,
    sign: u64,
    corners: &[Atomic<u64>],
    total: &[Atomic<u64>],
) {
    let i = thread_id();
    let mut near = 0u32;
    let mut far = 0u32;
    let mut pending = i < changed.len();
    if pending {
        let edge = changed[i];
        pending = edge.src < edge.dst;
        // The shorter list is walked, the longer one is searched.
        let swap = out_degree(graph, edge.src) > out_degree(graph, edge.dst);
        near = select(swap, edge.dst, edge.src);
        far = select(swap, edge.src, edge.dst);
    }
    let mut found = 0u64;
    let mut work = tile::<8>().ballot(pending);
    while work != 0 {
        let lane = tile::<8>().dequeue(&mut work);
        let u = tile::<8>().broadcast(near, lane);
        let v = tile::<8>().broadcast(far, lane);
        let common: TileUniform<8, u64> = common_neighbors(graph, u, v, changed, sign, corners);
        if tile::<8>().lane_id() == lane {
            found = common * sign;
        }
    }
    if found != 0 {
        corners[near].fetch_add(found);
        corners[far].fetch_add(found);
    }
    let sum = tile::<8>().reduce_sum(found);
    if tile::<8>().lane_id() == 0 && sum != 0 {
        total[0].fetch_add(sum);
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![close_triangles::info()]
}
