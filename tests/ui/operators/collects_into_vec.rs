// Neighbours are collected into a list.

use meerkat::prelude::*;

#[vertex_operator]
fn gather(v: Vertex, graph: &Graph, out: &mut [u32]) {
    let mut found = Vec::new();
    for_each_neighbor(graph, v, true, |dst| found.push(dst));
    for dst in graph.neighbors(v) {
        out[v] = dst;
    }
}

fn main() {}
