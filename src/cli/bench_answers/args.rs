//! What the user types to measure, and the plan that it is.

use std::num::NonZero;

use clap::ValueEnum;
use meerkat::algos::pagerank::DeadEnds;
use meerkat::runtime::Orientation;
use meerkat::runtime::graph::Direction;
use meerkat::runtime::oracle::Kind;
use meerkat::runtime::read::ReadOptions;
use serde::Serialize;

use super::super::args::{DeadEndsArg, DeviceArg, ReadArgs, ReportArgs, from_one};
use super::super::graph_source::GraphSource;
use super::super::plan::Format;

const BENCH_HELP: &str = "\
Examples:
  # Every algorithm from scratch
  meerkat bench algorithms --graph USA-road-NY.mtx.gz --repeat 10

  # Ten batches of ten thousand edges, as in the Meerkat paper, for a script
  meerkat bench dynamic --graph rmat:20 --json

  # Several sizes of batches of deletions
  meerkat bench dynamic --graph grid:1024x1024:30:10 --kinds decremental --batch-size 100,1000,10000

  # PageRank as the DF-P paper has it: loops at all vertices, four insertions to a deletion
  meerkat bench dynamic --graph rmat:20 --algorithms pagerank --kinds mixed --inserted 80 --dead-ends self-loops

Generators are as in `meerkat generate`. Searches start at the vertex of the largest out-degree; lengths are 1
to 64. Batches are random edges of the graph: those that are inserted are held back
from the start. Times are by the clock, the device at rest before and after, kernels
compiled and memory there; speedup is the sum of the static times over the sum of the
dynamic ones. Every answer is compared with the one from scratch. PageRank is in
double precision to an L-infinity change of 1e-10 (also with loops, and 20 steps of it in
single precision), and follows by the dynamic frontier with pruning.";

/// What every benchmark of algorithms takes.
#[derive(Debug, clap::Args)]
pub(in super::super) struct BenchArgs {
    /// Graph file, or `rmat:22`, `uniform:10000000:80000000`, `grid:4096x4096:30:10`
    #[arg(long, value_name = "FILE|GENERATOR")]
    pub(in super::super) graph: GraphSource,

    /// Take an edge as one arc
    #[arg(long, conflicts_with = "undirected")]
    pub(in super::super) directed: bool,

    /// Take an edge as both arcs
    #[arg(long)]
    pub(in super::super) undirected: bool,

    #[command(flatten)]
    pub(in super::super) read: ReadArgs,

    /// Which algorithms
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "bfs,sssp,pagerank,wcc,triangles"
    )]
    pub(in super::super) algorithms: Vec<Benched>,

    #[command(flatten)]
    pub(in super::super) report: ReportArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = BENCH_HELP)]
pub(in super::super) struct AlgorithmsArgs {
    #[command(flatten)]
    pub(in super::super) bench: BenchArgs,

    /// Runs of each, after a first one that compiles
    #[arg(long, value_name = "N", default_value = "5",
          value_parser = from_one::<NonZero<usize>>, allow_negative_numbers = true)]
    pub(in super::super) repeat: NonZero<usize>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = BENCH_HELP)]
pub(in super::super) struct DynamicArgs {
    #[command(flatten)]
    pub(in super::super) bench: BenchArgs,

    /// Which kinds of batches
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "incremental,decremental,mixed"
    )]
    pub(in super::super) kinds: Vec<KindArg>,

    /// Edges a batch; several sizes are measured one after another
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "10000",
          value_parser = from_one::<NonZero<usize>>, allow_negative_numbers = true)]
    pub(in super::super) batch_size: Vec<NonZero<usize>>,

    /// Batches of each size
    #[arg(long, value_name = "N", default_value = "10",
          value_parser = from_one::<NonZero<usize>>, allow_negative_numbers = true)]
    pub(in super::super) batches: NonZero<usize>,

    /// Insertions in a hundred updates of a mixed batch
    #[arg(long, value_name = "PERCENT", default_value_t = 50,
          value_parser = clap::value_parser!(u8).range(1..=99))]
    pub(in super::super) inserted: u8,

    /// Where PageRank takes the rank of vertices without out-edges
    #[arg(long, value_name = "teleport|self-loops", default_value = "teleport")]
    pub(in super::super) dead_ends: DeadEndsArg,

    /// Which edges a directed graph keeps: searches do with `out`, the others need
    /// both
    #[arg(long, value_name = "out|both", default_value = "both")]
    pub(in super::super) orientation: OrientationArg,
}

