// The running sum of a lane is no one's sum.

use meerkat::prelude::*;

#[vertex_operator]
fn visit(v: Vertex, graph: &Graph, flow: &[u32], next: &Frontier<Vertex>) {
    let mut sum = 0u32;
    for_each_neighbor(graph, v, true, |dst| {
        sum += flow[dst];
        warp_enqueue_frontier(next, sum, true);
    });
}

fn main() {}
