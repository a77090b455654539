//! What the user types.

use std::num::NonZero;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{ArgGroup, Parser, Subcommand, ValueEnum};

use super::bench_args::{Bench, GenerateArgs};
use super::whole_args::{PageRankArgs, RanksArgs, TrianglesArgs, WccArgs};

const EXAMPLES: &str = "\
Examples:
  meerkat run bfs --graph tests/graphs/rome99.gr.gz
  meerkat run bfs --graph friends.txt --undirected --source max-degree --json
  meerkat run sssp --graph tests/graphs/rome99.gr.gz --weights native
  meerkat stream bfs --graph sx-mathoverflow.txt.gz --window 30d --compare-static
  meerkat bench updates --graph rmat:18
  meerkat generate rmat:18 --output rmat-18.mtx.gz
  meerkat info
  meerkat show --list

Exit codes: 0 done, 1 the device or the program failed, 2 bad usage or bad input.";

const BFS_HELP: &str = "\
Examples:
  # From the smallest id that has an out-edge, on a GPU if there is one
  meerkat run bfs --graph tests/graphs/rome99.gr.gz

  # An edge list does not say whether it is directed: say it
  meerkat run bfs --graph as-20000102.txt.gz --undirected

  # An LDBC Graphalytics graph is named by its edge file; check its published answer
  meerkat run bfs --graph G.e --source 1 --output depths && diff depths G-BFS

  # Depth and parent of every vertex, on the second GPU, figures for a script
  meerkat run bfs --graph G.mtx --tree --device cuda:1 --output tree --json

--source takes an id of the file, `lowest`: the smallest id with an out-edge, or
`max-degree`: the largest out-degree, among equals the smallest id.

Graph files, plain or gzip: SNAP edge lists, CSV, MatrixMarket, DIMACS .gr and
LDBC .e with its .v beside it. The format is recognised. Self-loops are dropped
and repeated edges count once.

--output FILE writes one line a vertex, in the order of the ids: `id depth`, the
format of LDBC's BFS outputs, where an unreached vertex has the depth
9223372036854775807. With --tree a third column is the parent's id: the source's
parent is the source, an unreached vertex has -1.

--json prints one object: algorithm, device, graph {n, m_arcs, m_undirected,
max_out_degree}, result {source, reached, max_depth, sum_depth, histogram} and
timings_ms {read, build, compile, run}. histogram[d] is the number of vertices at
depth d; compile is contained in neither build nor run.";

const SSSP_HELP: &str = "\
Examples:
  # From the smallest id that has an out-edge, with the file's weights
  meerkat run sssp --graph tests/graphs/rome99.gr.gz

  # A graph without weights: 1 + (31 u + 17 v) mod 64 for the arc u -> v
  meerkat run sssp --graph friends.txt --weights synthetic --source max-degree --json

  # Ratings from -10 to 10 as weights from 1 to 21
  meerkat run sssp --graph soc-sign-bitcoinalpha.csv.gz --weights native --shift-weights 11

--weights native takes the file's weights: they must not be negative, and are 32-bit
integers if all of them are integers, else 32-bit floats. `synthetic` computes them
from the file's ids in 64 bits, `unit` is 1 everywhere. Without the option they are
the file's, or 1 where it has none. --duplicates says which of several records of one
arc gives its weight: the smallest, or the last of the file.

Zero weights are allowed. Sums saturate at 4294967294 (or at the largest float).

--output FILE writes one line a vertex, in the order of the ids: `id distance`, the
format of LDBC's SSSP outputs, where an unreached vertex has `infinity`. With --tree a
third column is the parent's id: the source's parent is the source, an unreached
vertex has -1.

--json prints one object: algorithm, device, graph {n, m_arcs, m_undirected,
max_out_degree}, result {source, reached, sum, max} and timings_ms {read, build,
compile, run}. sum and max are of the distances of reached vertices.";

const STREAM_HELP: &str = "\
Examples:
  # A growing graph, ten thousand records at a time
  meerkat stream bfs --graph sx-mathoverflow.txt.gz

  # The last thirty days, deleting what expires; how much faster than from scratch?
  meerkat stream sssp --graph email-Eu-core-temporal.txt.gz --weights synthetic \\
      --window 30d --batch-size 1000 --compare-static

  # The newest 50000 records, one JSON object a batch
  meerkat stream bfs --graph sx-mathoverflow.txt.gz --window 50000 --json

The records are sorted by time, equal times in the order of the file. An arc is there
while at least one of its records is; self-loops are left out. The vertices are those
of the whole file from the start. --weights and its companions are as in `run sssp`;
the weight of an arc is chosen among its records that are present.

--json prints an object a batch: batch (from 1), updates (records that entered or
left), deleted and inserted (arcs), m_arcs, graph_ms, algorithm_ms, static_ms (with
--compare-static), and under result the fields that `run` prints.";

const SHOW_EXAMPLES: &str = "\
Examples:
  meerkat show --list
  meerkat show KERNEL            # CUDA C++, a whole program that NVRTC accepts
  meerkat show KERNEL --native   # the Rust that runs on the CPU
  meerkat show KERNEL --ptx      # needs NVRTC, but no GPU";

