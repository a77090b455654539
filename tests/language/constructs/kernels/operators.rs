//! Vertex and edge operators, what they broadcast and enqueue.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// Reads in the closure what belongs to the lane: broadcast.
#[vertex_operator]
pub fn broadcasts(v: Vertex, graph: &Graph, offset: u32, values: &[u32], total: &[Atomic<u32>]) {
    let own = values[v] + offset;
    let shifted = own * 3;
    for_each_neighbor(graph, v, true, |dst| {
        total[dst].fetch_add(own);
        total[v].fetch_add(shifted + dst);
    });
}

/// No neighbours at all: an item and its own element.
#[vertex_operator]
pub fn own_item(v: Vertex, values: &[u32], out: &mut [u32]) {
    if values[v] > 10 {
        out[v] += values[v] * 2;
    } else {
        out[v] = v;
    }
}

/// The neighbours of an edge's destination, enqueued with the edge's weight.
#[edge_operator]
pub fn extend(
    edge: Edge<u32>,
    graph: &Graph<u32>,
    reached: &[Atomic<u32>],
    next: &Frontier<Edge<u32>>,
) {
    let through = edge.weight + 1;
    for_each_neighbor(graph, edge.dst, edge.src != edge.dst, |dst, weight| {
        reached[dst].fetch_add(through);
        warp_enqueue_frontier(
            next,
            Edge { src: edge.dst, dst, weight: through + weight },
            dst % 2 == 0,
        );
    });
}

/// An edge operator without a walk.
#[edge_operator]
pub fn count_endpoints(edge: Edge, degrees: &[Atomic<u32>]) {
    degrees[edge.src].fetch_add(1);
    degrees[edge.dst].fetch_add(0x10000);
}

/// An element of the output to each edge: what its ends have in common, and its target's sum.
#[edge_operator]
pub fn of_each_edge(edge: Edge<u32>, at: Place, graph: &Graph<u32>, out: &mut [u64]) {
    let (mut sum, mut tagged) = (0u32, 0u32);
    for_each_neighbor(graph, edge.dst, edge.weight != 3, |dst, weight| {
        sum += dst + weight;
        tagged = tagged.max(at * 7 % (dst + 2));
    });
    out[at] += (sum as u64) << 32 | (tagged + edge.src) as u64;
}

/// Two steps in a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceStruct)]
#[repr(C)]
pub struct TwoSteps {
    pub from: u32,
    pub over: u32,
    pub to: u32,
}

/// Items of any struct: whether an edge closes the triangle, and the item turned round.
#[edge_operator]
pub fn of_paths(path: TwoSteps, at: Place, graph: &Graph<u32>, turned: &mut [TwoSteps]) {
    let mut closes = false;
    let to: u32 = path.to;
    for_each_neighbor(graph, path.from, true, |dst| {
        closes |= dst == to;
    });
    let over = if closes { path.over } else { u32::MAX };
    turned[at] = TwoSteps { from: path.to, over, to: path.from + at };
}

/// Enqueues every item that passes, without a graph.
#[vertex_operator]
pub fn filter(v: Vertex, modulus: u32, next: &Frontier<Vertex>) {
    warp_enqueue_frontier(next, v * 2, v % modulus == 0);
}

/// The same from within a branch, each lane for itself; the odd ones as well.
#[kernel]
pub fn split(count: u32, even: &Frontier<u32>, odd: &Frontier<u32>) {
    let i = thread_id();
    if i % 2 == 0 {
        lane_enqueue_frontier(even, i, i < count);
    }
    warp_enqueue_frontier(odd, i, i < count && i % 2 == 1);
}

pub fn kernels() -> Vec<KernelInfo> {
    vec![
        broadcasts::info(),
        own_item::info(),
        extend::info(),
        count_endpoints::info(),
        of_each_edge::info(),
        of_paths::info(),
        filter::info(),
        split::info(),
    ]
}
