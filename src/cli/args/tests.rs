//! Lines that users type, and the plans that they are.

use clap::CommandFactory;
use meerkat::algos::pagerank::{Method, Options};
use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::{self, Duplicates, ReadOptions, TimeUnit};

use super::super::plan::*;
use super::*;

#[test]
fn the_command_definition_is_sound() {
    Args::command().debug_assert();
}

/// A file that is read without times.
fn graph(file: &str, direction: Option<Direction>) -> GraphPlan {
    let read = ReadOptions { skip_times: true, ..ReadOptions::default() };
    GraphPlan { file: file.into(), read, direction }
}

fn plan(line: &str) -> Result<Plan, clap::error::ErrorKind> {
    let words: Vec<_> = line.split_whitespace().map(OsString::from).collect();
    Args::from_words(&words).map(Args::into_plan).map_err(|error| error.kind())
}

#[test]
fn a_bare_bfs_starts_at_the_lowest_id_on_any_device_and_prints_text() {
    let run = RunPlan {
        graph: graph("g.mtx", None),
        device: DeviceArg::Auto,
        output: None,
        format: Format::Text,
    };
    let variant = SearchVariant::Plain;
    let expected = SearchPlan { run, source: SourceArg::Lowest, variant };
    assert_eq!(plan("meerkat run bfs --graph g.mtx"), Ok(Plan::RunBfs(expected)));
}

#[test]
fn every_bfs_flag_reaches_the_plan() {
    let run = RunPlan {
        graph: graph("g", Some(Direction::Undirected)),
        device: DeviceArg::Cuda(1),
        output: Some("out".into()),
        format: Format::Json,
    };
    let variant = SearchVariant::Tree;
    let expected = SearchPlan { run, source: SourceArg::Id(7), variant };
    let line = "meerkat run bfs --graph g --undirected --source 7 --tree --device cuda:1 \
                --output out --json";
    assert_eq!(plan(line), Ok(Plan::RunBfs(expected)));
}

#[test]
fn every_sssp_flag_reaches_the_plan() {
    let run = RunPlan {
        graph: graph("g", Some(Direction::Directed)),
        device: DeviceArg::Cpu,
        output: Some("out".into()),
        format: Format::Json,
    };
    let (source, variant) = (SourceArg::MaxDegree, SearchVariant::Tree);
    let expected = SsspPlan {
        search: SearchPlan { run, source, variant },
        weights: WeightsPlan {
            kind: Some(WeightsArg::Native),
            duplicates: Duplicates::Last,
            shift: 11.0,
        },
    };
    let line = "meerkat run sssp --graph g --directed --weights native --duplicates last \
                --shift-weights 11 --source max-degree --tree --device cpu --output out --json";
    assert_eq!(plan(line), Ok(Plan::RunSssp(expected)));
}

#[test]
fn every_stream_flag_reaches_the_plan() {
    let line = "meerkat stream sssp --graph g --undirected --batch-size 500 --window 30d \
                --weights synthetic --source 3 --compare-static --device cpu --json \
                --time-unit ms";
    let expected = StreamPlan {
        algorithm: StreamedAlgorithm::Sssp {
            source: SourceArg::Id(3),
            weights: WeightsPlan {
                kind: Some(WeightsArg::Synthetic),
                duplicates: Duplicates::Min,
                shift: 0.0,
            },
        },
        graph: GraphPlan {
            read: ReadOptions { time_unit: Some(TimeUnit::Milliseconds), ..ReadOptions::default() },
            ..graph("g", Some(Direction::Undirected))
        },
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
fn format_and_columns_reach_the_plan_of_every_command_that_reads_a_file() {
    let given = "--format csv --columns -,source,target";
    let expected = ReadOptions {
        format: Some(read::Format::Csv),
        columns: Some("-,source,target".parse().expect("columns")),
        time_unit: None,
        skip_times: true,
    };
    for line in ["run bfs --graph g", "run wcc --graph g", "run sssp --graph g"] {
        let read = match plan(&format!("meerkat {line} {given}")) {
            Ok(Plan::RunBfs(plan)) => plan.run.graph.read,
            Ok(Plan::RunWcc(plan)) => plan.graph.read,
            Ok(Plan::RunSssp(plan)) => plan.search.run.graph.read,
            other => panic!("{other:?}"),
        };
        assert_eq!(read, expected, "{line}");
    }
    for line in ["updates --graph g", "memory g", "algorithms --graph g", "dynamic --graph g"] {
        let read = match plan(&format!("meerkat bench {line} {given}")) {
            Ok(Plan::BenchUpdates(plan)) => plan.read,
            Ok(Plan::BenchMemory(plan)) => plan.read,
            Ok(Plan::BenchAnswers(plan)) => plan.read,
            other => panic!("{other:?}"),
        };
        assert_eq!(read, expected, "{line}");
    }
    let stream = plan(&format!("meerkat stream bfs --graph g {given}"));
    let Ok(Plan::Stream(stream)) = stream else { panic!("{stream:?}") };
    let times = ReadOptions { skip_times: false, time_unit: Some(TimeUnit::Seconds), ..expected };
    assert_eq!(stream.graph.read, times);
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
    let plan =
        RanksPlan { precision: Precision::Double, options: Options::default(), method: Method::DF };
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
    use clap::error::ErrorKind::{
        ArgumentConflict, MissingRequiredArgument, UnknownArgument, ValueValidation,
    };
    let cases = [
        ("meerkat run bfs", MissingRequiredArgument),
        ("meerkat run bfs --graph g --directed --undirected", ArgumentConflict),
        ("meerkat run bfs --graph g --source highest", ValueValidation),
        ("meerkat run bfs --graph g --device gpu", ValueValidation),
        ("meerkat run bfs --graph g --format xml", ValueValidation),
        ("meerkat run bfs --graph g --columns source", ValueValidation),
        ("meerkat run bfs --graph g --time-unit ms", UnknownArgument),
        ("meerkat stream bfs --graph g --time-unit weeks", ValueValidation),
        ("meerkat stream wcc --graph g --source 5", ArgumentConflict),
        ("meerkat stream bfs --graph g --weights unit", ArgumentConflict),
        ("meerkat stream sssp --graph g --tolerance 1e-3", ArgumentConflict),
        ("meerkat show", MissingRequiredArgument),
        ("meerkat show k --list", ArgumentConflict),
        ("meerkat show --list --ptx", ArgumentConflict),
        ("meerkat show k --cuda --native", ArgumentConflict),
    ];
    for (line, kind) in cases {
        assert_eq!(plan(line), Err(kind), "{line}");
    }
}
