//! `meerkat run`: file -> simple graph -> container -> answer -> report.

mod over_ranks;

use std::num::NonZero;
use std::path::PathBuf;

use meerkat::runtime::graph::Direction;
use meerkat::runtime::graph::Orientation;
use meerkat::runtime::{
    BlockGraph, CompactGraph, Container, Device, Edge, Error, RowGraph, SlabGraph, SlabOptions,
    Weight,
};
use serde::Serialize;

use super::algorithms::{Algorithm, AlgorithmArgs, Figures, Task};
use super::args::{ExecutionArgs, FILES_HELP, Ranks, RanksArgs, ReportFormat, from_one};
use super::container::{Blocks, Compact, Lists, Slabs};
use super::failure::Failure;
use super::input::{GraphArgs, Input, Keep, WeightsArgs};
use super::output::{
    self, DeviceReport, GraphFigures, Milliseconds, Printed, Report, Timings, VertexFile,
};
use super::progress::Progress;
use super::timing::{median, sorted, timed};
use over_ranks::compute_over_ranks;

/// What the user says of a run.
#[derive(Debug, clap::Args)]
pub(super) struct RunArgs<A: clap::Args> {
    #[command(flatten)]
    graph: GraphArgs,

    #[command(flatten)]
    algorithm: A,

    #[command(flatten)]
    task: RunOptions,

    #[command(flatten)]
    ranks: RanksArgs,

    #[command(flatten)]
    execution: ExecutionArgs,
}

/// What every run takes.
#[derive(Debug, clap::Args)]
struct RunOptions {
    /// Write the answer for every vertex to a file, a line each in the order of the ids; `.gz` is
    /// compressed, `-` is the standard output, and the report then goes to standard error
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Container of the edges: slabs, which batches can change; compact slabs, which take less
    /// memory; or rows, which nothing can change. The answer is the same
    #[arg(long, value_name = "CONTAINER", value_enum, default_value_t)]
    container: ContainerName,

    /// Compute N times; the time of the run is then the median
    #[arg(long, value_name = "N", default_value = "1", value_parser = from_one::<NonZero<usize>>,
          allow_negative_numbers = true)]
    trials: NonZero<usize>,

    /// Compare the answer with that of plain code, and fail if they differ
    #[arg(long)]
    verify: bool,
}

/// The containers that an algorithm runs over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
enum ContainerName {
    #[default]
    Slabs,
    Compact,
    Blocks,
    Rows,
}

impl ContainerName {
    fn is_default(&self) -> bool {
        *self == ContainerName::default()
    }
}

/// The subcommand of an algorithm.
pub(super) fn command<A: AlgorithmArgs>() -> clap::Command {
    let help = format!("{}\n\n{FILES_HELP}", A::RUN_HELP);
    let command = <RunArgs<A> as clap::Args>::augment_args(clap::Command::new(A::NAME));
    command.about(A::ABOUT).visible_aliases(A::ALIASES).after_help(help)
}

/// Runs an algorithm and gives its report.
pub(super) fn run<A: AlgorithmArgs>(
    args: &RunArgs<A>,
    device: Option<&Device>,
) -> Result<Printed, Failure> {
    if args.ranks.are_asked() {
        if !A::RUNS_OVER_RANKS {
            return Err(Failure::NotOverRanks { what: A::NAME });
        }
        if args.task.container == ContainerName::Rows {
            return Err(Failure::NotOverRanks { what: "--container rows" });
        }
    }
    let ranks = args.ranks.open(&args.execution.place, &args.graph.file)?;
    let first = device.or(ranks.as_ref().and_then(Ranks::first_device));
    let device = first.cloned().map_or_else(|| args.execution.open(), Ok)?;
    let speaks = ranks.as_ref().is_none_or(Ranks::speaks);
    let progress = if speaks { Progress::reading() } else { Progress::hidden() };
    let weights = args.algorithm.weights();
    let duplicates = weights.map(WeightsArgs::duplicates);
    let options = args.graph.read.without_times();
    let mut input =
        Input::read(&args.graph, &options, duplicates, Keep::Graph, &device, &progress)?;
    let weights = weights.map(|args| args.of_arcs(&mut input, A::WEIGHT_RANGE)).transpose()?;
    let path = args.task.output.as_ref().filter(|_| speaks);
    let file = path.map(|path| VertexFile::new(path, &args.graph.file)).transpose()?;
    let is_beside = file.as_ref().is_some_and(VertexFile::is_stdout);
    let task = Run {
        name: A::NAME,
        options: &args.task,
        format: args.execution.format(),
        device: &device,
        ranks: ranks.as_ref(),
        input: &input,
        file,
        progress,
    };
    let text = args.algorithm.start(&input, weights, task)?;
    Ok(if is_beside { Printed::Stderr(text) } else { Printed::Stdout(text) })
}

