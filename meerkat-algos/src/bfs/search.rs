//! The host's side of a search from one vertex: level by level, small levels as
//! lists, large ones as passes over all vertices, along the out-edges of the level
//! or back along the in-edges of those without one, whichever are fewer (Beamer,
//! Asanović, Patterson, "Direction-optimizing breadth-first search").

use super::operators::{OF_LEVEL, OF_UNREACHED, list_level, pull, visit, visit_unlisted};
use super::state::BfsState;
use crate::out_edges;
use crate::tree::Extent;
use meerkat_runtime::prelude::*;
use meerkat_runtime::{Shape, out_shape};

/// A smaller level is a list in any case.
const LEAST_LARGE: u32 = 64;
/// From one in so many vertices on, how many edges a level has is looked at. (Of RMAT-22 the neighbours of the
/// largest hub, one in 43, have 45 of 64 million.)
const FEW: u32 = 128;
/// A level is large that has so many times as many edges as there are vertices, and such a part of all edges:
/// there are few of those in a search, whatever the graph.
const MANY_EDGES: u32 = 4;
const PART_OF_EDGES: u32 = 8;

/// How many edges make a level large. None if no level has so many.
fn large_sum<C: Container>(graph: &C) -> Result<Option<u64>, Error> {
    let Shape { vertices, average_degree, .. } = out_shape(graph)?;
    let a_vertex = MANY_EDGES.max(average_degree / PART_OF_EDGES);
    let is_possible = average_degree >= MANY_EDGES;
    Ok(is_possible.then(|| u64::from(vertices) * u64::from(a_vertex)))
}

/// Reaches all that can be reached from the current frontier, level 0. Says how far that is.
pub(super) fn search<C: Container, S: BfsState>(
    graph: &C,
    states: &DeviceBuffer<Atomic<S>>,
    frontiers: &mut Frontiers<Vertex>,
) -> Result<Extent, Error> {
    let (device, out_edges) = (graph.device(), graph.out_edges()?);
    let vertices = graph.vertex_count();
    // A pass over all vertices costs less than a long list with one counter.
    let large = (vertices / device.tuning().large_level).max(LEAST_LARGE);
    let many = large_sum(graph)?;
    let mut looks_at = if many.is_some() { (vertices / FEW).max(LEAST_LARGE) } else { large };
    let (mut level, mut in_passes, before) = (0, 0, frontiers.visited());
    loop {
        let least = looks_at.min(large);
        let is_small = |_, length| length < least;
        level += frontiers.repeat(is_small, |round, current, next| {
            visit::launch(device, current, out_edges, level + round + 1, states, next)
        })?;
        if frontiers.is_empty() {
            let reached = in_passes + frontiers.visited() - before;
            return Ok(Extent { levels: level, reached });
        }
        let is_large = match many {
            Some(many) if frontiers.len() < large => {
                out_edges::sum(graph, frontiers.current())? >= many
            }
            _ => true,
        };
        if is_large {
            let passes = pass_large(graph, states, frontiers, large, level)?;
            (level, in_passes) = (passes.level, in_passes + passes.reached);
        }
        // Levels grow by more than that where one of them has most edges.
        looks_at = looks_at.max(frontiers.len().saturating_mul(2));
    }
}

/// Where passes over all vertices ended: at a level that is the current frontier, and not passed over itself.
struct Passes {
    level: u32,
    /// How many vertices were on the levels passed over.
    reached: u64,
}

/// Goes on from `level` by passes over all vertices, until one of the next levels has fewer than `large`
/// vertices. Synchronises twice a level.
fn pass_large<C: Container, S: BfsState>(
    graph: &C,
    states: &DeviceBuffer<Atomic<S>>,
    frontiers: &mut Frontiers<Vertex>,
    large: u32,
    mut level: u32,
) -> Result<Passes, Error> {
    let (device, count) = (graph.device(), graph.vertex_count());
    let (out_edges, mut arcs) = (graph.out_edges()?, DeviceBuffer::zeroed(device, 2)?);
    let forward_cost = u64::from(device.tuning().forward_cost);
    let (mut is_first, mut reached) = (true, 0);
    loop {
        arcs.fill(0)?;
        list_level::launch(device, count, out_edges, level, states, frontiers.next(), &arcs)?;
        if frontiers.advance()? < large && !is_first {
            return Ok(Passes { level, reached });
        }
        is_first = false;
        reached += u64::from(frontiers.len());
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
