// Triangles, as one would write them on the host.

use meerkat::prelude::*;

#[vertex_operator]
fn triangles(v: Vertex, graph: &Graph, count: &[Atomic<u32>]) {
    for_each_neighbor(graph, v, true, |a| {
        for_each_neighbor(graph, a, true, |b| {
            if a < b {
                count[0].fetch_add(1);
            }
        });
    });
}

fn main() {}
