//! The operators of weakly connected components.

use meerkat_runtime::dynamic::asked_vertex;
use meerkat_runtime::graph::has_edge;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// The root of `v`'s tree. Every vertex on the way gets its grandparent as
/// parent.
#[device]
pub(super) fn find_root(parent: &[Atomic<u32>], v: Vertex) -> u32 {
    let mut at = v;
    let mut above = parent[at].load();
    while above != at {
        let over = parent[above].load();
        // Another lane may have shortened the path further; `over` is an
        // ancestor all the same, so a plain store does no harm.
        if over != above {
            parent[at].store(over);
        }
        at = above;
        above = over;
    }
    at
}

/// Joins the components of `u` and `v`. Whether they were two.
#[device]
pub(super) fn unite(parent: &[Atomic<u32>], u: Vertex, v: Vertex) -> bool {
    let mut high = find_root(parent, u);
    let mut low = find_root(parent, v);
    while high != low {
        if high < low {
            let smaller = high;
            high = low;
            low = smaller;
        }
        // Roots hook under smaller ones only, so no cycle can close.
        if parent[high].compare_and_swap(high, low) == high {
            return true;
        }
        high = find_root(parent, high);
        low = find_root(parent, low);
    }
    false
}

/// Makes `v` a component of its own.
#[vertex_operator]
pub(super) fn isolate(v: Vertex, parent: &[Atomic<u32>]) {
    parent[v].store(v);
}

/// Joins `v` with its neighbours.
#[vertex_operator]
pub(super) fn unite_neighbors<G: Neighbors>(v: Vertex, graph: &G, parent: &[Atomic<u32>]) {
    for_each_neighbor(graph, v, true, |dst| {
        unite(parent, v, dst);
    });
}

/// Joins `v` with the neighbours that it has got since the batch before (Meerkat,
/// section 3.4).
#[vertex_operator]
pub(super) fn unite_updated<G: UpdatedNeighbors>(v: Vertex, graph: &G, parent: &[Atomic<u32>]) {
    for_each_updated_neighbor(graph, v, true, |dst| {
        unite(parent, v, dst);
    });
}

/// Makes the root of `v` its parent. The way there stays as it is: a lane that
/// shortened it for another vertex could store over a root that is there already.
#[vertex_operator]
pub(super) fn flatten(v: Vertex, parent: &[Atomic<u32>]) {
    let mut root = parent[v].load();
    let mut above = parent[root].load();
    while above != root {
        root = above;
        above = parent[root].load();
    }
    parent[v].store(root);
}

/// Copies the roots of vertices.
#[vertex_operator]
pub(super) fn copy_roots(
    i: Vertex,
    vertices: &[Vertex],
    parent: &[Atomic<u32>],
    copies: &mut [u32],
) {
    let mut root = asked_vertex(vertices, i);
    if root < parent.len() {
        let mut above = parent[root].load();
        while above != root {
            root = above;
            above = parent[root].load();
        }
        copies[i] = root;
    }
}

/// Joins `v` with the first and the last of its neighbours: two edges a vertex
/// leave, of most graphs, one giant component and little else.
#[vertex_operator]
pub(super) fn hook_sample<G: Neighbors>(
    v: Vertex,
    graph: &G,
    parent: &[Atomic<u32>],
    joined: &Frontier<Edge<G::Carried>>,
) {
    let mut first = u64::MAX;
    let mut last = 0u64;
    for_each_neighbor(graph, v, true, |neighbor, weight| {
        let arc: u64 = (neighbor as u64) << 32 | weight.to_bits() as u64;
        first = first.min(arc);
        last = last.max(arc);
    });
    let has_any = first != u64::MAX;
    let (head, tail) = ((first >> 32) as u32, (last >> 32) as u32);
    let joins_first = has_any && unite(parent, v, head);
    let weight = G::Carried::from_bits(first as u32);
    warp_enqueue_frontier(joined, Edge { src: v, dst: head, weight }, joins_first);
    let joins_last = has_any && unite(parent, v, tail);
    let weight = G::Carried::from_bits(last as u32);
    warp_enqueue_frontier(joined, Edge { src: v, dst: tail, weight }, joins_last);
}

/// The roots of vertices picked from all over the graph.
#[vertex_operator]
pub(super) fn pick_roots(i: Vertex, parent: &[Atomic<u32>], roots: &mut [u32]) {
    let v: u32 = ((i as u64 * parent.len() as u64) / roots.len() as u64) as u32;
    roots[i] = find_root(parent, v);
}

/// Joins `v` with its neighbours, unless its root is `skipped`; the edges that join two
/// components make a spanning forest. Where the neighbours are those of in-edges, the edges
/// are `reversed`.
#[vertex_operator]
pub(super) fn hook_neighbors<G: Neighbors>(
    v: Vertex,
    graph: &G,
    reversed: bool,
    skipped: u32,
    parent: &[Atomic<u32>],
    joined: &Frontier<Edge<G::Carried>>,
) {
    let takes_part = parent[v].load() != skipped;
    for_each_neighbor(graph, v, takes_part, |neighbor, weight| {
        let joins = unite(parent, v, neighbor);
        let src = select(reversed, neighbor, v);
        let dst = select(reversed, v, neighbor);
        warp_enqueue_frontier(joined, Edge { src, dst, weight }, joins);
    });
}

