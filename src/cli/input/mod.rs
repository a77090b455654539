//! Graph files: what the user says of them, reading them, and what was read.

mod graph_source;
mod memory;
mod options;
mod report;
mod vertex_id;
mod weights;

use std::io;
use std::path::{Path, PathBuf};

use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::{
    Duplicates, Format, GraphFile, Origin, ReadOptions, SimpleGraph, VertexIds,
};
use meerkat::runtime::{Device, Edge, Weight};

pub(super) use self::graph_source::GraphSource;
pub(super) use self::options::{DirectionArgs, GraphArgs, ReadArgs, STANDARD};
pub(super) use self::report::InputReport;
pub(super) use self::vertex_id::VertexId;
pub(super) use self::weights::{WeightRange, Weights, WeightsArgs, as_arcs};
use super::failure::Failure;
use super::progress::Progress;
use super::timing::Stopwatch;

/// A graph file, read and made simple.
pub(super) struct Input {
    /// The file, or what messages call the standard input.
    pub(super) path: PathBuf,
    /// The records, or only what the file says besides them.
    pub(super) file: GraphFile,
    pub(super) graph: SimpleGraph,
    pub(super) direction: Direction,
    pub(super) report: InputReport,
    pub(super) read_ms: f64,
}

/// What is kept of a file besides its simple graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    Graph,
    /// The records as well, in the order of the file.
    Records,
}

impl Input {
    /// Reads the file; of repeated arcs `duplicates` says which weight counts, and without
    /// it the graph has none. Refuses a graph that memory does not hold.
    pub(super) fn read(
        args: &GraphArgs,
        options: &ReadOptions,
        duplicates: Option<Duplicates>,
        keep: Keep,
        device: &Device,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let watch = Stopwatch::start();
        let path = name(&args.file).to_owned();
        let mut file = load(&args.file, options, progress)?;
        let (direction, direction_origin) = direction(args.direction.direction(), &file);
        memory::check(device, &path, &file, direction)?;
        progress.work("sorting the edges");
        let weights = if duplicates.is_none() { file.weights.take() } else { None };
        let graph = file.simple_with(direction, duplicates.unwrap_or_default());
        file.weights = file.weights.take().or(weights);
        let name = path.display().to_string();
        let report = InputReport::new(name, &file, &graph, (direction, direction_origin));
        if keep == Keep::Graph {
            (file.sources, file.destinations) = (Vec::new(), Vec::new());
            (file.weights, file.times) = (None, None);
        }
        Ok(Self { path, file, graph, direction, report, read_ms: watch.milliseconds() })
    }

    /// The ids of the vertices.
    pub(super) fn ids(&self) -> &VertexIds {
        &self.file.ids
    }

    /// The id of a vertex.
    pub(super) fn id(&self, vertex: u32) -> VertexId<'_> {
        VertexId::of(&self.file.ids, vertex)
    }

    /// The arcs, each with what `weight` gives for its number.
    pub(super) fn edges<W: Weight>(&self, weight: impl Fn(usize) -> W) -> Vec<Edge<W>> {
        let arcs = self.graph.sources.iter().zip(&self.graph.destinations).enumerate();
        arcs.map(|(arc, (&src, &dst))| Edge { src, dst, weight: weight(arc) }).collect()
    }
}

/// Reads the file or the standard input.
pub(super) fn load(
    file: &Path,
    options: &ReadOptions,
    progress: &Progress,
) -> Result<GraphFile, Failure> {
    let mut report = |bytes| progress.read(bytes);
    let read = if file.as_os_str() == STANDARD {
        let name = name(file).to_string_lossy();
        options.read_stream(&mut io::stdin().lock(), &name, &mut report)
    } else {
        options.read(file, &mut report)
    };
    Ok(read?)
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
