//! `meerkat bench`: how long updates of the slab graph take, and answers, from scratch and
//! while the graph changes.
//!
//! ```text
//! GraphSource -> EdgeSample -> slab graph -> rounds of updates -> figures
//! GraphSource -> Workload   -> slab graph -> each algorithm    -> rows
//! Generator   -> one device, ranks of it                       -> rows
//! paper       -> Experiment -> both of these                   -> tables and drawings
//! thresholds  -> values     -> the algorithms that follow      -> a file for the device
//! ```

mod algorithms;
mod batches;
mod dynamic;
mod edges;
mod figures;
mod memory;
mod paper;
mod ranks;
mod table;
mod together;
mod tune;
mod update_plan;
mod updates;
mod workload;

use clap::Subcommand;

pub(super) use self::algorithms::{StaticCase, StaticRow};
pub(super) use self::dynamic::{Compared, DynamicCase, DynamicRow, RankSettings, Reference};
pub(super) use self::tune::{TuneArgs, run as tune};
pub(super) use self::workload::length;
use super::algorithms::{ALL, DynamicEntry, Entry, dynamic_entries, named};
use super::container::DynamicContainer;
use super::failure::Failure;
use super::input::{DirectionArgs, GraphSource, ReadArgs};

/// What is measured.
#[derive(Subcommand)]
pub(super) enum Bench {
    /// Insertions, searches and deletions of edges and vertices on the slab graph
    Updates(updates::UpdatesArgs),
    /// Memory of slab graphs, beside compressed rows
    Memory(memory::MemoryArgs),
    /// Answers from scratch
    Algorithms(algorithms::AlgorithmsArgs),
    /// Following batches of updates against computing from scratch
    Dynamic(dynamic::DynamicArgs),
    /// A graph over several devices against one of them
    Ranks(ranks::RanksBenchArgs),
    /// The tables and figures of a paper's evaluation, measured again
    Paper(paper::PaperArgs),
}

impl Bench {
    /// Measures, and gives the report.
    pub(super) fn run(&self) -> Result<String, Failure> {
        match self {
            Self::Updates(args) => updates::run(args),
            Self::Memory(args) => memory::run(args),
            Self::Algorithms(args) => algorithms::run(args),
            Self::Dynamic(args) => dynamic::run(args),
            Self::Ranks(args) => ranks::run(args),
            Self::Paper(args) => paper::run(args),
        }
    }
}

/// How a measured graph is laid out.
#[derive(Debug, clap::Args)]
struct LayoutArgs {
    /// How full the buckets are at the build, in (0, 1]
    #[arg(long, value_name = "X", default_value = "0.7", value_parser = load_factor,
          allow_negative_numbers = true)]
    load_factor: f32,

    /// Give each edge a `u32` as weight
    #[arg(long)]
    weighted: bool,

    /// Container of the edges
    #[arg(long, value_name = "CONTAINER", value_enum, default_value_t)]
    container: DynamicContainer,
}

fn load_factor(text: &str) -> Result<f32, &'static str> {
    let number = text.parse().ok().filter(|number| 0.0 < *number && *number <= 1.0);
    number.ok_or("give a number above 0, up to 1; 0.7 is usual")
}

/// What every benchmark of algorithms takes.
#[derive(clap::Args)]
struct WorkloadArgs {
    /// Graph file, or `rmat:22`, `uniform:10000000:80000000`, `grid:4096x4096:30:10`
    #[arg(long, short, value_name = "FILE|GENERATOR")]
    graph: GraphSource,

    #[command(flatten)]
    direction: DirectionArgs,

    #[command(flatten)]
    read: ReadArgs,

    /// Container of the edges
    #[arg(long, value_name = "CONTAINER", value_enum, default_value_t)]
    container: DynamicContainer,

    /// Algorithms to measure [default: all]
    #[arg(long, short, value_name = "LIST", value_delimiter = ',', value_parser = named)]
    algorithms: Vec<&'static dyn Entry>,
}

impl WorkloadArgs {
    fn algorithms(&self) -> &[&'static dyn Entry] {
        if self.algorithms.is_empty() { ALL } else { &self.algorithms }
    }

    /// The same, without those that follow no updates; it is an error to ask for one.
    fn dynamic_algorithms(&self) -> Result<Vec<&'static dyn DynamicEntry>, Failure> {
        let all = dynamic_entries;
        if self.algorithms.is_empty() {
            return Ok(all().collect());
        }
        let names = || all().map(|entry| entry.name()).collect::<Vec<_>>().join(", ");
        let dynamic = |entry: &&dyn Entry| {
            let algorithm = entry.name();
            entry.dynamic().ok_or_else(|| Failure::FollowsNoUpdates { algorithm, dynamic: names() })
        };
        self.algorithms.iter().map(dynamic).collect()
    }
}
