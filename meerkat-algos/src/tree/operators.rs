//! The operators of shortest-path trees: relaxation, and what a deletion cuts and repairs.

use meerkat_runtime::dynamic::asked_vertex;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

use super::{Length, PathTreeRef, TreeNode, UNREACHED};

/// Puts `v` at `node` if that is strictly nearer than where it is. Returns whether it did.
#[device]
pub fn improve(tree: &[Atomic<TreeNode>], v: u32, node: TreeNode) -> bool {
    let mut seen = tree[v].load();
    let mut improved = false;
    while !improved && node.distance < seen.distance {
        let before = tree[v].compare_and_swap(seen, node);
        improved = before.distance == seen.distance && before.parent == seen.parent;
        seen = before;
    }
    improved
}

/// Copies the places of vertices.
#[vertex_operator]
pub(super) fn copy_nodes(
    i: Vertex,
    vertices: &[Vertex],
    nodes: &[Atomic<TreeNode>],
    copies: &mut [TreeNode],
) {
    let v: Vertex = asked_vertex(vertices, i);
    if v < nodes.len() {
        copies[i] = nodes[v].load();
    }
}

/// Puts every vertex at a distance, without a parent.
#[vertex_operator]
pub(super) fn place_all(v: Vertex, distances: &[Atomic<u32>], nodes: &[Atomic<TreeNode>]) {
    nodes[v].store(TreeNode { parent: UNREACHED, distance: distances[v].load() });
}

/// The distance of every vertex.
#[vertex_operator]
pub(super) fn copy_distances(v: Vertex, nodes: &[Atomic<TreeNode>], distances: &[Atomic<u32>]) {
    distances[v].store(nodes[v].load().distance);
}

/// Relaxes the out-edges of `v`. A neighbour that gets nearer than `limit` joins the next
/// frontier, another the far queue; each is listed once a round, and once in the far queue.
/// `L` is what counts as an edge's length: its weight (`L = W`), or 1 (`L = ()`).
#[vertex_operator]
pub(super) fn relax<W: Weight, L: Length<W>, G: Neighbors<Carried = W>>(
    v: Vertex,
    graph: &G,
    limit: u32,
    tree: &PathTreeRef,
    next: &Frontier<Vertex>,
    far: &Frontier<Vertex>,
) {
    for_each_neighbor(graph, v, true, |dst, weight| {
        // Read here, for the blocks that share a hub read it at different times.
        let through: u32 = L::lengthen(tree.distance(v), weight);
        let improved: bool = improve(&tree.nodes, dst, TreeNode { parent: v, distance: through });
        let is_next = improved && through < limit && tree.queues(dst);
        let is_far =
            improved && through >= limit && tree.in_far[dst].swap(tree.split) != tree.split;
        warp_enqueue_frontier(next, dst, is_next);
        warp_enqueue_frontier(far, dst, is_far);
    });
}

/// Splits the far queue: vertices nearer than `limit` move to the frontier, farther ones
/// stay, and stale ones, nearer than `visited`, are dropped.
#[vertex_operator]
pub(super) fn split_far_queue(
    v: Vertex,
    visited: u32,
    limit: u32,
    tree: &PathTreeRef,
    next: &Frontier<Vertex>,
    far: &Frontier<Vertex>,
) {
    let distance: u32 = tree.distance(v);
    let is_next = distance >= visited && distance < limit;
    let is_far = distance >= visited && distance >= limit;
    if is_far {
        tree.in_far[v].store(tree.split);
    }
    if is_far && distance < tree.nearest[0].load() {
        tree.nearest[0].fetch_min(distance);
    }
    warp_enqueue_frontier(next, v, is_next);
    warp_enqueue_frontier(far, v, is_far);
}

/// The length of the longest out-edge of `v`.
#[vertex_operator]
pub(super) fn longest_out_edge<W: Weight, L: Length<W>, G: Neighbors<Carried = W>>(
    v: Vertex,
    graph: &G,
    longest: &mut [u32],
) {
    let mut most = 0u32;
    for_each_neighbor(graph, v, true, |_, weight| {
        let length: u32 = L::lengthen(0, weight);
        most = most.max(length);
    });
    longest[v] = most;
}

/// Relaxes edges that have just entered the graph. Edges outside it are left out, as by [`cut`].
#[edge_operator]
pub(super) fn relax_inserted<W: Weight, L: Length<W>>(
    edge: Edge<W>,
    tree: &PathTreeRef,
    next: &Frontier<Vertex>,
) {
    let mut distance = UNREACHED;
    if edge.src < tree.nodes.len() && edge.dst < tree.nodes.len() {
        distance = tree.distance(edge.src);
    }
    let through: u32 = L::lengthen(distance, edge.weight);
    let node = TreeNode { parent: edge.src, distance: through };
    let improved: bool = distance != UNREACHED && improve(&tree.nodes, edge.dst, node);
    let first = improved && tree.queues(edge.dst);
    warp_enqueue_frontier(next, edge.dst, first);
}

/// Lists the vertices whose tree edge has just left the graph, and takes their parent away.
#[edge_operator]
pub(super) fn cut<W: Weight>(edge: Edge<W>, tree: &PathTreeRef, affected: &Frontier<Vertex>) {
    let mut is_cut = false;
    // The source is its own parent, but not by an edge.
    if edge.src < tree.nodes.len() && edge.dst < tree.nodes.len() && edge.src != edge.dst {
        let before: TreeNode = tree.nodes[edge.dst].load();
        is_cut = before.parent == edge.src;
        if is_cut {
            tree.nodes[edge.dst].store(TreeNode { parent: UNREACHED, distance: before.distance });
        }
    }
    warp_enqueue_frontier(affected, edge.dst, is_cut);
}

