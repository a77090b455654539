// The closure is not a loop to leave.

use meerkat::prelude::*;

#[vertex_operator]
fn pull(v: Vertex, graph: &Graph, levels: &[u32], out: &mut [bool]) {
    let mut found = false;
    for_each_neighbor(graph, v, true, |src| {
        if levels[src] == 0 {
            break;
        }
        found |= true;
    });
    out[v] = found;
}

fn main() {}
