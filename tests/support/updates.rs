//! What a walk over updates finds.

use meerkat::prelude::*;

/// Lists the neighbours that came since the update pointers moved.
#[vertex_operator]
pub(crate) fn list_updates<G: UpdatedNeighbors>(
    v: Vertex,
    graph: &G,
    found: &Frontier<Edge<G::Carried>>,
) {
    for_each_updated_neighbor(graph, v, true, |dst, weight| {
        warp_enqueue_frontier(found, Edge { src: v, dst, weight }, true);
    });
}

/// The updates of one orientation, ascending, as a schedule finds them.
pub(crate) fn updates_under<L: EdgeLists>(
    schedule: Schedule,
    lists: &L,
) -> Result<Vec<Edge<L::Carried>>, Error> {
    let device = lists.device();
    let mut found = Frontiers::new(device, 20_000, &[])?;
    let all = 0..lists.vertex_count();
    list_updates::launch_with(schedule, device, all, lists.arg(), found.next())?;
    found.advance()?;
    let mut list = found.to_vec()?;
    list.sort_unstable_by_key(|edge| (edge.src, edge.dst));
    Ok(list)
}

/// [`updates_under`] the default schedule.
pub(crate) fn updates_of<L: EdgeLists>(lists: &L) -> Result<Vec<Edge<L::Carried>>, Error> {
    updates_under(Schedule::Auto, lists)
}
