//! What is to be done: the user's flags as strong types.

use std::path::PathBuf;

use meerkat::algos::pagerank::{Method, Options};
use meerkat::runtime::read::{Direction, Duplicates};

use super::args::{
    Algorithm, Args, BfsArgs, Command, DeviceArg, DuplicatesArg, GraphArgs, ShowArgs, SourceArg,
    SsspArgs, StreamAlgorithmArg, StreamArgs, WeightsArg, WeightsArgs, WindowArg,
};
use super::bench_answers::BenchPlan;
use super::graph_source::GraphSource;

/// One run of the command.
#[derive(Debug, PartialEq)]
pub(super) enum Plan {
    RunBfs(BfsPlan),
    RunSssp(SsspPlan),
    Stream(StreamPlan),
    RunWcc(WholePlan),
    RunTriangles(WholePlan),
    RunPageRank(PageRankPlan),
    BenchUpdates(UpdatesPlan),
    Generate(GeneratePlan),
    BenchAnswers(BenchPlan),
    Info(Format),
    Show(ShowPlan),
}

/// Updates of the slab graph, measured.
#[derive(Debug, PartialEq)]
pub(super) struct UpdatesPlan {
    pub(super) graph: GraphSource,
    pub(super) batches: Vec<u32>,
    pub(super) vertices: Vec<u32>,
    pub(super) rounds: u32,
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
    pub(super) file: PathBuf,
    /// `None`: as the file declares, else directed.
    pub(super) direction: Option<Direction>,
}

/// A breadth-first search.
#[derive(Debug, PartialEq)]
pub(super) struct BfsPlan {
    pub(super) graph: GraphPlan,
    pub(super) source: SourceArg,
    pub(super) variant: SearchVariant,
    pub(super) device: DeviceArg,
    pub(super) output: Option<PathBuf>,
    pub(super) format: Format,
}

/// A search for shortest paths.
#[derive(Debug, PartialEq)]
pub(super) struct SsspPlan {
    pub(super) graph: GraphPlan,
    pub(super) weights: WeightsPlan,
    pub(super) source: SourceArg,
    pub(super) variant: SearchVariant,
    pub(super) device: DeviceArg,
    pub(super) output: Option<PathBuf>,
    pub(super) format: Format,
}

/// An algorithm of the whole graph.
#[derive(Debug, PartialEq)]
pub(super) struct WholePlan {
    pub(super) graph: GraphPlan,
    pub(super) device: DeviceArg,
    pub(super) output: Option<PathBuf>,
    pub(super) format: Format,
}

