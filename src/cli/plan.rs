//! What is to be done: the user's flags as strong types.

use std::path::PathBuf;

use meerkat::algos::pagerank::{Method, Options};
use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::{Duplicates, ReadOptions};

use super::args::{DeviceArg, SourceArg, WeightsArg};
use super::bench_answers::BenchPlan;
use super::graph_source::GraphSource;

/// One run of the command.
#[derive(Debug, PartialEq)]
pub(super) enum Plan {
    RunBfs(SearchPlan),
    RunSssp(SsspPlan),
    Stream(StreamPlan),
    RunWcc(RunPlan),
    RunTriangles(RunPlan),
    RunPageRank(PageRankPlan),
    BenchUpdates(UpdatesPlan),
    BenchMemory(MemoryPlan),
    Generate(GeneratePlan),
    BenchAnswers(BenchPlan),
    Info(Format),
    Show(ShowPlan),
}

/// Updates of the slab graph, measured.
#[derive(Debug, PartialEq)]
pub(super) struct UpdatesPlan {
    pub(super) graph: GraphSource,
    pub(super) read: ReadOptions,
    pub(super) batches: Vec<u32>,
    pub(super) vertices: Vec<u32>,
    pub(super) rounds: u32,
    pub(super) load_factor: f32,
    pub(super) weighted: bool,
    pub(super) device: DeviceArg,
    pub(super) format: Format,
}

/// The memory of slab graphs.
#[derive(Debug, PartialEq)]
pub(super) struct MemoryPlan {
    pub(super) graphs: Vec<GraphSource>,
    pub(super) read: ReadOptions,
    pub(super) load_factor: f32,
    pub(super) weighted: bool,
    pub(super) device: DeviceArg,
    pub(super) format: Format,
}

/// A synthetic graph, written.
#[derive(Debug, PartialEq)]
pub(super) struct GeneratePlan {
    pub(super) graph: GraphSource,
    pub(super) output: PathBuf,
    pub(super) seed: u64,
    pub(super) weighted: bool,
    pub(super) device: DeviceArg,
}

/// The graph file and how it is understood.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GraphPlan {
    /// `-` is the standard input.
    pub(super) file: PathBuf,
    pub(super) read: ReadOptions,
    /// `None`: as the file declares, else directed.
    pub(super) direction: Option<Direction>,
}

/// An algorithm on a graph file.
#[derive(Debug, PartialEq)]
pub(super) struct RunPlan {
    pub(super) graph: GraphPlan,
    pub(super) device: DeviceArg,
    pub(super) output: Option<PathBuf>,
    pub(super) format: Format,
}

/// A search from a source.
#[derive(Debug, PartialEq)]
pub(super) struct SearchPlan {
    pub(super) run: RunPlan,
    pub(super) source: SourceArg,
    pub(super) variant: SearchVariant,
}

/// A search for shortest paths.
#[derive(Debug, PartialEq)]
pub(super) struct SsspPlan {
    pub(super) search: SearchPlan,
    pub(super) weights: WeightsPlan,
}

/// PageRank.
#[derive(Debug, PartialEq)]
pub(super) struct PageRankPlan {
    pub(super) run: RunPlan,
    pub(super) ranks: RanksPlan,
}

/// Which ranks are computed, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RanksPlan {
    pub(super) precision: Precision,
    pub(super) options: Options,
    pub(super) method: Method,
}

/// The type of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    Single,
    Double,
}

/// Where the weights come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WeightsPlan {
    /// `None`: the file's, or 1 where it has none.
    pub(super) kind: Option<WeightsArg>,
    /// Which of several records of an arc counts.
    pub(super) duplicates: Duplicates,
    /// What is added to every weight of the file.
    pub(super) shift: f64,
}

/// A temporal graph to be replayed.
#[derive(Debug, PartialEq)]
pub(super) struct StreamPlan {
    pub(super) algorithm: StreamedAlgorithm,
    pub(super) graph: GraphPlan,
    /// Records a batch, at least 1.
    pub(super) batch_size: usize,
    pub(super) window: Window,
    pub(super) compares_static: bool,
    pub(super) device: DeviceArg,
    pub(super) format: Format,
}

/// What tracks the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum StreamedAlgorithm {
    Bfs { source: SourceArg },
    Sssp { source: SourceArg, weights: WeightsPlan },
    Wcc,
    Triangles,
    PageRank(RanksPlan),
}

/// Which records stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Window {
    /// All.
    Growing,
    /// The newest so many.
    Records(usize),
    /// Those of the last so many seconds.
    Seconds(u64),
}

/// Which search runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchVariant {
    /// Depths or distances alone.
    Plain,
    /// Parents, too.
    Tree,
}

/// The name of the standard input and output among files.
pub(super) const STANDARD: &str = "-";

impl Plan {
    /// Whether results go to the standard output, so that the report must not.
    pub(super) fn writes_to_stdout(&self) -> bool {
        let output = match self {
            Self::RunBfs(plan) => plan.run.output.as_deref(),
            Self::RunSssp(plan) => plan.search.run.output.as_deref(),
            Self::RunWcc(plan) | Self::RunTriangles(plan) => plan.output.as_deref(),
            Self::RunPageRank(plan) => plan.run.output.as_deref(),
            Self::Generate(plan) => Some(plan.output.as_path()),
            _ => None,
        };
        output.is_some_and(|path| path.as_os_str() == STANDARD)
    }
}

/// How the report is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
}

/// What of the built-in kernels is printed.
#[derive(Debug, PartialEq)]
pub(super) enum ShowPlan {
    List,
    Kernel { name: String, form: KernelForm },
}

/// What a kernel becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KernelForm {
    Cuda,
    Native,
    Ptx,
}
