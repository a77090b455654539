//! The host's side of a search from one vertex: level by level, small levels as
//! lists, large ones as passes over all vertices, along the out-edges of the level
//! or back along the in-edges of those without one, whichever are fewer (Beamer,
//! Asanović, Patterson, "Direction-optimizing breadth-first search").

use super::operators::{
    OF_LEVEL, OF_UNREACHED, adopt, adopt_unlisted, find_parent, list_generation, list_level,
    look_up, visit, visit_unlisted,
};
use crate::tree::TreeNode;
use meerkat_runtime::frontier::{CurrentFrontier, NextFrontier};
use meerkat_runtime::graph::Adjacency;
use meerkat_runtime::prelude::*;

/// What a search leaves at the vertices.
pub(super) trait Marks<W: Weight> {
    /// Marks and lists the next level.
    fn push(
        &self,
        graph: &SlabGraph<W>,
        items: CurrentFrontier<'_, Vertex>,
        level: u32,
        next: NextFrontier<'_, Vertex>,
    ) -> Result<(), Error>;

    /// Marks the next level.
    fn push_unlisted(
        &self,
        graph: &SlabGraph<W>,
        items: CurrentFrontier<'_, Vertex>,
        level: u32,
    ) -> Result<(), Error>;

    /// Marks the next level from its own side.
    fn pull(&self, in_edges: &Adjacency<W>, vertices: u32, level: u32) -> Result<(), Error>;

    /// Lists a level, and sums up the out-edges.
    fn list(
        &self,
        graph: &SlabGraph<W>,
        level: u32,
        listed: NextFrontier<'_, Vertex>,
        arcs: &DeviceBuffer<Atomic<u64>>,
    ) -> Result<(), Error>;
}

macro_rules! marks {
    ($mark:ty: $push:ident $push_unlisted:ident $pull:ident $list:ident) => {
        impl<W: Weight> Marks<W> for DeviceBuffer<Atomic<$mark>> {
            fn push(
                &self,
                graph: &SlabGraph<W>,
                items: CurrentFrontier<'_, Vertex>,
                level: u32,
                next: NextFrontier<'_, Vertex>,
            ) -> Result<(), Error> {
                $push::launch(graph.device(), items, graph, level, self, next)
            }

            fn push_unlisted(
                &self,
                graph: &SlabGraph<W>,
                items: CurrentFrontier<'_, Vertex>,
                level: u32,
            ) -> Result<(), Error> {
                $push_unlisted::launch(graph.device(), items, graph, level, self)
            }

            fn pull(
                &self,
                in_edges: &Adjacency<W>,
                vertices: u32,
                level: u32,
            ) -> Result<(), Error> {
                $pull::launch(self.device(), 0..vertices, in_edges, level, self)
            }

            fn list(
                &self,
                graph: &SlabGraph<W>,
                level: u32,
                listed: NextFrontier<'_, Vertex>,
                arcs: &DeviceBuffer<Atomic<u64>>,
            ) -> Result<(), Error> {
                let (device, count) = (graph.device(), graph.vertex_count());
                $list::launch(device, count, graph, level, self, listed, arcs)
            }
        }
    };
}

marks!(u32: visit visit_unlisted look_up list_level);
marks!(TreeNode: adopt adopt_unlisted find_parent list_generation);

/// A level of at least this part of all vertices is large: a pass over all of them
/// costs less than a list with one counter.
const LARGE_PART: u32 = 32;
/// A smaller level is a list in any case.
const LEAST_LARGE: u32 = 64;
/// How much more it costs to follow an edge forward, where others write, than back.
const FORWARD_COST: u64 = 2;

/// Marks all that the current frontier, level 0, reaches.
pub(super) fn search<W: Weight>(
    graph: &SlabGraph<W>,
    marks: &impl Marks<W>,
    frontiers: &mut Frontiers<Vertex>,
) -> Result<(), Error> {
    let large = (graph.vertex_count() / LARGE_PART).max(LEAST_LARGE);
    let mut level = 0;
    loop {
        let is_small = |_, length| length < large;
        level += frontiers.repeat(is_small, |round, current, next| {
            marks.push(graph, current, level + round + 1, next)
        })?;
        if frontiers.is_empty() {
            return Ok(());
        }
        level = pass_large(graph, marks, frontiers, level, large)?;
    }
}

/// Goes on from `level` by passes over all vertices, until a level is not large.
/// Returns which; it is the current frontier. Synchronises twice a level.
fn pass_large<W: Weight>(
    graph: &SlabGraph<W>,
    marks: &impl Marks<W>,
    frontiers: &mut Frontiers<Vertex>,
    mut level: u32,
    large: u32,
) -> Result<u32, Error> {
    let mut arcs = DeviceBuffer::zeroed(graph.device(), 2)?;
    loop {
        arcs.fill(0)?;
        marks.list(graph, level, frontiers.next(), &arcs)?;
        if frontiers.advance()? < large {
            return Ok(level);
        }
        let sums = arcs.to_vec()?;
        let (forward, back) = (sums[OF_LEVEL as usize], sums[OF_UNREACHED as usize]);
        level += 1;
        match graph.in_edges() {
            Ok(in_edges) if back < FORWARD_COST * forward => {
                marks.pull(in_edges, graph.vertex_count(), level)?;
            }
            _ => marks.push_unlisted(graph, frontiers.current(), level)?,
        }
    }
}
