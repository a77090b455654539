// A search whose result is used at once.

use meerkat::prelude::*;

#[vertex_operator]
fn has_leaf(v: Vertex, graph: &Graph, degrees: &[u32], found: &mut [u32]) {
    found[v] = find_neighbor(graph, v, true, |dst| degrees[dst] == 1);
}

fn main() {}
