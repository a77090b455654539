// A walk over updates in a kernel, whose author distributes the work.

use meerkat::prelude::*;

#[kernel]
fn fresh(graph: &Graph, out: &mut [u32]) {
    let i = thread_id();
    let mut count = 0u32;
    for_each_updated_neighbor(graph, i, true, |_dst| count += 1);
    out[i] = count;
}

fn main() {}
