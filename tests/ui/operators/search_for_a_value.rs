// A search that is to return what it computes.

use meerkat::prelude::*;

#[vertex_operator]
fn any(v: Vertex, graph: &Graph<u32>, found: &mut [u32]) {
    let first = find_neighbor(graph, v, true, |dst, weight| weight + 1);
    found[v] = first;
}

fn main() {}
