// An unweighted graph has `()` for a weight.

use meerkat::prelude::*;

#[vertex_operator]
fn total(v: Vertex, graph: &Graph, out: &mut [u32]) {
    let mut sum = 0u32;
    for_each_neighbor(graph, v, true, |dst, weight| sum += weight);
    out[v] = sum;
}

fn main() {}
