//! `meerkat bench dynamic`: following batches against computing from scratch on
//! the same slab graph (Meerkat, section 6).

use std::num::NonZero;

use clap::ValueEnum;
use meerkat::algos::pagerank::{DeadEnds, Method, Norm};
use meerkat::runtime::{Device, DynamicAlgorithm, Orientation, SlabOptions, Weight};
use serde::Serialize;

use super::WorkloadArgs;
use super::batches::{Batches, Choice, Kind, Split, insertions};
use super::table::{Row, report};
use super::together::Together;
use super::workload::{ArcList, Workload};
use crate::cli::algorithms::DeadEndsName;
use crate::cli::args::{ExecutionArgs, from_one};
use crate::cli::container::{DynamicContainer, Graph, Lists};
use crate::cli::failure::Failure;
use crate::cli::output::{DeviceReport, GraphFigures};
use crate::cli::progress::Progress;
use crate::cli::timing::timed;

const HELP: &str = "\
Examples:
  # Ten batches of ten thousand edges, as in the Meerkat paper, for a script
  meerkat bench dynamic --graph rmat:20 --json

  # Several sizes of batches of deletions
  meerkat bench dynamic --graph grid:1024x1024:30:10 --kinds decremental \\
      --batch-size 100,1000,10000

  # PageRank as the DF-P paper has it: loops at all vertices, four insertions to a deletion
  meerkat bench dynamic --graph rmat:20 --algorithms pagerank --kinds mixed --inserted 80 \\
      --dead-ends self-loops

Generators are as in `meerkat generate`. Searches start at the vertex of the largest
out-degree; lengths are 1 to 64. Batches are random edges of the graph: those that are
inserted are held back from the start. Times are wall times: the device is idle before and
after, kernels are compiled and memory is allocated; speedup is the sum of the static times over the sum
of the dynamic ones. Every answer is compared with the one from scratch. The truss is the 4-truss.
PageRank is in double precision to an L-infinity change of 1e-10 (tolerance), and follows by the dynamic
frontier with pruning; error is the largest difference of a rank after any batch. The tolerance
is of a step: the steps left out could change a rank by several times as much.";

#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(in crate::cli) struct DynamicArgs {
    #[command(flatten)]
    workload: WorkloadArgs,

    #[command(flatten)]
    batches: BatchesArgs,

    /// Orientation that a directed graph keeps: searches need `out`, the others both
    #[arg(long, value_name = "out|both", default_value = "both")]
    orientation: OrientationName,

    #[command(flatten)]
    execution: ExecutionArgs,
}

/// The batches of a benchmark.
#[derive(Debug, clap::Args)]
struct BatchesArgs {
    /// Kinds of batches
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "incremental,decremental,mixed"
    )]
    kinds: Vec<Kind>,

    /// Edges a batch; several sizes are measured one after another
    #[arg(long, short, value_name = "LIST", value_delimiter = ',', default_value = "10000",
          value_parser = from_one::<NonZero<usize>>, allow_negative_numbers = true)]
    batch_size: Vec<NonZero<usize>>,

    /// Batches of each size
    #[arg(long, value_name = "N", default_value = "10",
          value_parser = from_one::<NonZero<usize>>, allow_negative_numbers = true)]
    batches: NonZero<usize>,

    /// Insertions in a hundred updates of a mixed batch
    #[arg(long, value_name = "PERCENT", default_value_t = 50,
          value_parser = clap::value_parser!(u8).range(1..=99))]
    inserted: u8,

    /// Where PageRank takes the rank of vertices without out-edges
    #[arg(long, value_name = "teleport|self-loops", default_value = "teleport")]
    dead_ends: DeadEndsName,
}

/// The orientation that a directed graph keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OrientationName {
    /// Out-edges.
    Out,
    /// Out- and in-edges.
    Both,
}

/// Measures every algorithm asked for, with every kind and size of batches.
pub(super) fn run(args: &DynamicArgs) -> Result<String, Failure> {
    let algorithms = args.workload.dynamic_algorithms()?;
    let device = args.execution.open()?;
    let progress = Progress::reading();
    let workload = Workload::new(&args.workload, &device, &progress)?.list(&device)?;
    let orientation = match args.orientation {
        OrientationName::Out => Orientation::Out,
        OrientationName::Both => Orientation::Both,
    };
    let mut rows = Vec::new();
    for algorithm in algorithms {
        progress.work(algorithm.name());
        for &kind in &args.batches.kinds {
            for batch_size in &args.batches.batch_size {
                let case = DynamicCase {
                    algorithm: algorithm.name(),
                    container: args.workload.container,
                    ranks: RankSettings {
                        dead_ends: args.batches.dead_ends.into(),
                        ..RankSettings::DEFAULT
                    },
                    workload: &workload,
                    batches: Batches {
                        kind,
                        size: batch_size.get(),
                        count: args.batches.batches.get(),
                        inserted: args.batches.inserted,
                        choice: Choice::OfTheGraph,
                    },
                    layout: SlabOptions::DEFAULT.oriented(orientation),
                    device: &device,
                };
                rows.extend(algorithm.bench_dynamic(&case)?);
            }
        }
    }
    drop(progress);
    let figures = GraphFigures::named(workload.name, workload.n, workload.arcs.len() as u64);
    let on = DeviceReport::of(&device);
    Ok(report("bench dynamic", rows, figures, workload.input, on, args.execution.format()))
}

