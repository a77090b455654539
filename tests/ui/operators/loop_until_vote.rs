// A loop around a walk that ends by a vote, or by a `break` of some lanes.

use meerkat::prelude::*;

#[vertex_operator]
fn spread(v: Vertex, graph: &Graph, levels: &[Atomic<u32>]) {
    while warp_any(levels[v].load() == 0) {
        for_each_neighbor(graph, v, true, |dst| levels[dst].store(1));
    }
}

#[vertex_operator]
fn spread_until(v: Vertex, graph: &Graph, levels: &[Atomic<u32>]) {
    loop {
        for_each_neighbor(graph, v, true, |dst| levels[dst].store(1));
        if levels[v].load() == 1 {
            break;
        }
    }
}

#[vertex_operator]
fn spread_if(v: Vertex, graph: &Graph, levels: &[Atomic<u32>]) {
    if warp_any(levels[v].load() == 0) {
        for_each_neighbor(graph, v, true, |dst| levels[dst].store(1));
    }
}

fn main() {}
