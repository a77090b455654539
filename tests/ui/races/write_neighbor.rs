// Two vertices may share a neighbour.

use meerkat::prelude::*;

#[vertex_operator]
fn push(v: Vertex, graph: &Graph, rank: &[f32], next: &mut [f32]) {
    for_each_neighbor(graph, v, true, |dst| {
        next[dst] = rank[v];
    });
}

fn main() {}
