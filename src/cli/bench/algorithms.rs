//! `meerkat bench algorithms`: answers from scratch on a graph that batches can change.

use std::cell::Cell;
use std::cmp::Reverse;
use std::num::NonZero;

use meerkat::runtime::{
    Container, Device, DynamicAlgorithm, DynamicGraph, EdgeLists, Error, Orientation, Vertex,
    Weight,
};
use serde::Serialize;

use super::WorkloadArgs;
use super::table::{Row, report};
use super::workload::Workload;
use crate::cli::algorithms::Answers;
use crate::cli::args::{ExecutionArgs, from_one};
use crate::cli::container::{DynamicContainer, Graph, Lists};
use crate::cli::failure::Failure;
use crate::cli::output::{DeviceReport, GraphFigures, grouped};
use crate::cli::progress::Progress;
use crate::cli::timing::{median, timed};

const HELP: &str = "\
Examples:
  # Every algorithm from scratch
  meerkat bench algorithms --graph USA-road-NY.mtx.gz --repeat 10

Generators are as in `meerkat generate`. Searches start at the vertex of the largest
out-degree; lengths are 1 to 64. Each algorithm has a graph of its own, built on the device in
parts and dropped before the next: with out- and in-edges, for shortest paths with out-edges
alone. An algorithm that memory has no room for has a row that says so, and the others go on.
Times are wall times: the device is idle before and
after, kernels are compiled and memory is allocated. PageRank is in double precision to an L-infinity
change of 1e-10 (also with loops, and 20 steps of it in single precision).

The answer of each row is compared with that of plain code. If they differ, the command fails
and names the algorithm. On graphs of many million arcs plain code takes minutes, and memory for a copy of the
arcs: --unverified leaves it out.";

#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(in crate::cli) struct AlgorithmsArgs {
    #[command(flatten)]
    workload: WorkloadArgs,

    /// Runs of each, after a first one that compiles; fewer where they take over 10 seconds
    #[arg(long, value_name = "N", default_value = "5",
          value_parser = from_one::<NonZero<usize>>, allow_negative_numbers = true)]
    repeat: NonZero<usize>,

    /// Compare no answer with that of plain code
    #[arg(long)]
    unverified: bool,

    #[command(flatten)]
    execution: ExecutionArgs,
}

/// Measures every algorithm asked for.
pub(super) fn run(args: &AlgorithmsArgs) -> Result<String, Failure> {
    let device = args.execution.open()?;
    let progress = Progress::reading();
    let workload = Workload::new(&args.workload, &device, &progress)?;
    let expected = match args.unverified {
        true => None,
        false => Some(Answers::of(workload.simple(&device)?)),
    };
    let (mut rows, arcs) = (Vec::new(), Cell::new(0));
    for algorithm in args.workload.algorithms() {
        progress.work(algorithm.name());
        let (algorithm_name, repeat) = (algorithm.name(), args.repeat.get());
        let case = StaticCase {
            algorithm: algorithm_name,
            container: args.workload.container,
            repeat,
            workload: &workload,
            arcs: &arcs,
            expected: expected.as_ref(),
            device: &device,
        };
        match algorithm.bench_static(&case) {
            Ok(found) => rows.extend(found),
            Err(failure) => match failure.bytes_that_do_not_fit() {
                Some(bytes) => rows.push(StaticRow::without_room(&case, bytes)),
                None => return Err(failure),
            },
        }
    }
    drop(progress);
    let Workload { name, n, input, .. } = workload;
    let figures = GraphFigures::named(name, n, arcs.get());
    Ok(report(
        "bench algorithms",
        rows,
        figures,
        input,
        DeviceReport::of(&device),
        args.execution.format(),
    ))
}

/// After so many milliseconds no further run of a variant begins.
const MOST_MS: f64 = 10_000.0;

/// One algorithm's times.
#[derive(Debug, Serialize)]
pub(in crate::cli) struct StaticRow {
    algorithm: &'static str,
    #[serde(skip_serializing_if = "DynamicContainer::is_default")]
    container: DynamicContainer,
    pub(super) variant: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) median_ms: Option<f64>,
    /// How many bytes the device would have needed, at least; nothing was measured then.
    #[serde(skip_serializing_if = "Option::is_none")]
    does_not_fit_bytes: Option<u64>,
    /// Of PageRank: how many steps it takes, and how long each.
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step_ms: Option<f64>,
    /// Whether its answer was compared with that of plain code.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    verified: bool,
    /// Every run after the first, which compiles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    runs_ms: Vec<f64>,
}

impl StaticRow {
    /// The same, of an algorithm that makes steps.
    pub(in crate::cli) fn with_iterations(self, iterations: u32) -> Self {
        let step_ms = self.median_ms.map(|ms| ms / f64::from(iterations.max(1)));
        Self { iterations: Some(iterations), step_ms, ..self }
    }

