// One variable, two ways to accumulate.

use meerkat::prelude::*;

#[vertex_operator]
fn mix(v: Vertex, graph: &Graph, value: &[u32], out: &mut [u32]) {
    let mut best = 0u32;
    for_each_neighbor(graph, v, true, |src| {
        best = best.max(value[src]);
        best += 1;
    });
    out[v] = best;
}

fn main() {}
