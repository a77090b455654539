// A difference accumulates like a sum, and is spelt as one.

use meerkat::prelude::*;

#[vertex_operator]
fn drain(v: Vertex, graph: &Graph, flow: &[f32], left: &mut [f32]) {
    let mut rest = left[v];
    for_each_neighbor(graph, v, true, |dst| {
        rest -= flow[dst];
    });
    left[v] = rest;
}

fn main() {}
