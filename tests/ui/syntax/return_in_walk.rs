// A walk that is to end at the first neighbour.

use meerkat::prelude::*;

#[device]
fn has_above(graph: &Graph, v: Vertex) -> bool {
    for_each_neighbor(graph, v, true, |dst| {
        if dst > v {
            return;
        }
    });
    false
}

fn main() {}
