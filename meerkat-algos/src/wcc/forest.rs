//! A spanning forest from scratch.
//!
//! Most edges join nothing, and most vertices end in one giant component. So two
//! edges of every vertex come first; then only the vertices outside the component
//! that this made the largest look at all their edges, in both orientations (Sutton,
//! Ben-Nun, Barak, "Optimizing parallel graph connectivity computation via subgraph
//! sampling").

use super::operators::{flatten, isolate, pick_roots, span, span_sample};
use meerkat_runtime::prelude::*;
use std::collections::HashMap;

/// How many vertices are asked for their component.
const PICKED: u32 = 1024;
/// Nobody's parent.
pub(super) const NOBODY: u32 = u32::MAX;

/// Unites all components in `parent`, and enqueues a spanning forest. Synchronises
/// once.
pub(super) fn grow<W: Weight>(
    graph: &SlabGraph<W>,
    parent: &DeviceBuffer<Atomic<u32>>,
    joined: &Frontiers<Edge<W>>,
) -> Result<(), Error> {
    let (device, all) = (graph.device(), 0..graph.vertex_count());
    isolate::launch(device, all.clone(), parent)?;
    let Ok(in_edges) = graph.in_edges() else {
        // An edge out of the giant component is seen from inside only.
        return span::launch(device, all, graph, false, NOBODY, parent, joined.next());
    };
    span_sample::launch(device, all.clone(), graph, parent, joined.next())?;
    flatten::launch(device, all.clone(), parent)?;
    let giant = commonest_root(device, parent)?;
    span::launch(device, all.clone(), graph, false, giant, parent, joined.next())?;
    if graph.options().direction == Direction::Directed {
        span::launch(device, all, in_edges, true, giant, parent, joined.next())?;
    }
    Ok(())
}

/// The root that most of some picked vertices have.
fn commonest_root(device: &Device, parent: &DeviceBuffer<Atomic<u32>>) -> Result<u32, Error> {
    let count = PICKED.min(parent.len() as u32);
    let mut roots = DeviceBuffer::zeroed(device, count as usize)?;
    pick_roots::launch(device, 0..count, parent, &mut roots)?;
    let mut times = HashMap::new();
    for root in roots.to_vec()? {
        *times.entry(root).or_insert(0u32) += 1;
    }
    // Of equally common ones the smallest: the same every time.
    let commonest = times.into_iter().max_by_key(|&(root, times)| (times, NOBODY - root));
    Ok(commonest.map_or(NOBODY, |(root, _)| root))
}