/// PageRank.
#[derive(Debug, PartialEq)]
pub(super) struct PageRankPlan {
    pub(super) whole: WholePlan,
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

impl Args {
    /// What the user asks for. `clap` has refused what contradicts itself.
    pub(super) fn into_plan(self) -> Plan {
        match self.command {
            Command::Run(Algorithm::Bfs(args)) => Plan::RunBfs(args.into_plan()),
            Command::Run(Algorithm::Sssp(args)) => Plan::RunSssp(args.into_plan()),
            Command::Stream(args) => Plan::Stream(args.into_plan()),
            Command::Run(Algorithm::Wcc(args)) => Plan::RunWcc(args.into_plan()),
            Command::Run(Algorithm::Triangles(args)) => Plan::RunTriangles(args.into_plan()),
            Command::Run(Algorithm::PageRank(args)) => Plan::RunPageRank(args.into_plan()),
            Command::Bench(bench) => bench.into_plan(),
            Command::Generate(args) => args.into_plan(),
            Command::Info { json } => Plan::Info(Format::json_if(json)),
            Command::Show(args) => Plan::Show(args.into_plan()),
        }
    }
}

impl GraphArgs {
    pub(super) fn into_plan(self) -> GraphPlan {
        GraphPlan {
            direction: match (self.directed, self.undirected) {
                (true, _) => Some(Direction::Directed),
                (_, true) => Some(Direction::Undirected),
                _ => None,
            },
            file: self.graph,
        }
    }
}

impl BfsArgs {
    fn into_plan(self) -> BfsPlan {
        BfsPlan {
            graph: self.graph.into_plan(),
            source: self.source,
            variant: SearchVariant::tree_if(self.tree),
            device: self.device,
            output: self.output,
            format: Format::json_if(self.json),
        }
    }
}

impl SsspArgs {
    fn into_plan(self) -> SsspPlan {
        SsspPlan {
            graph: self.graph.into_plan(),
            weights: self.weights.into_plan(),
            source: self.source,
            variant: SearchVariant::tree_if(self.tree),
            device: self.device,
            output: self.output,
            format: Format::json_if(self.json),
        }
    }
}

impl WeightsArgs {
    fn into_plan(self) -> WeightsPlan {
        WeightsPlan {
            kind: self.weights,
            duplicates: match self.duplicates {
                DuplicatesArg::Min => Duplicates::Min,
                DuplicatesArg::Last => Duplicates::Last,
            },
            shift: self.shift_weights,
        }
    }
}

impl StreamArgs {
    fn into_plan(self) -> StreamPlan {
        let source = self.source;
        StreamPlan {
            algorithm: match self.algorithm {
                StreamAlgorithmArg::Bfs => StreamedAlgorithm::Bfs { source },
                StreamAlgorithmArg::Sssp => {
                    StreamedAlgorithm::Sssp { source, weights: self.weights.into_plan() }
                }
                StreamAlgorithmArg::Wcc => StreamedAlgorithm::Wcc,
                StreamAlgorithmArg::Triangles => StreamedAlgorithm::Triangles,
                StreamAlgorithmArg::PageRank => StreamedAlgorithm::PageRank(self.ranks.into_plan()),
            },
            graph: self.graph.into_plan(),
            batch_size: self.batch_size.get(),
            window: match self.window {
                None => Window::Growing,
                Some(WindowArg::Records(records)) => Window::Records(records),
                Some(WindowArg::Seconds(seconds)) => Window::Seconds(seconds),
            },
            compares_static: self.compare_static,
            device: self.device,
            format: Format::json_if(self.json),
        }
    }
}

impl SearchVariant {
    fn tree_if(tree: bool) -> Self {
        if tree { Self::Tree } else { Self::Plain }
    }
}

impl ShowArgs {
    fn into_plan(self) -> ShowPlan {
        let form = match (self.native, self.ptx) {
            (true, _) => KernelForm::Native,
            (_, true) => KernelForm::Ptx,
            _ => KernelForm::Cuda,
        };
        match self.kernel {
            Some(name) => ShowPlan::Kernel { name, form },
            None => ShowPlan::List,
        }
    }
}

impl Format {
    pub(super) fn json_if(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn plan(line: &str) -> Result<Plan, clap::error::ErrorKind> {
        let words = line.split_whitespace();
        Args::try_parse_from(words).map(Args::into_plan).map_err(|error| error.kind())
    }

    #[test]
    fn a_bare_bfs_starts_at_the_lowest_id_on_any_device_and_prints_text() {
        let expected = BfsPlan {
            graph: GraphPlan { file: "g.mtx".into(), direction: None },
            source: SourceArg::Lowest,
            variant: SearchVariant::Plain,
            device: DeviceArg::Auto,
            output: None,
            format: Format::Text,
        };
        assert_eq!(plan("meerkat run bfs --graph g.mtx"), Ok(Plan::RunBfs(expected)));
    }

    #[test]
    fn every_bfs_flag_reaches_the_plan() {
        let expected = BfsPlan {
            graph: GraphPlan { file: "g".into(), direction: Some(Direction::Undirected) },
            source: SourceArg::Id(7),
            variant: SearchVariant::Tree,
            device: DeviceArg::Cuda(1),
            output: Some("out".into()),
            format: Format::Json,
        };
        let line = "meerkat run bfs --graph g --undirected --source 7 --tree --device cuda:1 \
                    --output out --json";
        assert_eq!(plan(line), Ok(Plan::RunBfs(expected)));
    }

    #[test]
    fn every_sssp_flag_reaches_the_plan() {
        let expected = SsspPlan {
            graph: GraphPlan { file: "g".into(), direction: Some(Direction::Directed) },
            weights: WeightsPlan {
                kind: Some(WeightsArg::Native),
                duplicates: Duplicates::Last,
                shift: 11.0,
            },
            source: SourceArg::MaxDegree,
            variant: SearchVariant::Tree,
            device: DeviceArg::Cpu,
            output: Some("out".into()),
            format: Format::Json,
        };
        let line = "meerkat run sssp --graph g --directed --weights native --duplicates last \
                    --shift-weights 11 --source max-degree --tree --device cpu --output out --json";
        assert_eq!(plan(line), Ok(Plan::RunSssp(expected)));
    }

    #[test]
    fn every_stream_flag_reaches_the_plan() {
        let line = "meerkat stream sssp --graph g --undirected --batch-size 500 --window 30d \
                    --weights synthetic --source 3 --compare-static --device cpu --json";
        let expected = StreamPlan {
            algorithm: StreamedAlgorithm::Sssp {
                source: SourceArg::Id(3),
                weights: WeightsPlan {
                    kind: Some(WeightsArg::Synthetic),
                    duplicates: Duplicates::Min,
                    shift: 0.0,
                },
            },
            graph: GraphPlan { file: "g".into(), direction: Some(Direction::Undirected) },
            batch_size: 500,
            window: Window::Seconds(30 * 86_400),
            compares_static: true,
            device: DeviceArg::Cpu,
            format: Format::Json,
        };
        assert_eq!(plan(line), Ok(Plan::Stream(expected)));
        let window = |text: &str| match plan(&format!("meerkat stream bfs --graph g {text}")) {
            Ok(Plan::Stream(StreamPlan { window, .. })) => Ok(window),
            Ok(other) => panic!("{other:?}"),
            Err(kind) => Err(kind),
        };
        assert_eq!(window(""), Ok(Window::Growing));
        assert_eq!(window("--window 1000"), Ok(Window::Records(1000)));
        for (text, seconds) in [("45s", 45), ("90m", 5400), ("12h", 43_200)] {
            assert_eq!(window(&format!("--window {text}")), Ok(Window::Seconds(seconds)));
        }
        for wrong in ["0", "d", "-3d", "5w", "1.5h", "18446744073709551615d"] {
            let refused = clap::error::ErrorKind::ValueValidation;
            assert_eq!(window(&format!("--window={wrong}")), Err(refused), "{wrong}");
        }
        let refused = clap::error::ErrorKind::ValueValidation;
        assert_eq!(window("--batch-size 0"), Err(refused));
    }

    #[test]
    fn every_pagerank_flag_reaches_the_plan() {
        use meerkat::algos::pagerank::{DeadEnds, Norm, Stop};
        let ranks = |line: &str| match plan(&format!("meerkat run pagerank --graph g {line}")) {
            Ok(Plan::RunPageRank(plan)) => plan.ranks,
            other => panic!("{other:?}"),
        };
        let RanksPlan { precision, options, method } = ranks("");
        assert_eq!((precision, options), (Precision::Double, Options::default()));
        assert_eq!(method, Method::DF_P);
        let line = "--precision f32 --norm linf --max-iterations 9 --damping 0.5 \
                    --dead-ends self-loops --method nd";
        let stop = Stop::Change { tolerance: 1e-6, norm: Norm::LInfinity, max_iterations: 9 };
        let options = Options { damping: 0.5, dead_ends: DeadEnds::SelfLoops, stop };
        let method = Method::NaiveDynamic;
        assert_eq!(ranks(line), RanksPlan { precision: Precision::Single, options, method });
        assert_eq!(ranks("--iterations 26").options.stop, Stop::Steps(26));
        let stream = plan("meerkat stream pagerank --graph g --method df");
        let Ok(Plan::Stream(StreamPlan { algorithm, .. })) = stream else { panic!("{stream:?}") };
        let plan = RanksPlan {
            precision: Precision::Double,
            options: Options::default(),
            method: Method::DF,
        };
        assert_eq!(algorithm, StreamedAlgorithm::PageRank(plan));
    }

    #[test]
    fn show_prints_cuda_unless_told_otherwise() {
        let kernel = |form| Ok(Plan::Show(ShowPlan::Kernel { name: "k".to_owned(), form }));
        assert_eq!(plan("meerkat show k"), kernel(KernelForm::Cuda));
        assert_eq!(plan("meerkat show k --cuda"), kernel(KernelForm::Cuda));
        assert_eq!(plan("meerkat show k --native"), kernel(KernelForm::Native));
        assert_eq!(plan("meerkat show --ptx k"), kernel(KernelForm::Ptx));
        assert_eq!(plan("meerkat show --list"), Ok(Plan::Show(ShowPlan::List)));
    }

    #[test]
    fn contradictions_and_gaps_are_refused() {
        use clap::error::ErrorKind::{ArgumentConflict, MissingRequiredArgument, ValueValidation};
        let cases = [
            ("meerkat run bfs", MissingRequiredArgument),
            ("meerkat run bfs --graph g --directed --undirected", ArgumentConflict),
            ("meerkat run bfs --graph g --source highest", ValueValidation),
            ("meerkat run bfs --graph g --device gpu", ValueValidation),
            ("meerkat show", MissingRequiredArgument),
            ("meerkat show k --list", ArgumentConflict),
            ("meerkat show --list --ptx", ArgumentConflict),
            ("meerkat show k --cuda --native", ArgumentConflict),
        ];
        for (line, kind) in cases {
            assert_eq!(plan(line), Err(kind), "{line}");
        }
    }
}
