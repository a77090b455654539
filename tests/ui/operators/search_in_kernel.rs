// A search in a kernel.

use meerkat::prelude::*;

#[kernel]
fn any(graph: &Graph, found: &mut [u32]) {
    let v = thread_id();
    let first = find_neighbor(graph, v, true, |dst| dst < v);
    found[v] = first;
}

fn main() {}
