// The words of a graph are the graph's.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

#[vertex_operator]
fn overwrite(v: Vertex, graph: &Graph) {
    graph.slabs[v].word(31).store(7);
}

fn main() {}
