//! The triangles that a batch makes or breaks.

use meerkat_runtime::dynamic::asked_vertex;
use meerkat_runtime::graph::{EdgeSet, contains_edge, has_edge, out_degree};
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// What a triangle counts: a third and a half of it are whole numbers.
pub(super) const SIXTHS: u32 = 6;

/// Puts what `v` has counted, as a corner of each triangle, into sixths.
#[vertex_operator]
pub(super) fn into_sixths(v: Vertex, corners: &[Atomic<u64>]) {
    corners[v].store(corners[v].load() * SIXTHS as u64);
}

/// Copies how many triangles vertices are corners of.
#[vertex_operator]
pub(super) fn copy_counts(
    i: Vertex,
    vertices: &[Vertex],
    corners: &[Atomic<u64>],
    copies: &mut [u64],
) {
    let v: Vertex = asked_vertex(vertices, i);
    if v < corners.len() {
        copies[i] = corners[v].load() / SIXTHS as u64;
    }
}

/// Marks the arcs that begin at the end of lower degree of their edge: of the two of an edge, one. Sets the bit of
/// each vertex in `ends`, since the arcs begin at all ends of edges.
#[vertex_operator]
pub(super) fn mark_lower(
    i: Vertex,
    edges: &[Edge],
    graph: &Graph,
    is_lower: &mut [u32],
    ends: &[Atomic<u32>],
) {
    let Edge { src, dst, .. } = edges[i];
    let bit = 1u32 << (src % 32);
    // Most arcs of a batch may begin at one vertex.
    if ends[src / 32].load() & bit == 0 {
        ends[src / 32].fetch_or(bit);
    }
    let (degree, other) = (out_degree(graph, src), out_degree(graph, dst));
    is_lower[i] = (degree < other || degree == other && src < dst) as u32;
}

/// Counts the triangles over a changed edge, in sixths, from its end of lower degree: a
/// neighbour that closes a triangle of `k` changed edges counts a `k`-th, for the triangle
/// is found from each of them. Adds `sign` times that, wrapping, to what that corner has, and to
/// what is `found` over the edge. A corner whose bit in `ends` is not set has no changed edge.
///
/// Nothing comes back from the walk, so that blocks share the neighbours of a hub.
#[vertex_operator]
pub(super) fn count_over(
    i: Vertex,
    edges: &[Edge],
    is_lower: &[u32],
    changed: &EdgeSet,
    ends: &[Atomic<u32>],
    graph: &Graph,
    sign: u64,
    corners: &[Atomic<u64>],
    found: &[Atomic<u64>],
) {
    let Edge { src, dst, .. } = edges[i];
    for_each_neighbor(graph, src, is_lower[i] != 0, |w| {
        if has_edge(graph, dst, w) {
            let mut k = 1u32;
            if (ends[w / 32].load() >> (w % 32)) & 1 == 1 {
                k += contains_edge(changed, src, w) as u32 + contains_edge(changed, dst, w) as u32;
            }
            let part = (SIXTHS / k) as u64 * sign;
            corners[w].fetch_add(part);
            found[i].fetch_add(part);
        }
    });
}

/// Adds what was found over a changed edge to what its ends have.
#[vertex_operator]
pub(super) fn add_found(i: Vertex, edges: &[Edge], found: &[Atomic<u64>], corners: &[Atomic<u64>]) {
    let Edge { src, dst, .. } = edges[i];
    let count = found[i].load();
    if count != 0 {
        corners[src].fetch_add(count);
        corners[dst].fetch_add(count);
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    let mut kernels =
        vec![into_sixths::info(), copy_counts::info(), mark_lower::info(), add_found::info()];
    kernels.extend(Schedule::ALL.map(count_over::info_with));
    kernels
}
