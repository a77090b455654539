//! `meerkat run bfs`: file -> simple graph -> slab graph -> levels -> report.

use meerkat::algos::bfs::{self, UNREACHED};
use meerkat::runtime::{Error, SlabGraph, SlabOptions};

use super::bfs_report::BfsResult;
use super::device;
use super::failure::Failure;
use super::input::Input;
use super::output;
use super::plan::{SearchPlan, SearchVariant};
use super::progress::Progress;
use super::report::{GraphFigures, Report, Timings};
use super::source;
use super::timing::timed;
use super::vertex_file::VertexFile;

/// LDBC's depth of an unreached vertex.
const UNREACHED_DEPTH: u64 = i64::MAX as u64;

/// Runs the search and gives its report.
pub(super) fn run(plan: &SearchPlan) -> Result<String, Failure> {
    let device = device::open(plan.run.device)?;
    let progress = Progress::reading();
    let input = Input::read(&plan.run.graph, &device, &progress)?;
    let source = source::find(plan.source, &input)?;
    let vertex_file = VertexFile::of(&plan.run)?;

    progress.work("building the graph");
    let edges = input.edges(|_| ());
    let (graph, build) = timed(&device, || {
        SlabGraph::from_edges(&device, input.graph.n, &edges, &SlabOptions::default())
    })?;
    drop(edges);
    progress.work("searching");
    let (found, search) = timed(&device, || Found::search(plan.variant, &graph, source))?;

    if let Some(file) = vertex_file {
        let depth = |level| if level == UNREACHED { UNREACHED_DEPTH } else { u64::from(level) };
        let depths = found.levels.iter().map(|&level| depth(level));
        file.write(&input.ids, depths, found.parents.as_deref())?;
    }
    drop(progress);
    let report = Report {
        algorithm: "bfs",
        device: device.name(),
        device_description: device.description(),
        graph: GraphFigures::of(&input.graph),
        result: BfsResult::new(input.ids.id_of(source), &found.levels),
        timings_ms: Timings {
            read: input.read_ms,
            build: build.work_ms,
            compile: build.compile_ms + search.compile_ms,
            run: search.work_ms,
        },
        input: input.report,
    };
    Ok(output::render(&report, plan.run.format))
}

/// What a search gives.
struct Found {
    levels: Vec<u32>,
    parents: Option<Vec<u32>>,
}

impl Found {
    fn search(variant: SearchVariant, graph: &SlabGraph<()>, source: u32) -> Result<Self, Error> {
        match variant {
            SearchVariant::Plain => Ok(Self { levels: bfs::levels(graph, source)?, parents: None }),
            SearchVariant::Tree => {
                let tree = bfs::tree(graph, source)?;
                Ok(Self { levels: tree.levels, parents: Some(tree.parents) })
            }
        }
    }
}
