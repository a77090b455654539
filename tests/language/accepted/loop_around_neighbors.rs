//! What the errors about loops around a walk advise.

use meerkat::prelude::*;

#[vertex_operator]
pub(super) fn spread(v: Vertex, graph: &Graph, rounds: u32, levels: &[Atomic<u32>]) {
    for round in 0..rounds {
        let waits = levels[v].load() == round;
        for_each_neighbor(graph, v, waits, |dst| {
            levels[dst].store(round + 1);
        });
    }
}

#[vertex_operator]
pub(super) fn spread_if(v: Vertex, graph: &Graph, levels: &[Atomic<u32>]) {
    let some = warp_any(levels[v].load() == 0);
    for_each_neighbor(graph, v, some, |dst| levels[dst].store(1));
}
