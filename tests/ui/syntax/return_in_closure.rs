// The first neighbour is enough, thinks the author.

use meerkat::prelude::*;

#[vertex_operator]
fn has_unvisited(v: Vertex, graph: &Graph, levels: &[u32], out: &mut [bool]) {
    let mut found = false;
    for_each_neighbor(graph, v, true, |dst| {
        if levels[dst] != 0 {
            return;
        }
        found |= true;
    });
    out[v] = found;
}

fn main() {}
