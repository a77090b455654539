// A histogram of the neighbours, in an array of the item.

use meerkat::prelude::*;

#[vertex_operator]
fn spread(v: Vertex, graph: &Graph, out: &mut [u32]) {
    let mut bins = [0u32; 4];
    for_each_neighbor(graph, v, true, |dst| {
        bins[dst % 4] += 1;
    });
    out[v] = bins[0];
}

fn main() {}
