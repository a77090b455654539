// Other names for the neighbour loop.

use meerkat::prelude::*;

#[vertex_operator]
fn degrees(v: Vertex, graph: &Graph, out: &mut [u32]) {
    let mut degree = 0u32;
    for_each_neighbour(graph, v, true, |dst| degree += 1);
    for_each_neighbors(graph, v, true, |dst| degree += 1);
    for_each_edge(graph, v, |dst| degree += 1);
    for_each_updated_neighbour(graph, v, true, |dst| degree += 1);
    out[v] = degree;
}

fn main() {}