/// Invalidates an affected vertex, whose parent is gone or invalid.
#[vertex_operator]
pub(super) fn invalidate(v: Vertex, tree: &PathTreeRef) {
    tree.invalid[v].store(tree.epoch);
}

/// Gives an affected vertex another parent on a path of the same length: the first valid
/// in-neighbour nearer to the source that it comes to. Without one the vertex becomes invalid. Whether
/// the new parent stays valid shows later.
#[vertex_operator]
pub(super) fn find_alternative_parent<W: Weight, L: Length<W>, G: Neighbors<Carried = W>>(
    v: Vertex,
    in_edges: &G,
    tree: &PathTreeRef,
) {
    let distance: u32 = tree.distance(v);
    let parent = find_neighbor(in_edges, v, true, |u, weight| {
        let before: u32 = tree.distance(u);
        let through: u32 = L::lengthen(before, weight);
        // Nearer: across an edge of length zero, two vertices could become each other's
        // parent.
        before < distance && through == distance && !tree.is_invalid(u)
    });
    if parent == UNREACHED {
        tree.invalid[v].store(tree.epoch);
    } else {
        tree.nodes[v].store(TreeNode { parent, distance });
    }
}

/// Lists an affected vertex that has become invalid, and its children as affected next.
#[vertex_operator]
pub(super) fn affect_children<G: Neighbors>(
    v: Vertex,
    graph: &G,
    tree: &PathTreeRef,
    affected: &Frontier<Vertex>,
    invalid: &Frontier<Vertex>,
) {
    let is_invalid = tree.is_invalid(v);
    warp_enqueue_frontier(invalid, v, is_invalid);
    for_each_neighbor(graph, v, is_invalid, |dst| {
        let is_child = dst != v && tree.nodes[dst].load().parent == v;
        warp_enqueue_frontier(affected, dst, is_child);
    });
}

/// The path through `u` and an edge of this weight, its length in the high half and `u` in
/// the low; the most there is, if `u` has no path itself.
#[device]
pub(super) fn way_through<W: Weight, L: Length<W>>(u: u32, weight: W, tree: &PathTreeRef) -> u64 {
    let distance: u32 = tree.distance(u);
    let is_valid = distance != UNREACHED && !tree.is_invalid(u);
    let through: u32 = L::lengthen(distance, weight);
    select(is_valid, (through as u64) << 32 | u as u64, u64::MAX)
}

/// Gives an invalid vertex its best valid in-neighbour as parent, or none.
#[vertex_operator]
pub(super) fn reattach<W: Weight, L: Length<W>, G: Neighbors<Carried = W>>(
    v: Vertex,
    in_edges: &G,
    tree: &PathTreeRef,
    next: &Frontier<Vertex>,
) {
    let mut best = u64::MAX;
    for_each_neighbor(in_edges, v, true, |u, weight| {
        let way: u64 = way_through::<W, L>(u, weight, tree);
        best = best.min(way);
    });
    let attached = best != u64::MAX;
    tree.nodes[v].store(TreeNode { parent: best as u32, distance: (best >> 32) as u32 });
    if attached {
        tree.queued[v].store(tree.round);
    }
    warp_enqueue_frontier(next, v, attached);
}

/// Takes a vertex out of the tree.
#[vertex_operator]
pub(super) fn detach(v: Vertex, tree: &PathTreeRef) {
    tree.nodes[v].store(TreeNode { parent: UNREACHED, distance: UNREACHED });
}

/// Relaxes the edges of a valid vertex to invalid ones.
#[vertex_operator]
pub(super) fn relax_border<W: Weight, L: Length<W>, G: Neighbors<Carried = W>>(
    v: Vertex,
    graph: &G,
    tree: &PathTreeRef,
    next: &Frontier<Vertex>,
) {
    let distance: u32 = tree.distance(v);
    let is_valid = distance != UNREACHED && !tree.is_invalid(v);
    for_each_neighbor(graph, v, is_valid, |dst, weight| {
        let through: u32 = L::lengthen(distance, weight);
        let node = TreeNode { parent: v, distance: through };
        let improved: bool = tree.is_invalid(dst) && improve(&tree.nodes, dst, node);
        let first = improved && tree.queues(dst);
        warp_enqueue_frontier(next, dst, first);
    });
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    let mut kernels: Vec<_> =
        Schedule::ALL.into_iter().map(relax::info_with::<u32, u32, Graph<u32>>).collect();
    kernels.extend([
        relax::info::<(), (), Graph>(),
        relax::info::<u32, (), Graph<u32>>(),
        relax::info::<i32, i32, Graph<i32>>(),
        relax::info::<f32, f32, Graph<f32>>(),
        split_far_queue::info(),
        copy_nodes::info(),
        place_all::info(),
        copy_distances::info(),
        longest_out_edge::info::<u32, u32, Graph<u32>>(),
        longest_out_edge::info::<u32, (), Graph<u32>>(),
        relax_inserted::info::<(), ()>(),
        relax_inserted::info::<u32, u32>(),
        cut::info::<u32>(),
        invalidate::info(),
        find_alternative_parent::info::<(), (), Graph>(),
        find_alternative_parent::info::<u32, u32, Graph<u32>>(),
        find_alternative_parent::info::<u32, (), Graph<u32>>(),
        detach::info(),
        affect_children::info::<Graph<u32>>(),
        reattach::info::<(), (), Graph>(),
        reattach::info::<u32, u32, Graph<u32>>(),
        reattach::info::<f32, f32, Graph<f32>>(),
        relax_border::info::<u32, u32, Graph<u32>>(),
    ]);
    kernels
}
