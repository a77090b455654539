//! What the user types for algorithms of the whole graph, without a source.

use std::num::NonZero;

use clap::ValueEnum;
use meerkat::algos::pagerank::{DeadEnds, Method, Norm, Options, Stop};

use super::super::plan::{PageRankPlan, Precision, RanksPlan, RunPlan};
use super::flags::{RunArgs, from_one};

const WCC_HELP: &str = "\
Examples:
  meerkat run wcc --graph tests/graphs/rome99.gr.gz
  meerkat run wcc --graph G.mtx --output components --json

The direction of an arc does not matter; a vertex without arcs is a component.

--output FILE writes one line a vertex, in the order of the ids: `id component`, where
a component is named by the smallest of its ids.

--json prints one object: algorithm, device, input (see `meerkat run bfs --help`), graph
{n, m_arcs, m_undirected, max_out_degree}, result {count, largest} and
timings_ms {read, build, compile, run}.";

const TRIANGLES_HELP: &str = "\
Examples:
  meerkat run triangles --graph tests/graphs/karate.mtx
  meerkat run triangles --graph G.mtx --output corners --json

Triangles are those of the undirected simple graph: the directions of arcs do not
matter, and each triangle counts once.

--output FILE writes one line a vertex, in the order of the ids: `id triangles`, the
triangles that the vertex is a corner of.

--json prints one object: algorithm, device, input (see `meerkat run bfs --help`), graph
{n, m_arcs, m_undirected, max_out_degree}, result {triangles} and
timings_ms {read, build, compile, run}.";

const PAGERANK_HELP: &str = "\
Examples:
  meerkat run pagerank --graph tests/graphs/rome99.gr.gz
  meerkat run pagerank --graph G.mtx --precision f32 --tolerance 1e-6 --json
  meerkat run pagerank --graph G.e --iterations 26 --output ranks   # as LDBC asks

A step changes every rank at once; steps go on until the change is below the
tolerance: the sum of all changes (--norm l1) or the largest (--norm linf). Weights do
not matter.

All methods start from equal ranks here and give the same answer; they differ in how
they follow updates.

--output FILE writes one line a vertex, in the order of the ids: `id rank`, the format
of LDBC's PR outputs.

--json prints one object: algorithm, device, input (see `meerkat run bfs --help`), graph
{n, m_arcs, m_undirected, max_out_degree}, result {iterations, l1_last_step, sum,
top20} and timings_ms {read, build, compile, run}. top20 is a list of [id, rank], the highest rank first;
l1_last_step is the sum of the changes of the last step.";

#[derive(Debug, clap::Args)]
#[command(after_help = WCC_HELP)]
pub(super) struct WccArgs {
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = TRIANGLES_HELP)]
pub(super) struct TrianglesArgs {
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = PAGERANK_HELP)]
pub(super) struct PageRankArgs {
    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    ranks: RanksArgs,
}

/// Which ranks are computed, and how.
#[derive(Debug, clap::Args)]
pub(super) struct RanksArgs {
    /// Numbers that ranks are computed in
    #[arg(long, value_name = "f32|f64", default_value = "f64")]
    precision: PrecisionArg,

    /// Change of a step that ends the iteration [default: 1e-12, or 1e-6 in f32]
    #[arg(long, value_name = "NUMBER", value_parser = positive, allow_negative_numbers = true)]
    tolerance: Option<f64>,

    /// How the change of a step is measured
    #[arg(long, value_name = "l1|linf", default_value = "l1")]
    norm: NormArg,

    /// Run exactly STEPS iterations
    #[arg(long, value_name = "STEPS", conflicts_with_all = ["tolerance", "norm"],
          allow_negative_numbers = true)]
    iterations: Option<u32>,

    /// Fail if not converged after STEPS iterations
    #[arg(long, value_name = "STEPS", default_value = "1000",
          value_parser = from_one::<NonZero<u32>>, allow_negative_numbers = true)]
    max_iterations: NonZero<u32>,

    /// Part of a rank that is passed on along edges, from 0 to below 1
    #[arg(long, value_name = "NUMBER", default_value_t = 0.85, value_parser = part,
          allow_negative_numbers = true)]
    damping: f64,

    /// Where the rank of vertices without out-edges goes
    #[arg(long, value_name = "teleport|self-loops", default_value = "teleport")]
    dead_ends: DeadEndsArg,

    /// How ranks follow updates: from scratch, naive-dynamic, dynamic traversal,
    /// dynamic frontier, with pruning [default: dfp]
    #[arg(long, value_name = "static|nd|dt|df|dfp")]
    method: Option<MethodArg>,
}

/// The type of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PrecisionArg {
    F32,
    F64,
}

/// How the change of a step is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NormArg {
    /// The sum of all changes.
    L1,
    /// The largest change.
    Linf,
}

/// Where the rank of dead ends goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in super::super) enum DeadEndsArg {
    /// To all vertices alike.
    Teleport,
    /// Back to the vertex, and every vertex has such a loop.
    SelfLoops,
}

impl From<DeadEndsArg> for DeadEnds {
    fn from(arg: DeadEndsArg) -> Self {
        match arg {
            DeadEndsArg::Teleport => DeadEnds::Teleport,
            DeadEndsArg::SelfLoops => DeadEnds::SelfLoops,
        }
    }
}

/// How ranks follow updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodArg {
    /// From scratch.
    Static,
    /// All vertices, from the ranks before.
    Nd,
    /// What the changes reach.
    Dt,
    /// A frontier of what changes.
    Df,
    /// The same, with vertices at rest left out.
    Dfp,
}

fn positive(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && number.is_finite());
    number.ok_or("give a number above 0")
}

fn part(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number| (0.0..1.0).contains(number));
    number.ok_or("give a number from 0 to below 1")
}

impl WccArgs {
    pub(super) fn into_plan(self) -> RunPlan {
        self.run.into_plan()
    }
}

impl TrianglesArgs {
    pub(super) fn into_plan(self) -> RunPlan {
        self.run.into_plan()
    }
}

impl PageRankArgs {
    pub(super) fn into_plan(self) -> PageRankPlan {
        PageRankPlan { run: self.run.into_plan(), ranks: self.ranks.into_plan() }
    }
}

impl RanksArgs {
    pub(super) fn into_plan(self) -> RanksPlan {
        let (precision, default_tolerance) = match self.precision {
            PrecisionArg::F32 => (Precision::Single, 1e-6),
            PrecisionArg::F64 => (Precision::Double, 1e-12),
        };
        let norm = match self.norm {
            NormArg::L1 => Norm::L1,
            NormArg::Linf => Norm::LInfinity,
        };
        let stop = match self.iterations {
            Some(steps) => Stop::Steps(steps),
            None => Stop::Change {
                tolerance: self.tolerance.unwrap_or(default_tolerance),
                norm,
                max_iterations: self.max_iterations.get(),
            },
        };
        let method = match self.method.unwrap_or(MethodArg::Dfp) {
            MethodArg::Static => Method::Static,
            MethodArg::Nd => Method::NaiveDynamic,
            MethodArg::Dt => Method::DynamicTraversal,
            MethodArg::Df => Method::DF,
            MethodArg::Dfp => Method::DF_P,
        };
        let options = Options { damping: self.damping, dead_ends: self.dead_ends.into(), stop };
        RanksPlan { precision, options, method }
    }
}