/// Dynamic graph algorithms for GPUs, written in Rust.
#[derive(Debug, Parser)]
#[command(name = "meerkat", version, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run an algorithm on a graph file
    #[command(subcommand)]
    Run(Algorithm),
    /// Replay a temporal graph in time order, keeping an answer right
    Stream(StreamArgs),
    /// Measure the library
    #[command(subcommand)]
    Bench(Bench),
    /// Write a synthetic graph to a file
    Generate(GenerateArgs),
    /// List the devices, the CUDA driver, NVRTC and the cache of compiled kernels
    Info {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Print what a built-in kernel becomes: CUDA C++, native Rust or PTX
    Show(ShowArgs),
}

#[derive(Debug, Subcommand)]
pub(super) enum Algorithm {
    /// Breadth-first search: the depth of every vertex that a source reaches
    Bfs(BfsArgs),
    /// Single-source shortest paths: the distance of every vertex from a source
    Sssp(SsspArgs),
    /// Weakly connected components: how many, and the largest
    Wcc(WccArgs),
    /// Triangles of the undirected simple graph
    Triangles(TrianglesArgs),
    /// PageRank: the vertices where a random surfer is found most
    #[command(name = "pagerank")]
    PageRank(PageRankArgs),
}

/// The graph file and how it is understood.
#[derive(Debug, clap::Args)]
pub(super) struct GraphArgs {
    /// Graph file to read
    #[arg(long, value_name = "FILE")]
    pub(super) graph: PathBuf,

    /// Take a record as one arc [default, unless the file declares otherwise]
    #[arg(long, conflicts_with = "undirected")]
    pub(super) directed: bool,

    /// Take a record as an edge, to be followed both ways
    #[arg(long)]
    pub(super) undirected: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = BFS_HELP)]
pub(super) struct BfsArgs {
    #[command(flatten)]
    pub(super) graph: GraphArgs,

    /// Vertex to start from
    #[arg(long, value_name = "ID|lowest|max-degree", default_value = "lowest")]
    pub(super) source: SourceArg,

    /// Find parents as well as depths
    #[arg(long)]
    pub(super) tree: bool,

    /// Where to run: `auto` takes a GPU if it can
    #[arg(long, value_name = "auto|cpu|cuda|cuda:N", default_value = "auto")]
    pub(super) device: DeviceArg,

    /// Write the depth of every vertex to a file
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Print one JSON object in place of the summary
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = SSSP_HELP)]
pub(super) struct SsspArgs {
    #[command(flatten)]
    pub(super) graph: GraphArgs,

    #[command(flatten)]
    pub(super) weights: WeightsArgs,

    /// Vertex to start from
    #[arg(long, value_name = "ID|lowest|max-degree", default_value = "lowest")]
    pub(super) source: SourceArg,

    /// Find parents as well as distances
    #[arg(long)]
    pub(super) tree: bool,

    /// Where to run: `auto` takes a GPU if it can
    #[arg(long, value_name = "auto|cpu|cuda|cuda:N", default_value = "auto")]
    pub(super) device: DeviceArg,

    /// Write the distance of every vertex to a file
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Print one JSON object in place of the summary
    #[arg(long)]
    pub(super) json: bool,
}

/// Where the weights come from, and which counts.
#[derive(Debug, clap::Args)]
pub(super) struct WeightsArgs {
    /// Where the weights come from [default: the file, or 1 where it has none]
    #[arg(long, value_name = "native|synthetic|unit")]
    pub(super) weights: Option<WeightsArg>,

    /// Which of several records of one arc gives its weight
    #[arg(long, value_name = "min|last", default_value = "min")]
    pub(super) duplicates: DuplicatesArg,

    /// Add this to every weight of the file
    #[arg(long, value_name = "NUMBER", default_value = "0", allow_negative_numbers = true)]
    pub(super) shift_weights: f64,
}

#[derive(Debug, clap::Args)]
#[command(after_help = STREAM_HELP)]
pub(super) struct StreamArgs {
    /// What tracks the graph
    #[arg(value_name = "ALGORITHM")]
    pub(super) algorithm: StreamAlgorithmArg,

    #[command(flatten)]
    pub(super) graph: GraphArgs,

    /// Records a batch
    #[arg(long, value_name = "N", default_value = "10000")]
    pub(super) batch_size: NonZero<usize>,

    /// Keep the newest N records, or those of the last N seconds, minutes, hours or days
    #[arg(long, value_name = "N|Ns|Nm|Nh|Nd")]
    pub(super) window: Option<WindowArg>,

    #[command(flatten)]
    pub(super) weights: WeightsArgs,

    #[command(flatten, next_help_heading = "PageRank")]
    pub(super) ranks: RanksArgs,

    /// Vertex to start from, in the graph of the whole file
    #[arg(long, value_name = "ID|lowest|max-degree", default_value = "lowest")]
    pub(super) source: SourceArg,

