// The closure gives the variable what two others make.

use meerkat::prelude::*;

#[vertex_operator]
fn find_nearest(v: Vertex, graph: &Graph<f32>, found: &[Atomic<u32>]) {
    let mut nearest = ArgMin::<f32>::IDENTITY;
    for_each_neighbor(graph, v, true, |dst, weight| {
        let own = ArgMin { key: weight, vertex: dst };
        nearest = own.join(ArgMin { key: 1.0, vertex: v });
    });
    found[v].store(nearest.vertex);
}

fn main() {}
