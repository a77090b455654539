//! The operators of shortest-path trees over ranks.

use super::super::{Length, TreeNode, UNREACHED, improve};
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// Shortens the paths of `v`'s out-neighbours through `v`; lists those that got nearer, as far as
/// this rank knows.
#[vertex_operator]
pub(super) fn offer<W: Weight, L: Length<W>, G: Neighbors<Carried = W>>(
    v: Vertex,
    graph: &G,
    stamp: u32,
    nodes: &[Atomic<TreeNode>],
    marks: &[Atomic<u32>],
    found: &Frontier<Vertex>,
) {
    for_each_neighbor(graph, v, true, |dst, weight| {
        let distance = nodes[v].load().distance;
        let through: u32 = L::lengthen(distance, weight);
        let improved: bool = improve(nodes, dst, TreeNode { parent: v, distance: through });
        let first = improved && marks[dst].swap(stamp) != stamp;
        warp_enqueue_frontier(found, dst, first);
    });
}

/// The same over an edge that is new.
#[edge_operator]
pub(super) fn offer_over<W: Weight, L: Length<W>>(
    edge: Edge<W>,
    stamp: u32,
    nodes: &[Atomic<TreeNode>],
    marks: &[Atomic<u32>],
    found: &Frontier<Vertex>,
) {
    let mut first = false;
    if edge.src < nodes.len() && edge.dst < nodes.len() {
        let distance = nodes[edge.src].load().distance;
        let through: u32 = L::lengthen(distance, edge.weight);
        let node = TreeNode { parent: edge.src, distance: through };
        let improved: bool = distance != UNREACHED && improve(nodes, edge.dst, node);
        first = improved && marks[edge.dst].swap(stamp) != stamp;
    }
    warp_enqueue_frontier(found, edge.dst, first);
}

/// Takes places that ranks offer to own vertices, if they are nearer; those from this rank itself,
/// `own_first` up to `own_end`, have been taken.
#[kernel]
pub(super) fn accept(
    vertices: &[Vertex],
    offered: &[TreeNode],
    own_first: u32,
    own_end: u32,
    stamp: u32,
    nodes: &[Atomic<TreeNode>],
    marks: &[Atomic<u32>],
    next: &Frontier<Vertex>,
) {
    let i = thread_id();
    let mut v = 0u32;
    let mut first = false;
    if i < vertices.len() && i < offered.len() && vertices[i] < nodes.len() {
        v = vertices[i];
        let is_own = i >= own_first && i < own_end;
        let improved: bool = is_own || improve(nodes, v, offered[i]);
        first = improved && marks[v].swap(stamp) != stamp;
    }
    warp_enqueue_frontier(next, v, first);
}

/// Lists where an edge ends that has left, if this rank's offer was by way of it.
#[edge_operator]
pub(super) fn find_cut<W: Weight>(
    edge: Edge<W>,
    stamp: u32,
    nodes: &[Atomic<TreeNode>],
    marks: &[Atomic<u32>],
    found: &Frontier<Vertex>,
) {
    let mut first = false;
    if edge.src < nodes.len() && edge.dst < nodes.len() {
        let is_cut = edge.src != edge.dst && nodes[edge.dst].load().parent == edge.src;
        first = is_cut && marks[edge.dst].swap(stamp) != stamp;
    }
    warp_enqueue_frontier(found, edge.dst, first);
}

/// Lists the out-neighbours of an invalid vertex to which this rank's offer was by way of it.
#[vertex_operator]
pub(super) fn find_children<G: Neighbors>(
    v: Vertex,
    graph: &G,
    stamp: u32,
    nodes: &[Atomic<TreeNode>],
    marks: &[Atomic<u32>],
    found: &Frontier<Vertex>,
) {
    for_each_neighbor(graph, v, true, |dst| {
        let is_child = dst != v && nodes[dst].load().parent == v;
        let first = is_child && marks[dst].swap(stamp) != stamp;
        warp_enqueue_frontier(found, dst, first);
    });
}

/// Invalidates own vertices whose parent is the one that is named.
#[kernel]
pub(super) fn invalidate_here(
    vertices: &[Vertex],
    cut: &[TreeNode],
    round: u32,
    nodes: &[Atomic<TreeNode>],
    invalid_marks: &[Atomic<u32>],
    invalid: &Frontier<Vertex>,
) {
    let i = thread_id();
    let mut v = 0u32;
    let mut first = false;
    if i < vertices.len() && i < cut.len() && vertices[i] < nodes.len() {
        v = vertices[i];
        let parent = nodes[v].load().parent;
        let is_cut = parent == cut[i].parent && parent != UNREACHED && parent != v;
        first = is_cut && invalid_marks[v].swap(round) != round;
    }
    warp_enqueue_frontier(invalid, v, first);
}

/// Takes vertices out of the tree.
#[kernel]
pub(super) fn unlink(vertices: &[Vertex], nodes: &[Atomic<TreeNode>]) {
    let i = thread_id();
    if i < vertices.len() && vertices[i] < nodes.len() {
        nodes[vertices[i]].store(TreeNode { parent: UNREACHED, distance: UNREACHED });
    }
}

/// Lists the in-neighbours of `v`.
#[vertex_operator]
pub(super) fn list_in_neighbors<G: Neighbors>(
    v: Vertex,
    in_edges: &G,
    stamp: u32,
    marks: &[Atomic<u32>],
    found: &Frontier<Vertex>,
) {
    for_each_neighbor(in_edges, v, true, |src| {
        let first = marks[src].swap(stamp) != stamp;
        warp_enqueue_frontier(found, src, first);
    });
}

/// Lists own vertices that are asked for, if they are in the tree.
#[kernel]
pub(super) fn accept_requests(
    vertices: &[Vertex],
    stamp: u32,
    nodes: &[Atomic<TreeNode>],
    marks: &[Atomic<u32>],
    next: &Frontier<Vertex>,
) {
    let i = thread_id();
    let mut v = 0u32;
    let mut first = false;
    if i < vertices.len() && vertices[i] < nodes.len() {
        v = vertices[i];
        let is_valid = nodes[v].load().distance != UNREACHED;
        first = is_valid && marks[v].swap(stamp) != stamp;
    }
    warp_enqueue_frontier(next, v, first);
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    let mut kernels = vec![
        accept::info(),
        offer_over::info::<u32, u32>(),
        find_cut::info::<u32>(),
        find_children::info::<Graph<u32>>(),
        invalidate_here::info(),
        unlink::info(),
        list_in_neighbors::info::<Graph<u32>>(),
        accept_requests::info(),
    ];
    kernels.extend(Schedule::ALL.map(offer::info_with::<u32, u32, Graph<u32>>));
    kernels.push(offer::info_with::<(), (), Compact>(Schedule::Hybrid));
    kernels
}
