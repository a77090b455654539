// There is no product of the lanes.

use meerkat::prelude::*;

#[vertex_operator]
fn product(v: Vertex, graph: &Graph, value: &[f32], out: &mut [f32]) {
    let mut all = 1.0f32;
    for_each_neighbor(graph, v, true, |src| {
        all *= value[src];
    });
    out[v] = all;
}

fn main() {}
