// The closure has its own way to reduce.

use meerkat::prelude::*;

#[vertex_operator]
fn spread(v: Vertex, graph: &Graph, degree: &[u32], out: &[Atomic<u32>]) {
    for_each_neighbor(graph, v, true, |dst| {
        let sum = warp_reduce_sum(degree[dst]);
        out[dst].fetch_add(sum);
    });
}

fn main() {}
