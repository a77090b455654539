// The field of a struct of the item.

use meerkat::prelude::*;

#[vertex_operator]
fn any_neighbor(v: Vertex, graph: &Graph, out: &mut [u32]) {
    let mut edge = Edge { src: v, dst: 0u32, weight: 1u32 };
    for_each_neighbor(graph, v, true, |dst| {
        edge.dst = dst;
    });
    out[v] = edge.dst;
}

fn main() {}
