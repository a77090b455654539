// The closure returns, breaks and yields a value to end early.

use meerkat::prelude::*;

#[vertex_operator]
fn find(v: Vertex, graph: &Graph, marks: &[u32], out: &mut [u32]) {
    let mut found = 0u32;
    for_each_neighbor(graph, v, true, |dst| {
        if marks[dst] == 1 {
            found = dst;
            return;
        }
    });
    out[v] = found;
}

fn main() {}
