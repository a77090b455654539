// A collective function, called for one neighbour at a time.

use meerkat::prelude::*;

#[device]
fn warp_total(value: u32) -> Uniform<u32> {
    warp_reduce_sum(value)
}

#[vertex_operator]
fn spread(v: Vertex, graph: &Graph, degree: &[u32], out: &[Atomic<u32>]) {
    for_each_neighbor(graph, v, true, |dst| {
        let sum = warp_total(degree[dst]);
        out[dst].fetch_add(sum);
    });
}

fn main() {}
