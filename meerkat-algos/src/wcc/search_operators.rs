//! The operators that find the small fragments of a torn forest: searches from the ends of its cuts.

use super::operators::find_root;
use meerkat_runtime::graph::out_degree;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// The owner of a vertex that no search has reached.
pub(super) const NOBODY: u32 = u32::MAX;
/// The size of a search that has stopped, or more.
const STOPPED: u32 = 1 << 31;

/// Searches that have met are one, as in `parent`.
#[device_view(SearchBuffers)]
pub(super) struct SearchRef {
    /// Of each vertex that was reached, towards the first of its search; else [`NOBODY`].
    pub owner: &[Atomic<u32>],
    /// How many vertices a search has reached in its time, by its first; fewer where searches meet.
    pub sizes: &[Atomic<u32>],
    /// Vertices that a search did not go on from.
    pub stops: &[Atomic<u32>],
    /// Of fragments that were found whole, how many cuts they have, by the first of their searches.
    pub cuts: &[Atomic<u32>],
    /// By component: how many cuts it has more than fragments that were found whole.
    pub missing: &[Atomic<u32>],
    /// Whether some fragments were not found.
    pub failed: &[Atomic<u32>],
    /// At how many cuts searches were to go on.
    pub open: &[Atomic<u32>],
}

/// Searches begin at both ends of a cut edge.
#[edge_operator]
pub(super) fn begin_searches<W: Weight>(
    edge: Edge<W>,
    parent: &[Atomic<u32>],
    searches: &SearchRef,
    reached: &Frontier<Vertex>,
    next: &Frontier<Vertex>,
) {
    let begins_here = searches.owner[edge.src].compare_and_swap(NOBODY, edge.src) == NOBODY;
    if begins_here {
        searches.sizes[edge.src].store(1);
    }
    let begins_there = searches.owner[edge.dst].compare_and_swap(NOBODY, edge.dst) == NOBODY;
    if begins_there {
        searches.sizes[edge.dst].store(1);
    }
    searches.missing[parent[edge.src].load()].fetch_add_aggregated(1);
    warp_enqueue_frontier(reached, edge.src, begins_here);
    warp_enqueue_frontier(next, edge.src, begins_here);
    warp_enqueue_frontier(reached, edge.dst, begins_there);
    warp_enqueue_frontier(next, edge.dst, begins_there);
}

/// Goes on from `v` to its neighbours in the forest, unless its search has reached `most` vertices, or
/// would from here: the fragment is large then.
#[vertex_operator]
pub(super) fn search_on<W: Weight>(
    v: Vertex,
    forest: &Graph<W>,
    most: u32,
    searches: &SearchRef,
    reached: &Frontier<Vertex>,
    next: &Frontier<Vertex>,
) {
    let root = find_root(&searches.owner, v);
    let goes_on = searches.sizes[root].load() < most && out_degree(forest, v) < most;
    if !goes_on {
        searches.stops[v].store(1);
    }
    let mut found = 0u32;
    for_each_neighbor(forest, v, goes_on, |w| {
        let is_new = searches.owner[w].compare_and_swap(NOBODY, v) == NOBODY;
        if !is_new {
            join_searches(searches, v, w);
        }
        found += is_new as u32;
        warp_enqueue_frontier(reached, w, is_new);
        warp_enqueue_frontier(next, w, is_new);
    });
    if found != 0 {
        searches.sizes[root].fetch_add(found);
    }
}

/// The searches of `u` and `v` have met.
#[device]
fn join_searches(searches: &SearchRef, u: Vertex, v: Vertex) {
    let mut high = find_root(&searches.owner, u);
    let mut low = find_root(&searches.owner, v);
    while high != low {
        if high < low {
            let smaller = high;
            high = low;
            low = smaller;
        }
        if searches.owner[high].compare_and_swap(high, low) == high {
            searches.sizes[low].fetch_max(searches.sizes[high].load());
            return;
        }
        high = find_root(&searches.owner, high);
        low = find_root(&searches.owner, low);
    }
}

/// Vertices that nobody went on from when time was up.
#[vertex_operator]
pub(super) fn stop(v: Vertex, stops: &[Atomic<u32>]) {
    stops[v].store(1);
}

/// What stopped anywhere stopped as a whole. After all searches, since those that met while one was
/// stopping would not know.
#[vertex_operator]
pub(super) fn stop_searches(v: Vertex, searches: &SearchRef) {
    if searches.stops[v].load() != 0 {
        searches.sizes[find_root(&searches.owner, v)].store(STOPPED);
    }
}

/// Whether the search that reached `v` has all of its fragment.
#[device]
fn is_whole(searches: &SearchRef, v: Vertex) -> bool {
    searches.sizes[find_root(&searches.owner, v)].load() < STOPPED
}

