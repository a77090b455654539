//! `meerkat run wcc|triangles|pagerank`: file -> simple graph -> slab graph ->
//! answer -> report.

use std::fmt::Display;

use meerkat::algos::pagerank::{PageRank, Ranks};
use meerkat::algos::{triangles, wcc};
use meerkat::runtime::graph::Direction;
use meerkat::runtime::graph::Orientation;
use meerkat::runtime::{Device, Edge, Error, Float, SlabGraph, SlabOptions};
use serde::Serialize;

use super::device;
use super::failure::Failure;
use super::input::Input;
use super::output;
use super::plan::{PageRankPlan, Precision, RunPlan};
use super::progress::Progress;
use super::report::{GraphFigures, Report, Summary, Timings};
use super::timing::timed;
use super::vertex_file::VertexFile;
use super::whole_results::{PageRankResult, TrianglesResult, WccResult};

/// Finds the components and gives their report.
pub(super) fn run_wcc(plan: &RunPlan) -> Result<String, Failure> {
    Job::new("wcc", plan)?.run(
        |graph| wcc::labels(&graph),
        |labels, input| labels.iter().map(|&label| input.ids.id_of(label)).collect(),
        |labels, _| WccResult::new(labels),
    )
}

/// Counts the triangles and gives their report.
pub(super) fn run_triangles(plan: &RunPlan) -> Result<String, Failure> {
    let per_vertex = plan.output.is_some();
    let count = |graph: SlabGraph| match per_vertex {
        true => {
            let found = triangles::per_vertex(&graph)?;
            Ok((found.iter().sum::<u64>() / 3, found))
        }
        false => Ok((triangles::count(&graph)?, Vec::new())),
    };
    Job::new("triangles", plan)?.run(
        count,
        |(_, per_vertex), _| per_vertex.clone(),
        |(triangles, _), _| TrianglesResult { triangles: *triangles },
    )
}

/// Ranks the vertices and gives their report.
pub(super) fn run_pagerank(plan: &PageRankPlan) -> Result<String, Failure> {
    match plan.ranks.precision {
        Precision::Single => pagerank::<f32>(plan),
        Precision::Double => pagerank::<f64>(plan),
    }
}

fn pagerank<R: Float + Display>(plan: &PageRankPlan) -> Result<String, Failure> {
    let ranks = PageRank::<R>::new(plan.ranks.options, plan.ranks.method);
    Job::new("pagerank", &plan.run)?.run(
        |graph| graph.track(ranks)?.output(),
        |found: &Ranks<R>, _| found.ranks.clone(),
        |found, input| PageRankResult::new(found, &input.ids),
    )
}

/// One run: a file and what is to be done with its graph.
struct Job<'a> {
    algorithm: &'static str,
    plan: &'a RunPlan,
    device: Device,
}

impl<'a> Job<'a> {
    fn new(algorithm: &'static str, plan: &'a RunPlan) -> Result<Self, Failure> {
        Ok(Job { algorithm, plan, device: device::open(plan.device)? })
    }

    /// Answers with `work`, writes what `values` has for the vertices, reports what
    /// `result` says.
    fn run<A, V: Display, R: Serialize + Summary>(
        &self,
        work: impl FnOnce(SlabGraph) -> Result<A, Error>,
        values: impl FnOnce(&A, &Input) -> Vec<V>,
        result: impl FnOnce(&A, &Input) -> R,
    ) -> Result<String, Failure> {
        let (plan, device) = (self.plan, &self.device);
        let progress = Progress::reading();
        let input = Input::read(&plan.graph, device, &progress)?;
        let vertex_file = VertexFile::of(plan)?;
        progress.work("building the graph");
        let (graph, build) = timed(device, || slab_graph(device, &input))?;
        progress.work("computing");
        let (answer, run) = timed(device, || work(graph))?;
        if let Some(file) = vertex_file {
            file.write(&input.ids, values(&answer, &input), None)?;
        }
        drop(progress);
        let report = Report {
            algorithm: self.algorithm,
            device: device.name(),
            device_description: device.description(),
            graph: GraphFigures::of(&input.graph),
            result: result(&answer, &input),
            timings_ms: Timings {
                read: input.read_ms,
                build: build.work_ms,
                compile: build.compile_ms + run.compile_ms,
                run: run.work_ms,
            },
            input: input.report,
        };
        Ok(output::render(&report, plan.format))
    }
}

/// The graph with its in-edges.
fn slab_graph(device: &Device, input: &Input) -> Result<SlabGraph, Error> {
    let (edges, options) = match input.direction {
        Direction::Directed => {
            (input.edges(|_| ()), SlabOptions::DEFAULT.oriented(Orientation::Both))
        }
        Direction::Undirected => {
            let mut edges: Vec<Edge> = input.edges(|_| ());
            edges.retain(|edge| edge.src < edge.dst);
            (edges, SlabOptions::DEFAULT.undirected())
        }
    };
    SlabGraph::from_edges(device, input.graph.n, &edges, &options)
}
