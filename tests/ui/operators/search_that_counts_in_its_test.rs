// How many neighbours a search asks depends on the schedule, so it must not count them.

use meerkat::prelude::*;

#[vertex_operator]
fn first(v: Vertex, graph: &Graph, marks: &[u32], out: &mut [u32]) {
    let mut asked = 0u32;
    let found = find_neighbor(graph, v, true, |dst| {
        if marks[dst] == 1 {
            asked += 1;
            true
        } else {
            false
        }
    });
    out[v] = found + asked;
}

fn main() {}
