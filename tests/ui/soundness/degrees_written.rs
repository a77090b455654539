// An operator reads a graph.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

#[vertex_operator]
fn forget(v: Vertex, graph: &Graph) {
    graph.degrees[v].store(0);
}

fn main() {}
