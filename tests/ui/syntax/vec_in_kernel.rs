// A list that grows.

use meerkat::prelude::*;

#[vertex_operator]
fn collect(v: Vertex, graph: &Graph, out: &mut [u32]) {
    let mut found: Vec<u32> = Vec::new();
    for_each_neighbor(graph, v, true, |dst| found.push(dst));
    out[v] = found.len();
}

fn main() {}
