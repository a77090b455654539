// What is joined is not summed, too.

use meerkat::prelude::*;

#[vertex_operator]
fn nearest(v: Vertex, graph: &Graph<u32>, out: &mut [ArgMin<u32>]) {
    let mut best = ArgMin::<u32>::IDENTITY;
    for_each_neighbor(graph, v, true, |dst, weight| {
        best = best.join(ArgMin { key: weight, vertex: dst });
        best += dst;
    });
    out[v] = best;
}

fn main() {}
