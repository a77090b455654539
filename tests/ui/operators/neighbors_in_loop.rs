// A neighbour loop in a loop whose length differs.

use meerkat::prelude::*;

#[vertex_operator]
fn rounds(v: Vertex, graph: &Graph, times: &[u32], out: &[Atomic<u32>]) {
    for round in 0..times[v] {
        for_each_neighbor(graph, v, true, |dst| {
            out[dst].fetch_add(round);
        });
    }
}

fn main() {}