/// One run of an algorithm.
struct Run<'a> {
    name: &'static str,
    options: &'a RunOptions,
    format: ReportFormat,
    device: &'a Device,
    ranks: Option<&'a Ranks>,
    input: &'a Input,
    file: Option<VertexFile>,
    progress: Progress,
}

impl Task for Run<'_> {
    type Output = String;

    fn perform<W: Weight + PartialOrd, A: Algorithm<W>>(
        self,
        algorithm: &A,
        weight: impl Fn(usize) -> W,
    ) -> Result<String, Failure> {
        let (device, input) = (self.device, self.input);
        if let Some(ranks) = self.ranks {
            return match self.options.container {
                ContainerName::Slabs => {
                    self.perform_over_ranks::<Slabs, _, _>(ranks, algorithm, &weight)
                }
                ContainerName::Compact => {
                    self.perform_over_ranks::<Compact, _, _>(ranks, algorithm, &weight)
                }
                ContainerName::Blocks => {
                    self.perform_over_ranks::<Blocks, _, _>(ranks, algorithm, &weight)
                }
                ContainerName::Rows => Err(Failure::NotOverRanks { what: "--container rows" }),
            };
        }
        let n = input.graph.n;
        let list = || edges_of(input, algorithm.orientation(false), &weight);
        let compact = || {
            let (edges, options) = list();
            CompactGraph::from_edges(device, n, &edges, &options)
        };
        match self.options.container {
            ContainerName::Slabs => {
                let build = || {
                    let (edges, options) = list();
                    SlabGraph::from_edges(device, n, &edges, &options)
                };
                self.perform_over(algorithm, build, &weight)
            }
            ContainerName::Compact => self.perform_over(algorithm, compact, &weight),
            ContainerName::Blocks => {
                let build = || {
                    let (edges, options) = list();
                    BlockGraph::from_edges(device, n, &edges, &options)
                };
                self.perform_over(algorithm, build, &weight)
            }
            ContainerName::Rows => {
                self.perform_over(algorithm, || RowGraph::of(&compact()?), &weight)
            }
        }
    }
}

/// How long the trials took.
#[derive(Default)]
struct Computed {
    compile_ms: f64,
    runs_ms: Vec<f64>,
}

