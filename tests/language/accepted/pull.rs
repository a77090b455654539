//! A sum over the neighbours, as on the first page of the documentation.

use meerkat::prelude::*;

#[vertex_operator]
pub(super) fn pull(
    v: Vertex,
    in_edges: &Graph,
    contribution: &[f32],
    rank: &mut [f32],
    base: f32,
    damping: f32,
) {
    let mut sum = 0.0f32;
    for_each_neighbor(in_edges, v, true, |u| sum += contribution[u]);
    rank[v] = base + damping * sum;
}
