//! `meerkat bench algorithms`: answers from scratch on the slab graph.

use std::num::NonZero;

use meerkat::runtime::{Device, DynamicAlgorithm, Error, Orientation, SlabGraph, Weight};
use serde::Serialize;

use super::WorkloadArgs;
use super::table::{Row, report};
use super::workload::Workload;
use crate::cli::args::{ExecutionArgs, from_one};
use crate::cli::failure::Failure;
use crate::cli::progress::Progress;
use crate::cli::timing::{median, timed};

const HELP: &str = "\
Examples:
  # Every algorithm from scratch
  meerkat bench algorithms --graph USA-road-NY.mtx.gz --repeat 10

Generators are as in `meerkat generate`. Searches start at the vertex of the largest
out-degree; lengths are 1 to 64. Times are wall times: the device is idle before and
after, kernels are compiled and memory is allocated. PageRank is in double precision to an L-infinity
change of 1e-10 (also with loops, and 20 steps of it in single precision).";

#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(in crate::cli) struct AlgorithmsArgs {
    #[command(flatten)]
    workload: WorkloadArgs,

    /// Runs of each, after a first one that compiles
    #[arg(long, value_name = "N", default_value = "5",
          value_parser = from_one::<NonZero<usize>>, allow_negative_numbers = true)]
    repeat: NonZero<usize>,

    #[command(flatten)]
    execution: ExecutionArgs,
}

/// Measures every algorithm asked for.
pub(super) fn run(args: &AlgorithmsArgs) -> Result<String, Failure> {
    let device = args.execution.open()?;
    let progress = Progress::reading();
    let workload = Workload::new(&args.workload, &device, &progress)?;
    let mut rows = Vec::new();
    for algorithm in args.workload.algorithms() {
        progress.work(algorithm.name());
        let (algorithm_name, repeat) = (algorithm.name(), args.repeat.get());
        let case =
            StaticCase { algorithm: algorithm_name, repeat, workload: &workload, device: &device };
        rows.extend(algorithm.bench_static(&case)?);
    }
    drop(progress);
    Ok(report("bench algorithms", rows, &workload, &device, args.execution.format()))
}

/// One algorithm's times.
#[derive(Debug, Serialize)]
pub(in crate::cli) struct StaticRow {
    algorithm: &'static str,
    variant: &'static str,
    median_ms: f64,
    /// Of PageRank: how many steps it takes, and how long each.
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step_ms: Option<f64>,
    /// Every run after the first, which compiles.
    runs_ms: Vec<f64>,
}

impl StaticRow {
    /// The same, of an algorithm that makes steps.
    pub(in crate::cli) fn with_iterations(self, iterations: u32) -> Self {
        let step_ms = self.median_ms / f64::from(iterations.max(1));
        Self { iterations: Some(iterations), step_ms: Some(step_ms), ..self }
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
        let Self { algorithm, variant, median_ms, iterations, step_ms, runs_ms } = self;
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
    algorithm: &'static str,
    repeat: usize,
    pub(in crate::cli) workload: &'a Workload,
    device: &'a Device,
}

impl StaticCase<'_> {
    /// The graph, both orientations, with weights.
    pub(in crate::cli) fn build<W: Weight>(
        &self,
        weight: impl Fn((u32, u32)) -> W,
    ) -> Result<SlabGraph<W>, Error> {
        self.workload.build(&self.workload.edges(weight), Orientation::Both, self.device)
    }

    /// Times `run`, whose answer stays on the device.
    pub(in crate::cli) fn time(
        &self,
        variant: &'static str,
        mut run: impl FnMut() -> Result<(), Error>,
    ) -> Result<StaticRow, Error> {
        let mut runs_ms = Vec::new();
        for number in 0..=self.repeat {
            let ((), span) = timed(self.device, &mut run)?;
            if number > 0 {
                runs_ms.push(span.work_ms);
            }
        }
        let (algorithm, median_ms) = (self.algorithm, median(&runs_ms));
        Ok(StaticRow { algorithm, variant, median_ms, iterations: None, step_ms: None, runs_ms })
    }

    /// Times the computation alone, in memory that is there.
    pub(in crate::cli) fn time_tracked<W: Weight, A: DynamicAlgorithm<W>>(
        &self,
        variant: &'static str,
        algorithm: A,
        graph: &SlabGraph<W>,
    ) -> Result<StaticRow, Error> {
        self.time_tracked_with(variant, algorithm, graph, |_| ())
    }

    /// The same; `look` sees the last answer.
    pub(in crate::cli) fn time_tracked_with<W: Weight, A: DynamicAlgorithm<W>>(
        &self,
        variant: &'static str,
        algorithm: A,
        graph: &SlabGraph<W>,
        look: impl FnOnce(A::Output),
    ) -> Result<StaticRow, Error> {
        let mut state = algorithm.compute(graph)?;
        let row = self.time(variant, || algorithm.recompute(&mut state, graph))?;
        look(algorithm.output(&state)?);
        Ok(row)
    }
}
