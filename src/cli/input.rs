//! A graph file, read and made simple.

use std::io;
use std::path::{Path, PathBuf};

use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::{
    Column, Duplicates, Format, GraphFile, Origin, SimpleGraph, VertexIds,
};
use meerkat::runtime::{Device, Edge, Weight};

use super::failure::Failure;
use super::input_report::InputReport;
use super::memory;
use super::plan::{GraphPlan, STANDARD};
use super::progress::Progress;
use super::timing::Stopwatch;

/// A simple graph and where it comes from.
pub(super) struct Input {
    pub(super) path: PathBuf,
    pub(super) graph: SimpleGraph,
    pub(super) ids: VertexIds,
    pub(super) direction: Direction,
    pub(super) report: InputReport,
    /// Whether its records have times.
    pub(super) has_times: bool,
    pub(super) read_ms: f64,
}

impl Input {
    /// Reads the file without its weights, which cost the sort of the edges.
    pub(super) fn read(
        plan: &GraphPlan,
        device: &Device,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        Self::read_with(plan, None, device, progress)
    }

    /// Reads the file; of repeated arcs `weights` says which weight counts. Refuses a graph
    /// that memory does not hold.
    pub(super) fn read_with(
        plan: &GraphPlan,
        weights: Option<Duplicates>,
        device: &Device,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let watch = Stopwatch::start();
        let mut file = load(plan, progress)?;
        memory::check(device, &plan.file, &file)?;
        progress.work("sorting the edges");
        let (direction, direction_origin) = direction(plan.direction, &file);
        if weights.is_none() {
            file.weights = None;
        }
        let graph = file.simple_with(direction, weights.unwrap_or_default());
        let path = name(&plan.file).to_owned();
        let name = path.display().to_string();
        let report = InputReport::new(name, &file, &graph, (direction, direction_origin));
        Ok(Self {
            path,
            graph,
            has_times: file.columns.has(Column::Time),
            ids: file.ids,
            direction,
            report,
            read_ms: watch.milliseconds(),
        })
    }

    /// The arcs, each with what `weight` gives for its number.
    pub(super) fn edges<W: Weight>(&self, weight: impl Fn(usize) -> W) -> Vec<Edge<W>> {
        let arcs = self.graph.sources.iter().zip(&self.graph.destinations).enumerate();
        arcs.map(|(arc, (&src, &dst))| Edge { src, dst, weight: weight(arc) }).collect()
    }
}

/// Reads the file or the standard input.
pub(super) fn load(plan: &GraphPlan, progress: &Progress) -> Result<GraphFile, Failure> {
    let mut report = |bytes| progress.read(bytes);
    let file = if plan.file.as_os_str() == STANDARD {
        let name = name(&plan.file).to_string_lossy();
        plan.read.read_stream(&mut io::stdin().lock(), &name, &mut report)
    } else {
        plan.read.read(&plan.file, &mut report)
    };
    Ok(file?)
}

/// What messages call a file.
pub(super) fn name(file: &Path) -> &Path {
    if file.as_os_str() == STANDARD { Path::new("standard input") } else { file }
}

/// The user's word comes first, then the file's.
pub(super) fn direction(asked: Option<Direction>, file: &GraphFile) -> (Direction, Origin) {
    let declared = match file.format {
        Format::Dimacs | Format::Metis => Origin::Format,
        _ => Origin::Header,
    };
    match (asked, file.declared_directed) {
        (Some(direction), _) => (direction, Origin::Option),
        (None, Some(true)) => (Direction::Directed, declared),
        (None, Some(false)) => (Direction::Undirected, declared),
        (None, None) => (Direction::Directed, Origin::Default),
    }
}
