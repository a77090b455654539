// The minimum, as one would write it on the host.

use meerkat::prelude::*;

#[vertex_operator]
fn lowest(v: Vertex, graph: &Graph, label: &[u32], out: &mut [u32]) {
    let mut best = label[v];
    for_each_neighbor(graph, v, true, |dst| {
        if label[dst] < best {
            best = label[dst];
        }
    });
    out[v] = best;
}

fn main() {}