/// One algorithm following batches of one kind and size.
#[derive(Debug, Serialize)]
pub(in crate::cli) struct DynamicRow {
    algorithm: &'static str,
    #[serde(skip_serializing_if = "DynamicContainer::is_default")]
    container: DynamicContainer,
    kind: Kind,
    batch_size: usize,
    batches: usize,
    /// How many of the updates insert an edge.
    insertions: usize,
    /// Of all batches: the graph's part, the algorithm's, and from scratch.
    graph_ms: f64,
    dynamic_ms: f64,
    static_ms: f64,
    /// Static over dynamic.
    pub(super) speedup: f64,
    /// Dynamic, of one batch on average.
    pub(super) batch_ms: f64,
    /// Of PageRank: how far a rank is from the one from scratch after any batch, at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
    /// Of PageRank: the change of a step that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    tolerance: Option<f64>,
    /// How far the answers were from each other after each batch.
    #[serde(skip)]
    pub(super) errors: Vec<f64>,
    /// Of PageRank: the steps of each batch.
    #[serde(skip)]
    pub(super) iterations: Vec<u32>,
    #[serde(skip)]
    pub(super) graph_runs_ms: Vec<f64>,
    pub(super) dynamic_runs_ms: Vec<f64>,
    pub(super) static_runs_ms: Vec<f64>,
}

/// What a comparison of an answer with the one from scratch found.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::cli) struct Compared {
    /// How far they are from each other.
    pub(in crate::cli) error: f64,
    /// Of PageRank: the steps that it took.
    pub(in crate::cli) iterations: u32,
}

impl DynamicRow {
    /// Before any batch.
    fn new(case: &DynamicCase<'_>, batches: usize, insertions: usize) -> Self {
        Self {
            algorithm: case.algorithm,
            container: case.container,
            kind: case.batches.kind,
            batch_size: case.batches.size,
            batches,
            insertions,
            graph_ms: 0.0,
            dynamic_ms: 0.0,
            static_ms: 0.0,
            speedup: 0.0,
            batch_ms: 0.0,
            error: None,
            tolerance: None,
            errors: Vec::new(),
            iterations: Vec::new(),
            graph_runs_ms: Vec::new(),
            dynamic_runs_ms: Vec::new(),
            static_runs_ms: Vec::new(),
        }
    }

    /// After one more.
    fn push(&mut self, [graph_ms, dynamic_ms, static_ms]: [f64; 3], compared: Compared) {
        self.graph_runs_ms.push(graph_ms);
        self.dynamic_runs_ms.push(dynamic_ms);
        self.static_runs_ms.push(static_ms);
        self.errors.push(compared.error);
        self.iterations.push(compared.iterations);
        self.graph_ms += graph_ms;
        self.dynamic_ms += dynamic_ms;
        self.static_ms += static_ms;
        self.speedup = self.static_ms / self.dynamic_ms.max(1e-6);
        self.batch_ms = self.dynamic_ms / self.dynamic_runs_ms.len() as f64;
    }

    /// The same of ranks: the largest error and the tolerance are in the report.
    pub(in crate::cli) fn of_ranks(self, tolerance: f64) -> Self {
        let error = self.errors.iter().copied().fold(0.0, f64::max);
        Self { error: Some(error), tolerance: Some(tolerance), ..self }
    }
}

impl Row for DynamicRow {
    fn head() -> String {
        format!(
            "{:<10} {:<12} {:>10} {:>8} {:>12} {:>12} {:>12} {:>10} {:>9} {:>8} {:>9}",
            "algorithm",
            "kind",
            "batch",
            "batches",
            "graph ms",
            "dynamic ms",
            "static ms",
            "ms a batch",
            "speedup",
            "error",
            "tolerance"
        )
    }

    fn line(&self) -> String {
        let Self { algorithm, kind, batch_size, batches, .. } = self;
        let Self { graph_ms, dynamic_ms, static_ms, batch_ms, speedup, .. } = self;
        let number = |of: Option<f64>| of.map_or(String::new(), |of| format!("{of:.1e}"));
        let (error, tolerance) = (number(self.error), number(self.tolerance));
        let line = format!(
            "{algorithm:<10} {:<12} {batch_size:>10} {batches:>8} {graph_ms:>12.3} \
             {dynamic_ms:>12.3} {static_ms:>12.3} {batch_ms:>10.3} {speedup:>9.2} {error:>8} \
             {tolerance:>9}",
            kind.name()
        );
        line.trim_end().to_owned()
    }
}

