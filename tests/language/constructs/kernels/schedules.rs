//! Operators for every schedule: hubs, values lent and gathered, single lists.

use meerkat::prelude::*;
use meerkat::runtime::frontier::block_enqueue_frontier;
use meerkat::runtime::graph::{bucket_count, out_degree};
use meerkat::runtime::program::KernelInfo;

/// What one vertex gathered.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Gathered {
    pub wide: u64,
    pub ratio: f32,
    pub sum: u32,
    pub least: i32,
    pub most: u32,
    pub bits: u32,
    pub flags: u32,
}

/// Every kind of accumulation over what every kind of value is compared with.
#[vertex_operator]
pub fn gather(v: Vertex, graph: &Graph<u32>, values: &[i32], out: &mut [Gathered]) {
    let own = values[v];
    let share = own as f32 * 0.5;
    let far = (own as u64) << 33;
    let is_even = v % 2 == 0;
    let mut gathered =
        Gathered { wide: 1, ratio: 0.25, sum: 5, least: 90, most: 2, bits: 0, flags: 0 };
    let (mut sum, mut wide, mut ratio) = (7u32, 3u64, 1.0f32);
    let (mut least, mut most, mut bits) = (100i32, 1u32, 0u32);
    let (mut met_even, mut met_odd) = (false, v % 3 == 0);
    for_each_neighbor(graph, v, own != 13, |dst, weight| {
        sum += weight;
        wide += far + dst as u64;
        // Whole numbers and halves below 2^23 add up alike in any order.
        ratio += share + 1.0;
        least = least.min(values[dst] - own);
        most = most.max(dst + weight % 3);
        bits |= 1 << (dst % 32);
        met_even |= is_even && dst % 2 == 0;
        met_odd |= dst % 2 == 1;
    });
    gathered.sum = sum;
    gathered.wide = wide;
    gathered.ratio = ratio;
    gathered.least = least;
    gathered.most = most;
    gathered.bits = bits;
    gathered.flags = met_even as u32 | (met_odd as u32) << 1;
    out[v] = gathered;
}

/// The neighbours of an edge's end, enqueued and counted.
#[edge_operator]
pub fn spread(
    edge: Edge<u32>,
    graph: &Graph<u32>,
    seen: &[Atomic<u32>],
    next: &Frontier<Edge<u32>>,
) {
    let reach = edge.weight + 1;
    for_each_neighbor(graph, edge.dst, edge.src != edge.dst, |dst, weight| {
        seen[dst].fetch_add(reach);
        warp_enqueue_frontier(
            next,
            Edge { src: edge.dst, dst, weight: reach + weight },
            dst % 2 == 0,
        );
    });
}

/// Each neighbour, enqueued as often as it is one. Nothing is done before the walk and
/// nothing handed back, so blocks may share a hub.
#[vertex_operator]
pub fn push(v: Vertex, graph: &Graph<u32>, seen: &[Atomic<u32>], next: &Frontier<Vertex>) {
    let share = v;
    for_each_neighbor(graph, v, true, |dst, weight| {
        seen[dst].fetch_add(weight + share);
        warp_enqueue_frontier(next, dst, dst != v);
    });
}

/// Whether some neighbour, and whether all neighbours but some, are marked: the walk
/// may end with the first.
#[vertex_operator]
pub fn look(v: Vertex, graph: &Graph<u32>, marks: &[u32], out: &mut [u32]) {
    let mut found = v % 5 == 0;
    for_each_neighbor(graph, v, v % 7 != 0, |dst, weight| {
        if weight % 2 == 0 {
            found |= marks[dst] == 1;
        }
    });
    out[v] = found as u32;
}

/// One vertex after another: the next numbers below the end.
#[vertex_operator]
pub fn count_up(
    v: Vertex,
    graph: &Graph<u32>,
    step: u32,
    end: u32,
    seen: &[Atomic<u32>],
    next: &Frontier<Vertex>,
) {
    seen[v].fetch_add(step + 1);
    for_each_neighbor(graph, v, v < end, |dst| {
        warp_enqueue_frontier(next, dst, dst == v + 1);
    });
}

/// The numbers that `every` divides, in one order within each block.
#[kernel]
pub fn choose(every: u32, count: u32, chosen: &Frontier<Vertex>) {
    let i = thread_id();
    block_enqueue_frontier(chosen, i, i < count && i % every == 0);
}

/// Two walks, the second by what the first found, in a loop of the launch.
#[vertex_operator]
pub fn repeated(v: Vertex, rounds: u32, graph: &Graph<u32>, out: &mut [u32]) {
    let mut total = 0u32;
    for round in 0..rounds {
        let mut found = 0u32;
        for_each_neighbor(graph, v, total % 2 == 0, |dst| {
            found += dst + round;
        });
        total += found + 1;
    }
    out[v] = total;
}

/// The neighbours in one of a vertex's slab lists, and in all of them by turns.
#[vertex_operator]
pub fn buckets(v: Vertex, graph: &Graph<u32>, most: u32, out: &mut [u32], last: &mut [u32]) {
    let mut sum = 0u32;
    let lists = bucket_count(graph, v);
    for bucket in 0..most {
        for_each_bucket(graph, v, bucket, bucket < lists, |dst, weight| {
            sum += dst * weight;
        });
    }
    let mut count = 0u32;
    for_each_bucket(graph, v, lists - 1, true, |_dst| {
        count += 1;
    });
    out[v] = sum;
    last[v] = count + out_degree(graph, v) * 1_000_000;
}

/// The neighbours that were inserted last, beside all.
#[vertex_operator]
pub fn updates(v: Vertex, graph: &Graph<u32>, new: &mut [u32], all: &mut [u32]) {
    let (mut sum, mut count) = (0u32, 0u32);
    for_each_updated_neighbor(graph, v, v != 7, |dst, weight| {
        sum += dst * weight + v;
    });
    for_each_neighbor(graph, v, true, |_dst| count += 1);
    new[v] = sum;
    all[v] = count;
}

/// Floats that a GPU may fuse.
#[kernel]
pub fn polynomial(x: &[f32], out: &mut [f32]) {
    let i = thread_id();
    if i < x.len() {
        out[i] = (x[i] * x[i] + 0.1) * x[i] / 3.0 + x[i].sqrt();
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    let of = |schedule| {
        [
            gather::info_with(schedule),
            spread::info_with(schedule),
            push::info_with(schedule),
            look::info_with(schedule),
            count_up::info_with(schedule),
            repeated::info_with(schedule),
            buckets::info_with(schedule),
            updates::info_with(schedule),
        ]
    };
    let mut kernels: Vec<_> = Schedule::ALL.into_iter().flat_map(of).collect();
    kernels.push(polynomial::info());
    kernels.push(choose::info());
    kernels
}
