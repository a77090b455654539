// What is compared is a number.

use meerkat::prelude::*;

#[vertex_operator]
fn nearest(v: Vertex, graph: &Graph<u32>, out: &mut [u32]) {
    let mut best = ArgMin::<(u32, u32)>::IDENTITY;
    for_each_neighbor(graph, v, true, |dst, weight| {
        best = best.join(ArgMin { key: (weight, dst), vertex: dst });
    });
    out[v] = best.vertex;
}

fn main() {}
