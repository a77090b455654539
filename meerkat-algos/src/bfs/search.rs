//! The host's side of a search from one vertex: level by level, small levels as
//! lists, large ones as passes over all vertices, along the out-edges of the level
//! or back along the in-edges of those without one, whichever are fewer (Beamer,
//! Asanović, Patterson, "Direction-optimizing breadth-first search").

use super::operators::{OF_LEVEL, OF_UNREACHED, list_level, pull, visit, visit_unlisted};
use super::state::BfsState;
use crate::out_edges;
use meerkat_runtime::prelude::*;

/// A smaller level is a list in any case.
const LEAST_LARGE: u32 = 64;
/// One in so many vertices may have most edges: how many they have is looked at from there on. (Of RMAT-22 the
/// neighbours of the largest hub, one in 43, have 45 of 64 million.)
const FEW: u32 = 512;
/// So many times as many edges as there are vertices are a large level, whatever its vertices.
const MANY_EDGES: u64 = 4;

/// Reaches all that can be reached from the current frontier, level 0.
pub(super) fn search<C: Container, S: BfsState>(
    graph: &C,
    states: &DeviceBuffer<Atomic<S>>,
    frontiers: &mut Frontiers<Vertex>,
) -> Result<(), Error> {
    let (device, out_edges) = (graph.device(), graph.out_edges()?);
    let vertices = graph.vertex_count();
    // A pass over all vertices costs less than a long list with one counter.
    let large = (vertices / device.tuning().large_level).max(LEAST_LARGE);
    let mut looks_at = (vertices / FEW).max(LEAST_LARGE);
    let mut level = 0;
    loop {
        let least = looks_at.min(large);
        let is_small = |_, length| length < least;
        level += frontiers.repeat(is_small, |round, current, next| {
            visit::launch(device, current, out_edges, level + round + 1, states, next)
        })?;
        if frontiers.is_empty() {
            return Ok(());
        }
        let many = MANY_EDGES * u64::from(vertices);
        if frontiers.len() < large && out_edges::sum(graph, frontiers.current())? < many {
            // Levels grow by more than that where one of them has most edges.
            looks_at = frontiers.len().saturating_mul(2);
            continue;
        }
        level = pass_large(graph, states, frontiers, level, large)?;
    }
}

/// Goes on from `level` by passes over all vertices, until one of the next levels is not large.
/// Returns which; it is the current frontier. Synchronises twice a level.
fn pass_large<C: Container, S: BfsState>(
    graph: &C,
    states: &DeviceBuffer<Atomic<S>>,
    frontiers: &mut Frontiers<Vertex>,
    mut level: u32,
    large: u32,
) -> Result<u32, Error> {
    let (device, count) = (graph.device(), graph.vertex_count());
    let (out_edges, mut arcs) = (graph.out_edges()?, DeviceBuffer::zeroed(device, 2)?);
    let forward_cost = u64::from(device.tuning().forward_cost);
    let mut least = 0;
    loop {
        arcs.fill(0)?;
        list_level::launch(device, count, out_edges, level, states, frontiers.next(), &arcs)?;
        if frontiers.advance()? < least {
            return Ok(level);
        }
        least = large;
        let sums = arcs.to_vec()?;
        let (forward, back) = (sums[OF_LEVEL as usize], sums[OF_UNREACHED as usize]);
        level += 1;
        match graph.in_edges() {
            Ok(in_edges) if back < forward.saturating_mul(forward_cost) => {
                pull::launch(device, 0..count, in_edges, level, states)?;
            }
            _ => visit_unlisted::launch(device, frontiers.current(), out_edges, level, states)?,
        }
    }
}
