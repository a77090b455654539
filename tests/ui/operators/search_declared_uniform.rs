// A search whose result is to be the same in all lanes.

use meerkat::prelude::*;

#[vertex_operator]
fn any(v: Vertex, graph: &Graph, found: &mut [u32]) {
    let first: Uniform<u32> = find_neighbor(graph, v, true, |dst| dst < v);
    found[v] = first;
}

fn main() {}
