// The neighbour loop needs the whole warp; the condition is its predicate.

use meerkat::prelude::*;

#[vertex_operator]
fn visit(v: Vertex, graph: &Graph, level: u32, levels: &[Atomic<u32>]) {
    if levels[v].load() == level {
        for_each_neighbor(graph, v, true, |dst| {
            levels[dst].fetch_min(level + 1);
        });
    }
}

fn main() {}
