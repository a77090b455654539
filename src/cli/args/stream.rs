//! What the user types to replay a temporal graph.

use std::num::NonZero;
use std::str::FromStr;

use clap::parser::ValueSource::CommandLine;
use clap::{ArgMatches, ValueEnum};
use meerkat::runtime::read::TimeUnit;

use super::super::plan::{StreamPlan, StreamedAlgorithm, Window};
use super::flags::{GraphArgs, ReportArgs, SourceArgs, WeightsArgs, from_one};
use super::whole::RanksArgs;

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

Times are numbers of --time-unit, fractions included, or ISO 8601 dates, which without an
offset are in UTC.

--json prints a first object {input}, as `run` has it, and then an object a batch: batch
(from 1), updates (records that entered or left), deleted and inserted (arcs), m_arcs,
graph_ms, algorithm_ms, static_ms (with --compare-static), and under result the fields
that `run` prints.";

#[derive(Debug, clap::Args)]
#[command(after_help = STREAM_HELP)]
pub(super) struct StreamArgs {
    /// Algorithm to maintain
    #[arg(value_name = "ALGORITHM")]
    algorithm: StreamAlgorithmArg,

    #[command(flatten)]
    graph: GraphArgs,

    /// Unit of the times in the file, if they are numbers
    #[arg(long, value_name = "ns|us|ms|s|m|h|d", default_value = "s")]
    time_unit: TimeUnit,

    /// Records a batch
    #[arg(long, value_name = "N", default_value = "10000",
          value_parser = from_one::<NonZero<usize>>, allow_negative_numbers = true)]
    batch_size: NonZero<usize>,

    /// Keep the newest N records, or those of the last N seconds, minutes, hours or days
    #[arg(long, value_name = "N|Ns|Nm|Nh|Nd")]
    window: Option<WindowArg>,

    #[command(flatten)]
    weights: WeightsArgs,

    #[command(flatten, next_help_heading = "PageRank")]
    ranks: RanksArgs,

    #[command(flatten)]
    source: SourceArgs,

    /// Compute every answer from scratch, too, and take the time
    #[arg(long)]
    compare_static: bool,

    #[command(flatten)]
    report: ReportArgs,
}

/// What can track a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StreamAlgorithmArg {
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
enum WindowArg {
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

/// Options that only some algorithms read, and those algorithms.
const OPTIONS_OF: [(&[&str], &[StreamAlgorithmArg]); 3] = {
    use StreamAlgorithmArg::{Bfs, PageRank, Sssp};
    [
        (&["source"], &[Bfs, Sssp]),
        (&["weights", "duplicates", "shift_weights"], &[Sssp]),
        (
            &[
                "precision",
                "tolerance",
                "norm",
                "iterations",
                "max_iterations",
                "damping",
                "dead_ends",
                "method",
            ],
            &[PageRank],
        ),
    ]
};

/// What is wrong with options that the algorithm would ignore.
pub(super) fn ignored_option(stream: &ArgMatches) -> Option<String> {
    let algorithm = *stream.get_one::<StreamAlgorithmArg>("algorithm")?;
    let is_typed = |option: &&&str| stream.value_source(option) == Some(CommandLine);
    OPTIONS_OF.iter().filter(|(_, readers)| !readers.contains(&algorithm)).find_map(
        |(options, readers)| {
            let option = options.iter().find(is_typed)?.replace('_', "-");
            let names: Vec<_> = readers.iter().copied().map(name).collect();
            let (algorithm, readers) = (name(algorithm), names.join(" and "));
            Some(format!("`--{option}` has no meaning for {algorithm}; it is for {readers}"))
        },
    )
}

fn name(algorithm: StreamAlgorithmArg) -> String {
    algorithm.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

impl StreamArgs {
    pub(super) fn into_plan(self) -> StreamPlan {
        let source = self.source.source;
        let mut graph = self.graph.into_plan();
        graph.read.skip_times = false;
        graph.read.time_unit = Some(self.time_unit);
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
            graph,
            batch_size: self.batch_size.get(),
            window: match self.window {
                None => Window::Growing,
                Some(WindowArg::Records(records)) => Window::Records(records),
                Some(WindowArg::Seconds(seconds)) => Window::Seconds(seconds),
            },
            compares_static: self.compare_static,
            device: self.report.device,
            format: self.report.format(),
        }
    }
}
