// Many neighbours, one variable of the item.

use meerkat::prelude::*;

#[vertex_operator]
fn any_parent(v: Vertex, graph: &Graph, parent: &mut [u32]) {
    let mut found = u32::MAX;
    for_each_neighbor(graph, v, true, |src| {
        found = src;
    });
    parent[v] = found;
}

fn main() {}
