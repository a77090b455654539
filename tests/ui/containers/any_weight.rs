use meerkat::prelude::*;

/// What edges carry is a number only if the operator says so.
#[vertex_operator]
fn sum<G: Neighbors>(v: Vertex, graph: &G, sums: &mut [u32]) {
    let mut sum = 0u32;
    for_each_neighbor(graph, v, true, |_dst, weight| sum += weight);
    sums[v] = sum;
}

fn main() {}
