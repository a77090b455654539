// A second vertex that is computed, and a weight.

use meerkat::prelude::*;

#[vertex_operator]
fn meet(v: Vertex, graph: &Graph<u32>, other: &[Atomic<u32>], seen: &[Atomic<u32>]) {
    for_each_common_neighbor(graph, v, other[v].load(), true, |w, weight| {
        seen[w].fetch_add(weight);
    });
}

fn main() {}
