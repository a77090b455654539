// A search that counts whom it asks.

use meerkat::prelude::*;

#[vertex_operator]
fn asked(v: Vertex, graph: &Graph, marks: &[u32], out: &mut [u32]) {
    let mut asked = 0u32;
    let found = find_neighbor(graph, v, true, |dst| {
        asked += 1;
        marks[dst] == 1
    });
    out[v] = asked + found;
}

fn main() {}
