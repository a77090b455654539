//! `_` for what nobody reads: a result, a neighbour, its weight.

use meerkat::prelude::*;

#[vertex_operator]
pub(super) fn degrees(v: Vertex, graph: &Graph<u32>, largest: &[Atomic<u32>], out: &mut [u32]) {
    let mut degree = 0u32;
    let mut weight_sum = 0u32;
    for_each_neighbor(graph, v, true, |_, _| degree += 1);
    for_each_neighbor(graph, v, true, |_, weight| weight_sum += weight);
    let _ = largest[0].fetch_max(weight_sum);
    out[v] = degree;
}
