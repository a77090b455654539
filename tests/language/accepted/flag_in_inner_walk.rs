//! A flag that a walk in the closure of another raises: it is gathered, so the inner walk cannot end by it.

use meerkat::prelude::*;

#[vertex_operator]
pub(super) fn has_two_way_edge<G: Neighbors>(v: Vertex, graph: &G, out: &mut [u32]) {
    let mut any = false;
    for_each_neighbor(graph, v, true, |dst| {
        for_each_neighbor(graph, dst, true, |w| any |= w == v);
    });
    out[v] = any as u32;
}
