use meerkat::prelude::*;

/// Rows do not change, so nothing in them is an update.
#[vertex_operator]
fn count(v: Vertex, graph: &Rows, counts: &mut [u32]) {
    let mut count = 0u32;
    for_each_updated_neighbor(graph, v, true, |_dst| count += 1);
    counts[v] = count;
}

fn main() {}
