// In a walk the lanes are at other items than their own.

use meerkat::prelude::*;

#[vertex_operator]
fn shorten(v: Vertex, graph: &Graph<u32>, distances: &mut [u32]) {
    let mut least = u32::MAX;
    for_each_neighbor(graph, v, true, |_dst, weight| {
        least = least.min(distances[v] + weight);
    });
    distances[v] = least;
}

fn main() {}
