// A closure sees only its lane's own part of what is joined.

use meerkat::prelude::*;

#[vertex_operator]
fn nearest(v: Vertex, graph: &Graph<f32>, out: &mut [ArgMin<f32>]) {
    let mut best = ArgMin::<f32>::IDENTITY;
    for_each_neighbor(graph, v, true, |dst, weight| {
        if weight < best.key {
            best = best.join(ArgMin { key: weight, vertex: dst });
        }
    });
    out[v] = best;
}

fn main() {}
