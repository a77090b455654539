//! `meerkat run bfs`: file -> simple graph -> slab graph -> levels -> report.

use std::time::Instant;

use meerkat::algos::bfs;
use meerkat::runtime::read::{Direction, GraphFile, SimpleGraph, VertexIds, read};
use meerkat::runtime::{Device, Edge, Error, SlabGraph, SlabOptions};

use super::args::DeviceArg;
use super::bfs_report::{BfsReport, BfsResult, GraphFigures, Subject, Timings};
use super::failure::Failure;
use super::output;
use super::plan::{BfsPlan, BfsVariant};
use super::progress::Progress;
use super::source;
use super::vertex_file::VertexFile;

/// Runs the search and gives its report.
pub(super) fn run(plan: &BfsPlan) -> Result<String, Failure> {
    let device = open_device(plan.device)?;
    let progress = Progress::reading();
    let input = Input::read(plan, &progress)?;
    let source = source::find(plan.source, &plan.graph, &input.graph, &input.ids)?;
    let vertex_file = plan.output.as_deref().map(VertexFile::open).transpose()?;

    progress.work("building the graph");
    let edges = input.edges();
    let (graph, build) = timed(&device, || {
        SlabGraph::from_edges(&device, input.graph.n, &edges, &SlabOptions::default())
    })?;
    drop(edges);
    progress.work("searching");
    let (found, search) = timed(&device, || Found::search(plan.variant, &graph, source))?;

    if let Some(file) = vertex_file {
        file.write(&input.ids, &found.levels, found.parents.as_deref())?;
    }
    drop(progress);
    let report = BfsReport {
        algorithm: "bfs",
        device: device.name(),
        graph: GraphFigures::of(&input.graph),
        result: BfsResult::new(input.ids.id_of(source), &found.levels),
        timings_ms: Timings {
            read: input.read_ms,
            build: build.work_ms,
            compile: build.compile_ms + search.compile_ms,
            run: search.work_ms,
        },
        subject: Subject {
            device: device.description(),
            file: plan.graph.clone(),
            direction: input.direction,
            direction_origin: input.direction_origin,
        },
    };
    Ok(output::render(&report, plan.format))
}

fn open_device(device: DeviceArg) -> Result<Device, Failure> {
    match device {
        DeviceArg::Auto => Ok(Device::auto()),
        DeviceArg::Cpu => Ok(Device::cpu()),
        DeviceArg::Cuda(ordinal) => Device::cuda(ordinal)
            .map_err(|cause| Failure::Device { device: format!("cuda:{ordinal}"), cause }),
    }
}

/// A graph file, read and made simple.
struct Input {
    graph: SimpleGraph,
    ids: VertexIds,
    direction: Direction,
    /// Who says so.
    direction_origin: &'static str,
    read_ms: f64,
}

impl Input {
    fn read(plan: &BfsPlan, progress: &Progress) -> Result<Self, Failure> {
        let start = Instant::now();
        let mut file = read(&plan.graph, &mut |bytes| progress.read(bytes))?;
        progress.work("sorting the edges");
        let (direction, direction_origin) = direction(plan.direction, &file);
        // A search counts edges, so spare the sort their weights.
        file.weights = None;
        let graph = file.simple(direction);
        let read_ms = milliseconds_since(start);
        Ok(Self { graph, ids: file.ids, direction, direction_origin, read_ms })
    }

    fn edges(&self) -> Vec<Edge<()>> {
        let arcs = self.graph.sources.iter().zip(&self.graph.destinations);
        arcs.map(|(&src, &dst)| Edge { src, dst, weight: () }).collect()
    }
}

/// The user's word comes first, then the file's.
fn direction(asked: Option<Direction>, file: &GraphFile) -> (Direction, &'static str) {
    match (asked, file.declared_directed) {
        (Some(direction), _) => (direction, "as asked"),
        (None, Some(true)) => (Direction::Directed, "as the file declares"),
        (None, Some(false)) => (Direction::Undirected, "as the file declares"),
        (None, None) => (Direction::Directed, "the file does not say; see --undirected"),
    }
}

/// What a search gives.
struct Found {
    levels: Vec<u32>,
    parents: Option<Vec<u32>>,
}

impl Found {
    fn search(variant: BfsVariant, graph: &SlabGraph<()>, source: u32) -> Result<Self, Error> {
        match variant {
            BfsVariant::Levels => Ok(Self { levels: bfs::levels(graph, source)?, parents: None }),
            BfsVariant::Tree => {
                let tree = bfs::tree(graph, source)?;
                Ok(Self { levels: tree.levels, parents: Some(tree.parents) })
            }
        }
    }
}

/// How long a piece of work took.
struct Span {
    /// Without compiling kernels.
    work_ms: f64,
    compile_ms: f64,
}

/// Does `work` on `device` to its end, and takes the time.
fn timed<T>(device: &Device, work: impl FnOnce() -> Result<T, Error>) -> Result<(T, Span), Error> {
    let (start, compiled_before) = (Instant::now(), device.compile_ms());
    let done = work()?;
    device.synchronize()?;
    let compile_ms = device.compile_ms() - compiled_before;
    let work_ms = (milliseconds_since(start) - compile_ms).max(0.0);
    Ok((done, Span { work_ms, compile_ms }))
}

fn milliseconds_since(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}
