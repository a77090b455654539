//! What the user types after `meerkat bench` and `meerkat generate`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Subcommand;

use super::super::bench_answers::{AlgorithmsArgs, DynamicArgs};
use super::super::graph_source::GraphSource;
use super::super::plan::{GeneratePlan, MemoryPlan, Plan, UpdatesPlan};
use super::flags::{DeviceArg, ReadArgs, ReportArgs, from_one};

const UPDATES_HELP: &str = "\
Examples:
  meerkat bench updates --graph rmat:22 --device cuda:0
  meerkat bench updates --graph uniform:10000000:80000000 --weighted --device cuda:0 --json
  meerkat bench updates --graph soc-Slashdot0902.txt.gz --batches 1000,10000

Each figure is the median of --rounds, after one that warms up. Batches lie on the
device, times are between its events. One batch after another enters the graph, which
grows; then each is searched for; then others of the same kind are (`miss`); then each
leaves. `apply` is the exact form, on the graph as built: a batch in host memory is
copied, its effect found out and done, by the clock.
Vertices are deleted from the undirected graph of the same edges.

--json prints one object: device, description, graph {name, n, m}, weights, load_factor,
build {ms, medge_per_s}, memory {..} as `bench memory` has it, input (of a file, as `run`
prints it), batches [{updates, insert, query, miss, delete, apply: {ms, medge_per_s}}]
and vertices [{vertices, edges, delete {ms, mvertex_per_s}}].";

const MEMORY_HELP: &str = "\
Examples:
  meerkat bench memory rmat:20 grid:1024x1024:30:10 soc-Slashdot0902.txt.gz
  meerkat bench memory rmat:20 --load-factor 0.9 --weighted --json

All that a graph takes as built: slabs, dictionary, degrees, pool. `rows` are
compressed sparse rows of 32-bit offsets and neighbours. `heads` are the first slabs of
all lists in their one allocation; `singly`, if each vertex had its own, in CUDA's units
of 512 bytes; `linked`, the slabs behind them that are in use.

--json prints one object: weights, load_factor and graphs [{graph {name, n, m}, input
(of a file, as `run` prints it), memory
{bytes, csr_bytes, bytes_per_edge, csr_bytes_per_edge, occupancy, mean_chain,
longest_chain, slabs, bytes_of_heads, bytes_of_heads_allocated_singly,
bytes_of_linked_slabs}}].";

const GENERATE_HELP: &str = "\
Examples:
  meerkat generate rmat:18 --output rmat-18.mtx.gz
  meerkat generate uniform:10000:80000 --seed 7 --output uniform.txt
  meerkat generate grid:512x512:30:10 --output grid.mtx

rmat:SCALE[:EDGES]                        2^SCALE vertices, 16 edges each unless told
uniform:VERTICES:EDGES                    both ends any vertex
grid:WIDTHxHEIGHT[:DROPPED:DIAGONALS]     undirected; thousandths of edges left out, and
                                          of cells with a diagonal

The ending says the format: .mtx MatrixMarket, .gr DIMACS (with --weighted), .csv and .tsv
with a header, .wel (with --weighted), .el, .txt and others an edge list; .gz is
compressed. `meerkat` reads each back as the same graph. An edge list has no vertices
without edges: a graph that has some is refused, and .mtx or .gr holds it. Repeats and
self-loops of rmat and uniform are kept.";

#[derive(Debug, Subcommand)]
pub(super) enum Bench {
    /// Insertions, searches and deletions of edges and vertices on the slab graph
    Updates(UpdatesArgs),
    /// What slab graphs take, beside compressed rows
    Memory(MemoryArgs),
    /// Answers from scratch on the slab graph
    Algorithms(AlgorithmsArgs),
    /// Following batches of updates against computing from scratch
    Dynamic(DynamicArgs),
}

/// How a measured graph is laid out.
#[derive(Debug, clap::Args)]
struct LayoutArgs {
    /// How full the buckets are at the build, in (0, 1]
    #[arg(long, value_name = "X", default_value = "0.7", value_parser = load_factor,
          allow_negative_numbers = true)]
    load_factor: f32,

    /// Edges carry a `u32`
    #[arg(long)]
    weighted: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = UPDATES_HELP)]