/// Counts a cut for the fragments at its ends that were found whole.
#[edge_operator]
pub(super) fn count_cuts<W: Weight>(edge: Edge<W>, searches: &SearchRef) {
    if is_whole(searches, edge.src) {
        searches.cuts[find_root(&searches.owner, edge.src)].fetch_add(1);
    }
    if is_whole(searches, edge.dst) {
        searches.cuts[find_root(&searches.owner, edge.dst)].fetch_add(1);
    }
}

/// Searches at a cut go on if neither side is known to be a small fragment that hangs on this cut alone. One
/// that has the vertex of the component's name settles nothing: the other side has to be found, too.
#[edge_operator]
pub(super) fn wake_searches<W: Weight>(
    edge: Edge<W>,
    parent: &[Atomic<u32>],
    searches: &SearchRef,
) {
    let first = find_root(&searches.owner, edge.src);
    let second = find_root(&searches.owner, edge.dst);
    let label = parent[edge.src].load();
    let mut named = NOBODY;
    if searches.owner[label].load() != NOBODY {
        named = find_root(&searches.owner, label);
    }
    // Fragments that stopped have no cuts counted.
    let is_settled = first != named && searches.cuts[first].load() == 1
        || second != named && searches.cuts[second].load() == 1;
    if !is_settled {
        searches.open[0].fetch_add_aggregated(1);
        if searches.sizes[first].load() >= STOPPED {
            searches.sizes[first].store(0);
        }
        if searches.sizes[second].load() >= STOPPED {
            searches.sizes[second].store(0);
        }
    }
}

/// Lists the vertices from which searches go on that do. At more than `most` cuts none does: some would
/// fail, and then all have searched in vain.
#[vertex_operator]
pub(super) fn resume(v: Vertex, most: u32, searches: &SearchRef, next: &Frontier<Vertex>) {
    let root = find_root(&searches.owner, v);
    let is_woken = searches.stops[v].load() != 0 && searches.sizes[root].load() < STOPPED;
    let goes_on = is_woken && searches.open[0].load() <= most;
    if goes_on {
        searches.stops[v].store(0);
    }
    if is_woken && !goes_on {
        searches.sizes[root].store(STOPPED);
    }
    searches.cuts[v].store(0);
    warp_enqueue_frontier(next, v, goes_on);
}

/// Counts a search that found a whole fragment, once.
#[vertex_operator]
pub(super) fn count_whole(v: Vertex, parent: &[Atomic<u32>], searches: &SearchRef) {
    if find_root(&searches.owner, v) == v && searches.sizes[v].load() < STOPPED {
        searches.missing[parent[v].load()].fetch_sub(1);
    }
}

/// Looks whether all is known of the component of a cut edge. A tree with `c` cuts falls into `c + 1`
/// fragments; so if `c` of them were found whole, what is left is one fragment. It keeps the label, so
/// the vertex of that name must be in it.
#[edge_operator]
pub(super) fn check_found<W: Weight>(edge: Edge<W>, parent: &[Atomic<u32>], searches: &SearchRef) {
    let label = parent[edge.src].load();
    let missing = searches.missing[label].load();
    let mut is_known = missing == 0 || missing == u32::MAX;
    if missing == 0 && searches.owner[label].load() != NOBODY {
        is_known = !is_whole(searches, label);
    }
    if !is_known {
        searches.failed[0].store(1);
    }
}

/// Lists the vertices of fragments that were found whole; none if some fragments were not found.
#[vertex_operator]
pub(super) fn list_whole(v: Vertex, searches: &SearchRef, members: &Frontier<Vertex>) {
    let is_found = is_whole(searches, v) && searches.failed[0].load() == 0;
    warp_enqueue_frontier(members, v, is_found);
}

/// Forgets the searches. Before labels change.
#[vertex_operator]
pub(super) fn forget(v: Vertex, parent: &[Atomic<u32>], searches: &SearchRef) {
    searches.missing[parent[v].load()].store(0);
    searches.owner[v].store(NOBODY);
    searches.sizes[v].store(0);
    searches.stops[v].store(0);
    searches.failed[0].store(0);
    searches.open[0].store(0);
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    let mut kernels: Vec<_> = Schedule::ALL.into_iter().map(search_on::info_with::<()>).collect();
    kernels.extend([
        begin_searches::info::<()>(),
        stop::info(),
        stop_searches::info(),
        count_cuts::info::<()>(),
        wake_searches::info::<()>(),
        resume::info(),
        count_whole::info(),
        check_found::info::<()>(),
        list_whole::info(),
        forget::info(),
    ]);
    kernels
}
