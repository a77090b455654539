// Types of the host as parameters.

use meerkat::prelude::*;

#[vertex_operator]
fn f(v: Vertex, graph: &SlabGraph, levels: &DeviceBuffer<u32>, next: &mut Frontier<Vertex>) {
    warp_enqueue_frontier(next, v, levels[v] == out_degree(graph, v));
}

fn main() {}
