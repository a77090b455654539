//! Conditions as predicates, reductions by accumulation, own items.

use meerkat::prelude::*;

#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct Node {
    pub parent: u32,
    pub level: u32,
}

const LIMIT: u32 = 3;

#[vertex_operator]
pub(super) fn visit(
    v: Vertex,
    graph: &Graph<u32>,
    level: u32,
    tree: &[Atomic<Node>],
    next: &Frontier<Vertex>,
) {
    let fresh = tree[v].load().level < level;
    for_each_neighbor(graph, v, fresh, |dst, weight| {
        let node = Node { parent: v, level };
        let adopted = weight < LIMIT && tree[dst].fetch_min(node).level > level;
        warp_enqueue_frontier(next, dst, adopted);
    });
}

#[vertex_operator]
pub(super) fn extremes(
    v: Vertex,
    graph: &Graph<f32>,
    value: &[f32],
    low: &mut [f32],
    high: &mut [f32],
    any: &mut [bool],
) {
    let mut least = f32::INFINITY;
    let mut most: f32 = 0.0;
    let mut loops = false;
    for_each_neighbor(graph, v, value[v] > 0.0, |dst, weight| {
        least = least.min(value[dst] * weight);
        most = most.max(value[dst] * weight);
        loops |= dst == v;
    });
    low[v] = least;
    high[v] = most;
    any[v] = loops;
}

#[edge_operator]
pub(super) fn relax(
    edge: Edge<u32>,
    graph: &Graph<u32>,
    distance: &[Atomic<u32>],
    next: &Frontier<Edge<u32>>,
) {
    let through = distance[edge.src].load().saturating_add(edge.weight);
    let improved = through < distance[edge.dst].fetch_min(through);
    for_each_neighbor(graph, edge.dst, improved, |dst, weight| {
        warp_enqueue_frontier(next, Edge { src: edge.dst, dst, weight }, true);
    });
}