/// Which updates batches hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in super::super) enum KindArg {
    /// Insertions.
    Incremental,
    /// Deletions.
    Decremental,
    /// Both: half of each, or as `--inserted` says.
    Mixed,
}

/// Which edges a directed graph keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in super::super) enum OrientationArg {
    /// Out-edges.
    Out,
    /// Out- and in-edges.
    Both,
}

/// A benchmark.
#[derive(Debug, PartialEq)]
pub(in super::super) struct BenchPlan {
    pub(in super::super) graph: GraphSource,
    /// `None`: as the file declares or the rule says, else directed.
    pub(in super::super) direction: Option<Direction>,
    pub(in super::super) read: ReadOptions,
    pub(in super::super) algorithms: Vec<Benched>,
    pub(in super::super) what: BenchWhat,
    pub(in super::super) orientation: Orientation,
    pub(in super::super) device: DeviceArg,
    pub(in super::super) format: Format,
}

/// What is measured.
#[derive(Debug, PartialEq)]
pub(in super::super) enum BenchWhat {
    /// Answers from scratch, this often.
    Algorithms {
        repeat: usize,
    },
    Dynamic(BatchesPlan),
}

/// The batches of a benchmark.
#[derive(Debug, PartialEq)]
pub(in super::super) struct BatchesPlan {
    pub(in super::super) kinds: Vec<Kind>,
    pub(in super::super) sizes: Vec<usize>,
    pub(in super::super) count: usize,
    /// Insertions in a hundred updates of a mixed batch.
    pub(in super::super) inserted: u8,
    pub(in super::super) dead_ends: DeadEnds,
}

/// An algorithm to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
#[value(rename_all = "lower")]
pub(in super::super) enum Benched {
    /// Breadth-first search.
    Bfs,
    /// Single-source shortest paths.
    Sssp,
    /// PageRank in double precision, to an L-infinity change of 1e-10.
    PageRank,
    /// Weakly connected components.
    Wcc,
    /// Triangles.
    Triangles,
}

impl Benched {
    pub(in super::super) fn name(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Sssp => "sssp",
            Self::PageRank => "pagerank",
            Self::Wcc => "wcc",
            Self::Triangles => "triangles",
        }
    }
}

impl AlgorithmsArgs {
    /// What the user asks for.
    pub(in super::super) fn into_plan(self) -> BenchPlan {
        let what = BenchWhat::Algorithms { repeat: self.repeat.get() };
        self.bench.into_plan(what, Orientation::Both)
    }
}

impl BenchArgs {
    fn into_plan(self, what: BenchWhat, orientation: Orientation) -> BenchPlan {
        BenchPlan {
            graph: self.graph,
            direction: match (self.directed, self.undirected) {
                (true, _) => Some(Direction::Directed),
                (_, true) => Some(Direction::Undirected),
                _ => None,
            },
            read: self.read.into_options(),
            algorithms: self.algorithms,
            what,
            orientation,
            device: self.report.device,
            format: self.report.format(),
        }
    }
}

impl DynamicArgs {
    /// What the user asks for.
    pub(in super::super) fn into_plan(self) -> BenchPlan {
        let kind = |kind: &KindArg| match kind {
            KindArg::Incremental => Kind::Incremental,
            KindArg::Decremental => Kind::Decremental,
            KindArg::Mixed => Kind::Mixed,
        };
        let batches = BatchesPlan {
            kinds: self.kinds.iter().map(kind).collect(),
            sizes: self.batch_size.iter().map(|size| size.get()).collect(),
            count: self.batches.get(),
            inserted: self.inserted,
            dead_ends: self.dead_ends.into(),
        };
        let orientation = match self.orientation {
            OrientationArg::Out => Orientation::Out,
            OrientationArg::Both => Orientation::Both,
        };
        self.bench.into_plan(BenchWhat::Dynamic(batches), orientation)
    }
}
