// A walk as a method of the graph.

use meerkat::prelude::*;

#[vertex_operator]
fn f(v: Vertex, graph: &Graph, out: &mut [u32]) {
    let mut n = 0u32;
    graph.for_each_neighbor(v, true, |_dst| n += 1);
    out[v] = n;
}

fn main() {}
