// A search whose closure ends with a statement.

use meerkat::prelude::*;

#[vertex_operator]
fn any(v: Vertex, graph: &Graph, found: &mut [u32]) {
    let first = find_neighbor(graph, v, true, |dst| {
        let near = dst < v;
    });
    found[v] = first;
}

fn main() {}
