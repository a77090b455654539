//! What the user types to replay a temporal graph.

use std::num::NonZero;
use std::str::FromStr;

use clap::ValueEnum;

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

--json prints an object a batch: batch (from 1), updates (records that entered or
left), deleted and inserted (arcs), m_arcs, graph_ms, algorithm_ms, static_ms (with
--compare-static), and under result the fields that `run` prints.";

#[derive(Debug, clap::Args)]
#[command(after_help = STREAM_HELP)]
pub(super) struct StreamArgs {
    /// What tracks the graph
    #[arg(value_name = "ALGORITHM")]
    algorithm: StreamAlgorithmArg,

    #[command(flatten)]
    graph: GraphArgs,

    /// Records a batch
    #[arg(long, value_name = "N", default_value = "10000", value_parser = from_one::<NonZero<usize>>)]
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

impl StreamArgs {
    pub(super) fn into_plan(self) -> StreamPlan {
        let source = self.source.source;
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
            device: self.report.device,
            format: self.report.format(),
        }
    }
}
