// The parameters of the closure are given by the graph.

use meerkat::prelude::*;

#[vertex_operator]
fn degrees(v: Vertex, graph: &Graph<u32>, out: &mut [u32]) {
    let mut degree = 0u32;
    for_each_neighbor(graph, v, true, |dst: u32, weight: u32| degree += weight);
    for_each_neighbor(graph, v, true, |mut dst| degree += dst);
    for_each_neighbor(graph, v, true, |&dst| degree += dst);
    out[v] = degree;
}

fn main() {}
