// The sum is complete only after the loop.

use meerkat::prelude::*;

#[vertex_operator]
fn fill(v: Vertex, graph: &Graph, flow: &[u32], out: &mut [u32], full: &[Atomic<u32>]) {
    let mut sum = 0u32;
    for_each_neighbor(graph, v, true, |dst| {
        sum += flow[dst];
        if sum > 100 {
            full[v].store(1);
        }
    });
    out[v] = sum;
}

fn main() {}