pub(super) struct UpdatesArgs {
    /// Graph file, or `rmat:22`, `uniform:10000000:80000000`, `grid:4096x4096:30:10`
    #[arg(long, value_name = "FILE|GENERATOR")]
    graph: GraphSource,

    #[command(flatten)]
    read: ReadArgs,

    /// Updates a batch
    #[arg(long, value_name = "N,N,..", value_delimiter = ',',
          value_parser = from_one::<NonZero<u32>>,
          allow_negative_numbers = true, default_value = "65536,262144,1048576,4194304")]
    batches: Vec<NonZero<u32>>,

    /// Vertices to delete at once
    #[arg(long, value_name = "N,N,..", value_delimiter = ',',
          value_parser = from_one::<NonZero<u32>>,
          allow_negative_numbers = true, default_value = "65536,1048576")]
    vertices: Vec<NonZero<u32>>,

    /// How often each figure is taken
    #[arg(long, value_name = "N", default_value = "5",
          value_parser = from_one::<NonZero<u32>>, allow_negative_numbers = true)]
    rounds: NonZero<u32>,

    #[command(flatten)]
    layout: LayoutArgs,

    #[command(flatten)]
    report: ReportArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = MEMORY_HELP)]
pub(super) struct MemoryArgs {
    /// Graph files, or `rmat:22`, `uniform:10000000:80000000`, `grid:4096x4096:30:10`
    #[arg(value_name = "FILE|GENERATOR", required = true)]
    graphs: Vec<GraphSource>,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    layout: LayoutArgs,

    #[command(flatten)]
    report: ReportArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = GENERATE_HELP)]
pub(super) struct GenerateArgs {
    /// Family and size
    #[arg(value_name = "GENERATOR")]
    graph: GraphSource,

    /// File to write; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Another seed gives another graph
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Edges carry a weight from 1 to 64
    #[arg(long)]
    weighted: bool,

    /// Where to run: `auto` takes a GPU if it can
    #[arg(long, value_name = "auto|cpu|cuda|cuda:N", default_value = "auto")]
    device: DeviceArg,
}

fn load_factor(text: &str) -> Result<f32, &'static str> {
    let number = text.parse().ok().filter(|number| 0.0 < *number && *number <= 1.0);
    number.ok_or("give a number above 0, up to 1; 0.7 is usual")
}

impl Bench {
    pub(super) fn into_plan(self) -> Plan {
        match self {
            Self::Updates(args) => Plan::BenchUpdates(args.into_plan()),
            Self::Memory(args) => Plan::BenchMemory(args.into_plan()),
            Self::Algorithms(args) => Plan::BenchAnswers(args.into_plan()),
            Self::Dynamic(args) => Plan::BenchAnswers(args.into_plan()),
        }
    }
}

impl UpdatesArgs {
    fn into_plan(self) -> UpdatesPlan {
        UpdatesPlan {
            graph: self.graph,
            read: self.read.into_options(),
            batches: self.batches.into_iter().map(NonZero::get).collect(),
            vertices: self.vertices.into_iter().map(NonZero::get).collect(),
            rounds: self.rounds.get(),
            load_factor: self.layout.load_factor,
            weighted: self.layout.weighted,
            device: self.report.device,
            format: self.report.format(),
        }
    }
}

impl MemoryArgs {
    fn into_plan(self) -> MemoryPlan {
        MemoryPlan {
            graphs: self.graphs,
            read: self.read.into_options(),
            load_factor: self.layout.load_factor,
            weighted: self.layout.weighted,
            device: self.report.device,
            format: self.report.format(),
        }
    }
}

impl GenerateArgs {
    pub(super) fn into_plan(self) -> Plan {
        Plan::Generate(GeneratePlan {
            graph: self.graph,
            output: self.output,
            seed: self.seed,
            weighted: self.weighted,
            device: self.device,
        })
    }
}
