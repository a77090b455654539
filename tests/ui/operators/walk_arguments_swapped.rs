// The vertex of a walk in front of its graph.

use meerkat::prelude::*;

#[vertex_operator]
fn f(v: Vertex, graph: &Graph, out: &mut [u32]) {
    let mut n = 0u32;
    for_each_neighbor(v, graph, true, |_dst| n += 1);
    out[v] = n;
}

fn main() {}
