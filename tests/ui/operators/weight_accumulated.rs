// Weights may be no numbers: `()` is one.

use meerkat::prelude::*;

#[vertex_operator]
fn lightest<W: Weight>(v: Vertex, graph: &Graph<W>, start: &[W], least: &mut [W]) {
    let mut low: W = start[v];
    for_each_neighbor(graph, v, true, |_dst, weight| {
        low = low.min(weight);
    });
    least[v] = low;
}

fn main() {}