/// An algorithm to be measured while it follows batches.
pub(in crate::cli) struct DynamicCase<'a> {
    pub(super) algorithm: &'static str,
    pub(in crate::cli) container: DynamicContainer,
    pub(in crate::cli) ranks: RankSettings,
    pub(in crate::cli) workload: &'a ArcList,
    pub(super) batches: Batches<'a>,
    /// The direction is the workload's.
    pub(super) layout: SlabOptions,
    pub(super) device: &'a Device,
}

/// How PageRank follows, and what its ranks are compared with.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct RankSettings {
    pub(in crate::cli) dead_ends: DeadEnds,
    /// Each follows, and has a row.
    pub(in crate::cli) methods: &'static [Method],
    pub(in crate::cli) tolerance: f64,
    pub(in crate::cli) norm: Norm,
    pub(in crate::cli) reference: Reference,
}

/// What ranks that followed are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Reference {
    /// Ranks from scratch to the same tolerance; the error is the largest difference.
    SameTolerance,
    /// Ranks after so many steps that doubles change no more; the error is the sum of differences.
    FixedPoint,
}

impl RankSettings {
    /// The dynamic frontier with pruning, to the tolerance of its paper.
    pub(in crate::cli) const DEFAULT: Self = Self {
        dead_ends: DeadEnds::Teleport,
        methods: &[Method::DF_P],
        tolerance: 1e-10,
        norm: Norm::LInfinity,
        reference: Reference::SameTolerance,
    };
}

impl DynamicCase<'_> {
    /// Follows with one algorithm of `new` and computes from scratch with another; their
    /// answers must be equal.
    pub(in crate::cli) fn run_exact<L: Lists, W: Weight, A: DynamicAlgorithm<Graph<L, W>>>(
        &self,
        weight: impl Fn((u32, u32)) -> W,
        new: impl Fn() -> A,
        is_equal: impl Fn(&A::Output, &A::Output) -> bool,
    ) -> Result<Vec<DynamicRow>, Failure> {
        let compare = |a: &_, b: &_| is_equal(a, b).then(Compared::default);
        self.run::<L, W, A>(weight, || vec![new()], new(), compare)
    }

    /// Follows with each algorithm of `new` and computes with `from_scratch`; `compare` says how far the
    /// answers differ, or nothing if it is too far. A row for each.
    pub(in crate::cli) fn run<L: Lists, W: Weight, A: DynamicAlgorithm<Graph<L, W>>>(
        &self,
        weight: impl Fn((u32, u32)) -> W,
        new: impl Fn() -> Vec<A>,
        from_scratch: A,
        compare: impl Fn(&A::Output, &A::Output) -> Option<Compared>,
    ) -> Result<Vec<DynamicRow>, Failure> {
        let Split { start, batches } = self.batches.split(self.workload, weight);
        let tracked = || -> Result<_, Failure> {
            let graph = self.workload.build::<L, W>(&start, &self.layout, self.device)?;
            Ok(graph.track(Together::new(new()))?)
        };
        // Memory and kernels are there before the clock runs: another graph has followed the first batch.
        if let Some(first) = batches.first() {
            tracked()?.apply(first)?;
        }
        let mut tracked = tracked()?;
        drop(start);
        let mut state = from_scratch.compute(tracked.graph())?;
        let insertions = batches.iter().map(insertions).sum();
        let row = || DynamicRow::new(self, batches.len(), insertions);
        let mut rows: Vec<_> = tracked.algorithm().milliseconds().iter().map(|_| row()).collect();
        for batch in &batches {
            let before = tracked.algorithm().milliseconds();
            let (_, whole) = timed(self.device, || tracked.apply(batch))?;
            let after = tracked.algorithm().milliseconds();
            let dynamic_ms: Vec<_> = after.iter().zip(before).map(|(to, from)| to - from).collect();
            let graph_ms = (whole.work_ms - dynamic_ms.iter().sum::<f64>()).max(0.0);
            let recompute = || from_scratch.recompute(&mut state, tracked.graph());
            let ((), span) = timed(self.device, recompute)?;
            let (followed, computed) = (tracked.output()?, from_scratch.output(&state)?);
            for ((row, dynamic_ms), followed) in rows.iter_mut().zip(dynamic_ms).zip(&followed) {
                let compared = compare(followed, &computed);
                let differ = Failure::AnswersDiffer { algorithm: self.algorithm };
                row.push([graph_ms, dynamic_ms, span.work_ms], compared.ok_or(differ)?);
            }
        }
        Ok(rows)
    }
}
