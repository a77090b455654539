// The condition of an enqueue is its last argument.

use meerkat::prelude::*;

#[vertex_operator]
fn visit(v: Vertex, graph: &Graph, level: u32, levels: &[Atomic<u32>], next: &Frontier<Vertex>) {
    for_each_neighbor(graph, v, true, |dst| {
        if levels[dst].fetch_min(level) > level {
            warp_enqueue_frontier(next, dst, true);
        }
    });
}

fn main() {}
