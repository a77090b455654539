//! A graph file, read and made simple.

use std::path::PathBuf;

use meerkat::runtime::read::{Direction, Duplicates, GraphFile, SimpleGraph, VertexIds, read};
use meerkat::runtime::{Edge, Weight};

use super::failure::Failure;
use super::plan::GraphPlan;
use super::progress::Progress;
use super::timing::Stopwatch;

/// A simple graph and where it comes from.
pub(super) struct Input {
    pub(super) path: PathBuf,
    pub(super) graph: SimpleGraph,
    pub(super) ids: VertexIds,
    pub(super) direction: Direction,
    /// Who says so.
    pub(super) direction_origin: &'static str,
    /// Whether its records have times.
    pub(super) has_times: bool,
    pub(super) read_ms: f64,
}

impl Input {
    /// Reads the file without its weights, which cost the sort of the edges.
    pub(super) fn read(plan: &GraphPlan, progress: &Progress) -> Result<Self, Failure> {
        Self::read_with(plan, None, progress)
    }

    /// Reads the file; of repeated arcs `weights` says which weight counts.
    pub(super) fn read_with(
        plan: &GraphPlan,
        weights: Option<Duplicates>,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let watch = Stopwatch::start();
        let mut file = read(&plan.file, &mut |bytes| progress.read(bytes))?;
        progress.work("sorting the edges");
        let (direction, direction_origin) = direction(plan.direction, &file);
        if weights.is_none() {
            file.weights = None;
        }
        let graph = file.simple_with(direction, weights.unwrap_or_default());
        Ok(Self {
            path: plan.file.clone(),
            graph,
            ids: file.ids,
            direction,
            direction_origin,
            has_times: file.times.is_some(),
            read_ms: watch.milliseconds(),
        })
    }

    /// The arcs, each with what `weight` gives for its number.
    pub(super) fn edges<W: Weight>(&self, weight: impl Fn(usize) -> W) -> Vec<Edge<W>> {
        let arcs = self.graph.sources.iter().zip(&self.graph.destinations).enumerate();
        arcs.map(|(arc, (&src, &dst))| Edge { src, dst, weight: weight(arc) }).collect()
    }
}

/// The user's word comes first, then the file's.
pub(super) fn direction(asked: Option<Direction>, file: &GraphFile) -> (Direction, &'static str) {
    match (asked, file.declared_directed) {
        (Some(direction), _) => (direction, "as asked"),
        (None, Some(true)) => (Direction::Directed, "as the file declares"),
        (None, Some(false)) => (Direction::Undirected, "as the file declares"),
        (None, None) => (Direction::Directed, "the file does not say; see --undirected"),
    }
}
