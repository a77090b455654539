// A search that marks whom it asks.

use meerkat::prelude::*;

#[vertex_operator]
fn claim(v: Vertex, graph: &Graph, marks: &[Atomic<u32>], found: &mut [u32]) {
    let first = find_neighbor(graph, v, true, |dst| marks[dst].swap(1) == 0);
    found[v] = first;
}

fn main() {}
