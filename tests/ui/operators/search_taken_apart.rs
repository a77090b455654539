// The result of a search in a pattern.

use meerkat::prelude::*;

#[vertex_operator]
fn f(v: Vertex, graph: &Graph, out: &mut [u32]) {
    let (found, _) = find_neighbor(graph, v, true, |dst| dst > v);
    out[v] = found;
}

fn main() {}
