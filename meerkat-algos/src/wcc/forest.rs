//! A spanning forest from scratch.
//!
//! Most edges join nothing, and most vertices end in one giant component. So two
//! edges of every vertex come first; then only the vertices outside the component
//! that is largest by then look at all their edges, in both orientations (Sutton,
//! Ben-Nun, Barak, "Optimizing parallel graph connectivity computation via subgraph
//! sampling").

use super::operators::{
    flatten, hook_all_neighbors, hook_neighbors, hook_sample, isolate, pick_roots,
};
use meerkat_runtime::prelude::*;
use std::collections::HashMap;

/// How many vertices are sampled for the giant component.
const PICKED: u32 = 1024;
/// No vertex's root.
const NO_ROOT: u32 = u32::MAX;

/// Unites all components in `parent`, and enqueues a spanning forest. Synchronises
/// once.
pub(super) fn grow<C: Container>(
    graph: &C,
    parent: &DeviceBuffer<Atomic<u32>>,
    joined: &Frontiers<Edge<C::Carried>>,
) -> Result<(), Error> {
    let (device, all) = (graph.device(), 0..graph.vertex_count());
    isolate::launch(device, all.clone(), parent)?;
    let out = graph.out_edges()?;
    let Ok(in_edges) = graph.in_edges() else {
        // An edge out of the giant component is seen from inside only.
        return hook_all_neighbors::launch(device, all, out, false, parent, joined.next());
    };
    hook_sample::launch(device, all.clone(), out, parent, joined.next())?;
    flatten::launch(device, all.clone(), parent)?;
    let giant = commonest_root(device, parent)?;
    hook_neighbors::launch(device, all.clone(), out, false, giant, parent, joined.next())?;
    if !graph.is_undirected() {
        hook_neighbors::launch(device, all, in_edges, true, giant, parent, joined.next())?;
    }
    Ok(())
}

/// The root that most of the sampled vertices have.
pub(super) fn commonest_root(
    device: &Device,
    parent: &DeviceBuffer<Atomic<u32>>,
) -> Result<u32, Error> {
    let count = PICKED.min(parent.len() as u32);
    let mut roots = DeviceBuffer::zeroed(device, count as usize)?;
    pick_roots::launch(device, 0..count, parent, &mut roots)?;
    let mut times = HashMap::new();
    for root in roots.to_vec()? {
        *times.entry(root).or_insert(0u32) += 1;
    }
    // Of equally common ones the smallest: the same every time.
    let commonest = times.into_iter().max_by_key(|&(root, times)| (times, NO_ROOT - root));
    Ok(commonest.map_or(NO_ROOT, |(root, _)| root))
}