    /// Compute every answer from scratch, too, and take the time
    #[arg(long)]
    pub(super) compare_static: bool,

    /// Where to run: `auto` takes a GPU if it can
    #[arg(long, value_name = "auto|cpu|cuda|cuda:N", default_value = "auto")]
    pub(super) device: DeviceArg,

    /// Print one JSON object a batch in place of the table
    #[arg(long)]
    pub(super) json: bool,
}

/// What can track a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StreamAlgorithmArg {
    /// Breadth-first search.
    Bfs,
    /// Single-source shortest paths.
    Sssp,
    /// Weakly connected components.
    Wcc,
    /// Triangles of the undirected simple graph.
    Triangles,
    /// PageRank.
    #[value(name = "pagerank")]
    PageRank,
}

/// How much of a stream is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WindowArg {
    /// The newest so many records.
    Records(usize),
    /// The records of so many seconds.
    Seconds(u64),
}

impl FromStr for WindowArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str = "give a number of records, or a time as in 45s, 90m, 12h or 30d";
        let units = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];
        let unit = units.into_iter().find(|(letter, _)| text.ends_with(*letter));
        let digits = if unit.is_some() { &text[..text.len() - 1] } else { text };
        let number = digits.parse::<u64>().ok().filter(|&number| number > 0).ok_or(FORM)?;
        match unit {
            Some((_, seconds)) => number.checked_mul(seconds).map(Self::Seconds).ok_or(FORM),
            None => usize::try_from(number).map(Self::Records).map_err(|_| FORM),
        }
    }
}

/// Where weights come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum WeightsArg {
    /// The file.
    Native,
    /// 1 + (31 u + 17 v) mod 64 for the arc u -> v of the file's ids.
    Synthetic,
    /// 1 everywhere.
    Unit,
}

/// Which of several records of one arc gives its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum DuplicatesArg {
    /// The smallest.
    Min,
    /// The last one of the file.
    Last,
}

#[derive(Debug, clap::Args)]
#[command(after_help = SHOW_EXAMPLES)]
#[command(group(ArgGroup::new("what").args(["kernel", "list"]).required(true)))]
#[command(group(ArgGroup::new("form").args(["cuda", "native", "ptx"]).conflicts_with("list")))]
pub(super) struct ShowArgs {
    /// Kernel to print
    #[arg(value_name = "KERNEL")]
    pub(super) kernel: Option<String>,

    /// Name every built-in kernel, one a line
    #[arg(long)]
    pub(super) list: bool,

    /// CUDA C++: a whole program that NVRTC accepts as it is [default]
    #[arg(long)]
    pub(super) cuda: bool,

    /// The native Rust that executes it on the CPU
    #[arg(long)]
    pub(super) native: bool,

    /// The PTX that NVRTC makes of it
    #[arg(long)]
    pub(super) ptx: bool,
}

/// The vertex to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SourceArg {
    /// An id of the file.
    Id(u64),
    /// The smallest id with an out-edge.
    Lowest,
    /// The largest out-degree, among equals the smallest id.
    MaxDegree,
}

impl FromStr for SourceArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "lowest" => Ok(Self::Lowest),
            "max-degree" => Ok(Self::MaxDegree),
            id => id
                .parse()
                .map(Self::Id)
                .map_err(|_| "give a vertex id of the file, `lowest` or `max-degree`"),
        }
    }
}

/// The device to run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeviceArg {
    /// A CUDA device if one is usable, else the CPU.
    Auto,
    /// The CPU.
    Cpu,
    /// The CUDA device of this number.
    Cuda(usize),
}

impl FromStr for DeviceArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "cuda" => Ok(Self::Cuda(0)),
            other => other
                .strip_prefix("cuda:")
                .and_then(|ordinal| ordinal.parse().ok())
                .map(Self::Cuda)
                .ok_or("give `auto`, `cpu`, `cuda` or `cuda:N` with N from 0"),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_definition_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn a_source_is_an_id_or_one_of_two_rules() {
        assert_eq!("18446744073709551615".parse(), Ok(SourceArg::Id(u64::MAX)));
        assert_eq!("lowest".parse(), Ok(SourceArg::Lowest));
        assert_eq!("max-degree".parse(), Ok(SourceArg::MaxDegree));
        for text in ["", "-1", "1.0", "highest", "18446744073709551616"] {
            assert!(text.parse::<SourceArg>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_device_is_auto_cpu_or_a_numbered_cuda_device() {
        assert_eq!("auto".parse(), Ok(DeviceArg::Auto));
        assert_eq!("cpu".parse(), Ok(DeviceArg::Cpu));
        assert_eq!("cuda".parse(), Ok(DeviceArg::Cuda(0)));
        assert_eq!("cuda:3".parse(), Ok(DeviceArg::Cuda(3)));
        for text in ["", "gpu", "cuda:", "cuda:-1", "cuda:x", "cuda0"] {
            assert!(text.parse::<DeviceArg>().is_err(), "{text}");
        }
    }
}