    /// Of an algorithm that memory has no room for.
    fn without_room(case: &StaticCase<'_>, bytes: u64) -> Self {
        Self {
            algorithm: case.algorithm,
            container: case.container,
            variant: "",
            median_ms: None,
            does_not_fit_bytes: Some(bytes),
            iterations: None,
            step_ms: None,
            verified: false,
            runs_ms: Vec::new(),
        }
    }
}

impl Row for StaticRow {
    fn head() -> String {
        format!(
            "{:<12} {:<12} {:>12} {:>12} {:>12} {:>6} {:>9}",
            "algorithm", "", "median ms", "least", "most", "steps", "a step"
        )
    }

    fn line(&self) -> String {
        let Self { algorithm, variant, median_ms, does_not_fit_bytes, .. } = self;
        if let Some(bytes) = *does_not_fit_bytes {
            return format!("{algorithm:<12} does not fit: {} bytes", grouped(bytes));
        }
        let Self { iterations, step_ms, runs_ms, .. } = self;
        let median_ms = median_ms.unwrap_or_default();
        let least = runs_ms.iter().copied().fold(f64::INFINITY, f64::min);
        let most = runs_ms.iter().copied().fold(0.0, f64::max);
        let steps = iterations.map_or(String::new(), |steps| steps.to_string());
        let step = step_ms.map_or(String::new(), |ms| format!("{ms:.3}"));
        let line = format!(
            "{algorithm:<12} {variant:<12} {median_ms:>12.3} {least:>12.3} {most:>12.3} \
             {steps:>6} {step:>9}"
        );
        line.trim_end().to_owned()
    }
}

/// An algorithm to be measured from scratch.
pub(in crate::cli) struct StaticCase<'a> {
    pub(super) algorithm: &'static str,
    pub(in crate::cli) container: DynamicContainer,
    pub(super) repeat: usize,
    pub(super) workload: &'a Workload,
    /// How many arcs the graph has, once one was built.
    pub(super) arcs: &'a Cell<u64>,
    /// The answers of plain code, if ours are compared with them.
    pub(super) expected: Option<&'a Answers>,
    pub(super) device: &'a Device,
}

impl StaticCase<'_> {
    /// The graph, with lengths as weights if it has some.
    pub(in crate::cli) fn build<L: Lists, W: Weight>(
        &self,
        orientation: Orientation,
    ) -> Result<Graph<L, W>, Error> {
        let graph = self.workload.build::<L, W>(orientation, self.device)?;
        self.arcs.set(graph.edge_count()?);
        Ok(graph)
    }

    /// Compares the answer with that of plain code, if asked to.
    pub(in crate::cli) fn check(
        &self,
        is_right: impl FnOnce(&Answers) -> Result<bool, Error>,
    ) -> Result<(), Failure> {
        let algorithm = self.algorithm;
        match self.expected.map(is_right).transpose()? {
            Some(false) => Err(Failure::DiffersFromPlain { algorithm }),
            Some(true) | None => Ok(()),
        }
    }

    /// Where searches start: the vertex of the largest out-degree.
    pub(in crate::cli) fn source<L: EdgeLists>(
        &self,
        graph: &DynamicGraph<L>,
    ) -> Result<Vertex, Error> {
        // Of equals the smallest.
        let degrees = graph.out_degrees()?;
        let hub = (0..).zip(degrees).max_by_key(|&(v, degree)| (degree, Reverse(v)));
        Ok(hub.map_or(0, |(v, _)| v))
    }

    /// Times `run`, whose answer stays on the device.
    pub(in crate::cli) fn time(
        &self,
        variant: &'static str,
        mut run: impl FnMut() -> Result<(), Error>,
    ) -> Result<StaticRow, Error> {
        let ((), first) = timed(self.device, &mut run)?;
        let (mut runs_ms, mut spent_ms) = (Vec::new(), first.work_ms);
        while runs_ms.len() < self.repeat && (spent_ms < MOST_MS || runs_ms.is_empty()) {
            let ((), span) = timed(self.device, &mut run)?;
            runs_ms.push(span.work_ms);
            spent_ms += span.work_ms;
        }
        Ok(StaticRow {
            algorithm: self.algorithm,
            container: self.container,
            variant,
            median_ms: Some(median(&runs_ms)),
            does_not_fit_bytes: None,
            iterations: None,
            step_ms: None,
            verified: self.expected.is_some(),
            runs_ms,
        })
    }

    /// Times the computation alone, in memory that is there; the last answer is to be right.
    pub(in crate::cli) fn time_tracked<C: Container, A: DynamicAlgorithm<C>>(
        &self,
        variant: &'static str,
        algorithm: A,
        graph: &C,
        is_right: impl FnOnce(&Answers, &A::Output) -> bool,
    ) -> Result<(StaticRow, A::Output), Failure> {
        let mut state = algorithm.compute(graph)?;
        let row = self.time(variant, || algorithm.recompute(&mut state, graph))?;
        let answer = algorithm.output(&state)?;
        self.check(|answers| Ok(is_right(answers, &answer)))?;
        Ok((row, answer))
    }
}
