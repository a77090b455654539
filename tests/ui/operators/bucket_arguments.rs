// The number of the slab list is missing.

use meerkat::prelude::*;

#[vertex_operator]
fn walk(v: Vertex, graph: &Graph, out: &mut [u32]) {
    let mut sum = 0u32;
    for_each_bucket(graph, v, true, |dst| sum += dst);
    out[v] = sum;
}

fn main() {}