/// [`hook_neighbors`] of vertices that all take part: without a root to read before, many blocks can share
/// a hub.
#[vertex_operator]
pub(super) fn hook_all_neighbors<G: Neighbors>(
    v: Vertex,
    graph: &G,
    reversed: bool,
    parent: &[Atomic<u32>],
    joined: &Frontier<Edge<G::Carried>>,
) {
    for_each_neighbor(graph, v, true, |neighbor, weight| {
        let joins = unite(parent, v, neighbor);
        let src = select(reversed, neighbor, v);
        let dst = select(reversed, v, neighbor);
        warp_enqueue_frontier(joined, Edge { src, dst, weight }, joins);
    });
}

/// Joins the ends of a new edge; if they were apart it belongs to the forest. Edges outside the graph are left
/// out, as by [`list_tree_edges`].
#[edge_operator]
pub(super) fn hook_inserted<W: Weight>(
    edge: Edge<W>,
    parent: &[Atomic<u32>],
    joined: &Frontier<Edge<W>>,
) {
    let is_inside = edge.src < parent.len() && edge.dst < parent.len();
    let joins = is_inside && unite(parent, edge.src, edge.dst);
    warp_enqueue_frontier(joined, edge, joins);
}

/// Lists an edge of the forest.
#[edge_operator]
pub(super) fn list_tree_edges<W: Weight>(
    edge: Edge<W>,
    vertices: u32,
    forest: &Graph<W>,
    lost: &Frontier<Edge<W>>,
) {
    let is_inside = edge.src < vertices && edge.dst < vertices;
    let is_lost = is_inside && has_edge(forest, edge.src, edge.dst);
    warp_enqueue_frontier(lost, edge, is_lost);
}

/// Marks the component of an edge that has left the forest.
#[edge_operator]
pub(super) fn mark_broken<W: Weight>(
    edge: Edge<W>,
    parent: &[Atomic<u32>],
    round: u32,
    broken: &[Atomic<u32>],
) {
    broken[find_root(parent, edge.src)].store(round);
}

/// Lists `v` if its component is broken, and remembers which it was.
#[vertex_operator]
pub(super) fn list_members(
    v: Vertex,
    parent: &[Atomic<u32>],
    broken: &[Atomic<u32>],
    round: u32,
    old_root: &mut [u32],
    members: &Frontier<Vertex>,
) {
    let root = find_root(parent, v);
    let is_member = broken[root].load() == round;
    if is_member {
        old_root[v] = root;
    }
    warp_enqueue_frontier(members, v, is_member);
}

/// A fragment of a broken component: compared as one number, the size first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceStruct)]
#[repr(C)]
pub(super) struct Fragment {
    /// The fragment's root.
    pub root: u32,
    /// How many members it has in the sample.
    pub size: u32,
}

/// The fragments of broken components, as operators see them.
#[device_view(FragmentBuffers)]
pub(super) struct FragmentRef {
    /// Of each vertex, towards the root of its fragment.
    pub parent: &[Atomic<u32>],
    /// The root that each member had.
    pub old_root: &[u32],
    /// Members of each fragment that are in the sample, by root.
    pub sizes: &[Atomic<u32>],
    /// The largest fragment of each broken component, by its former root.
    pub largest: &[Atomic<Fragment>],
}

/// Counts `v` for its fragment, if it is in the sample: one counter for a giant
/// component would be a queue, and which fragment is exempt need not be exact.
#[vertex_operator]
pub(super) fn count_sample(v: Vertex, fragments: &FragmentRef) {
    if v * 2654435769 >> 28 == 0 {
        fragments.sizes[find_root(&fragments.parent, v)].fetch_add(1);
    }
}

/// Finds the largest fragment of `v`'s former component.
#[vertex_operator]
pub(super) fn find_largest(v: Vertex, fragments: &FragmentRef) {
    let root = find_root(&fragments.parent, v);
    let fragment = Fragment { root, size: fragments.sizes[root].load() };
    if fragments.largest[fragments.old_root[v]].load().size < fragment.size {
        fragments.largest[fragments.old_root[v]].fetch_max(fragment);
    }
}

/// Lists `v` unless it is in the largest fragment of its former component, or where
/// the sample missed all fragments, in one of them or none.
#[vertex_operator]
pub(super) fn select_small(v: Vertex, fragments: &FragmentRef, small: &Frontier<Vertex>) {
    let is_small =
        find_root(&fragments.parent, v) != fragments.largest[fragments.old_root[v]].load().root;
    warp_enqueue_frontier(small, v, is_small);
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    let each = |schedule| {
        [
            unite_neighbors::info_with::<Graph>(schedule),
            unite_updated::info_with::<Graph>(schedule),
            hook_neighbors::info_with::<Graph>(schedule),
            hook_all_neighbors::info_with::<Graph>(schedule),
            hook_sample::info_with::<Graph>(schedule),
        ]
    };
    let mut kernels: Vec<_> = Schedule::ALL.into_iter().flat_map(each).collect();
    kernels.extend([
        unite_updated::info_with::<Compact>(Schedule::Warp),
        unite_updated::info_with::<Blocks>(Schedule::Warp),
        isolate::info(),
        pick_roots::info(),
        flatten::info(),
        copy_roots::info(),
        hook_inserted::info::<()>(),
        list_tree_edges::info::<()>(),
        mark_broken::info::<()>(),
        list_members::info(),
        count_sample::info(),
        find_largest::info(),
        select_small::info(),
    ]);
    kernels
}
