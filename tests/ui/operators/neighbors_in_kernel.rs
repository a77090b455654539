// The neighbour loop belongs to operators.

use meerkat::prelude::*;

#[kernel]
fn degrees(graph: &Graph, out: &mut [u32]) {
    let v = thread_id();
    let mut degree = 0u32;
    for_each_neighbor(graph, v, true, |dst| degree += 1);
    out[v] = degree;
}

fn main() {}