impl Run<'_> {
    /// Builds a container, computes and reports.
    fn perform_over<W: Weight, A: Algorithm<W>, C: Container<Carried = W>>(
        self,
        algorithm: &A,
        build: impl FnOnce() -> Result<C, Error>,
        weight: &dyn Fn(usize) -> W,
    ) -> Result<String, Failure> {
        let device = self.device;
        self.progress.work("building the graph");
        let (graph, build) = timed(device, build)?;
        self.progress.work("computing");
        let (answer, computed) = self.compute(algorithm, &graph)?;
        let device = DeviceReport::of(device);
        let build = (build.work_ms, build.compile_ms);
        self.finish(algorithm, &answer, (device, String::new()), (build, computed), weight)
    }

    /// Builds a distributed graph, computes over its ranks and reports.
    fn perform_over_ranks<C: Lists, W: Weight, A: Algorithm<W>>(
        self,
        ranks: &Ranks,
        algorithm: &A,
        weight: &dyn Fn(usize) -> W,
    ) -> Result<String, Failure> {
        let (edges, options) = edges_of(self.input, algorithm.orientation(false), weight);
        self.progress.work("computing");
        let graph = (self.input.graph.n, &edges[..], &options);
        let trials = self.options.trials.get();
        let done = compute_over_ranks::<C::Of<W>, W, A>(ranks, graph, algorithm, trials)?;
        let answer = done.answer.ok_or(Failure::NotOverRanks { what: self.name })?;
        if !ranks.speaks() {
            return Ok(String::new());
        }
        let computed = Computed {
            compile_ms: done.runs.iter().map(|span| span.compile_ms).sum(),
            runs_ms: done.runs.iter().map(|span| span.work_ms).collect(),
        };
        let device = DeviceReport::new(ranks.name(), ranks.description());
        let (most, count) = (done.statistics.imbalance(), ranks.count());
        let line = format!("ranks    {count}, the fullest has {most:.2} times the mean of arcs\n");
        let build = (done.build.work_ms, done.build.compile_ms);
        self.finish(algorithm, &answer, (device, line), (build, computed), weight)
    }

    /// Verifies, writes and reports an answer.
    fn finish<W: Weight, A: Algorithm<W>>(
        mut self,
        algorithm: &A,
        answer: &A::Answer,
        place: (DeviceReport, String),
        ((build_ms, compile_ms), computed): ((f64, f64), Computed),
        weight: &dyn Fn(usize) -> W,
    ) -> Result<String, Failure> {
        let (input, ids) = (self.input, self.input.ids());
        if self.options.verify {
            self.progress.work("verifying");
            let verified = algorithm.verify(answer, input, weight);
            verified.map_err(|difference| Failure::AnswerIsWrong { difference })?;
        }
        if let Some(file) = self.file.take() {
            file.write(ids, &|vertex, to| algorithm.write_vertex(answer, ids, vertex, to))?;
        }
        let timings = Timings {
            read: Milliseconds(input.read_ms),
            build: Milliseconds(build_ms),
            compile: Milliseconds(compile_ms + computed.compile_ms),
            run: Milliseconds(median(&computed.runs_ms)),
        };
        Ok(self.report(algorithm.figures(answer, ids), place, timings, computed.runs_ms))
    }

    /// Computes as often as asked, and gives the last answer.
    fn compute<W: Weight, A: Algorithm<W>>(
        &self,
        algorithm: &A,
        graph: &impl Container<Carried = W>,
    ) -> Result<(A::Answer, Computed), Error> {
        let mut computed = Computed::default();
        loop {
            let compute = || algorithm.compute(graph, self.file.is_some());
            let (answer, span) = timed(self.device, compute)?;
            computed.compile_ms += span.compile_ms;
            computed.runs_ms.push(span.work_ms);
            if computed.runs_ms.len() == self.options.trials.get() {
                return Ok((answer, computed));
            }
        }
    }

    fn report<F: Figures>(
        self,
        figures: F,
        (device, line): (DeviceReport, String),
        timings: Timings,
        runs_ms: Vec<f64>,
    ) -> String {
        drop(self.progress);
        let Self { name, options, format, input, .. } = self;
        let trials_ms = if runs_ms.len() > 1 { runs_ms } else { Vec::new() };
        let mut text = format!(
            "{name}{} on {device}\n\n{}{line}{}",
            figures.question(),
            input.report,
            figures.answer(input.graph.n),
        );
        if options.verify {
            text += "verified against plain code\n";
        }
        text += &format!("time     {timings}\n");
        if let [least, .., most] = sorted(&trials_ms)[..] {
            text += &format!("trials   {}, from {least:.1} to {most:.1} ms\n", trials_ms.len());
        }
        text += &figures.table();
        let trials_ms = trials_ms.into_iter().map(Milliseconds).collect();
        let (container, verified) = (options.container, options.verify);
        let result = RunResult { figures, container, verified, trials_ms };
        let report = Report {
            algorithm: Some(name),
            input: Some(input.report.clone()),
            graph: Some(GraphFigures::of(&input.graph)),
            timings_ms: Some(timings),
            device: Some(device),
            ..Report::new("run", result)
        };
        output::render(&report, &text, format)
    }
}

/// The figures in JSON, and what belongs to the run.
#[derive(Serialize)]
struct RunResult<F> {
    #[serde(flatten)]
    figures: F,
    /// Only of another one than slabs.
    #[serde(skip_serializing_if = "ContainerName::is_default")]
    container: ContainerName,
    /// Only with `--verify`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    verified: bool,
    /// Only of several trials.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trials_ms: Vec<Milliseconds>,
}

/// The edges of the graph that has the arcs that an algorithm needs, and which it keeps.
fn edges_of<W: Weight>(
    input: &Input,
    orientation: Orientation,
    weight: impl Fn(usize) -> W,
) -> (Vec<Edge<W>>, SlabOptions) {
    let mut edges: Vec<Edge<W>> = input.edges(weight);
    let options = match (orientation, input.direction) {
        // Out-edges are the arcs, whose weights may differ both ways.
        (Orientation::Out, _) => SlabOptions::DEFAULT,
        (orientation, Direction::Directed) => SlabOptions::DEFAULT.oriented(orientation),
        (_, Direction::Undirected) => {
            edges.retain(|edge| edge.src < edge.dst);
            SlabOptions::DEFAULT.undirected()
        }
    };
    (edges, options)
}
