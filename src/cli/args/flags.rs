//! Flags that several commands share.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::{self, Columns, Duplicates, ReadOptions};

use super::super::plan::{Format, GraphPlan, RunPlan, SearchPlan, SearchVariant, WeightsPlan};

/// The graph file and how it is understood.
#[derive(Debug, clap::Args)]
pub(super) struct GraphArgs {
    /// Graph file to read; `-` is the standard input
    #[arg(long, value_name = "FILE")]
    pub(super) graph: PathBuf,

    /// Take a record as one arc [default, unless the file says otherwise]
    #[arg(long, conflicts_with = "undirected")]
    pub(super) directed: bool,

    /// Take a record as an edge, to be followed both ways
    #[arg(long)]
    pub(super) undirected: bool,

    #[command(flatten)]
    pub(super) read: ReadArgs,
}

/// What the file does not say itself.
#[derive(Debug, clap::Args)]
pub(in super::super) struct ReadArgs {
    /// Format of the file [default: recognised by content, then by name]
    #[arg(long, value_name = "edge-list|csv|matrix-market|dimacs|metis|graphalytics")]
    format: Option<read::Format>,

    /// Meaning of the columns of an edge list or CSV file, in their order; `-` skips one
    /// [default: as its header says, else the usual one]
    #[arg(long, value_name = "source,target,weight,time,-", allow_hyphen_values = true)]
    columns: Option<Columns>,
}

/// Where a command runs and how it reports.
#[derive(Debug, clap::Args)]
pub(in super::super) struct ReportArgs {
    /// Where to run: `auto` takes a GPU if it can
    #[arg(long, value_name = "auto|cpu|cuda|cuda:N", default_value = "auto")]
    pub(in super::super) device: DeviceArg,

    /// Print JSON in place of text
    #[arg(long)]
    json: bool,
}

/// What every run of an algorithm takes.
#[derive(Debug, clap::Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    graph: GraphArgs,

    #[command(flatten)]
    report: ReportArgs,

    /// Write the answer for every vertex to a file; `.gz` is compressed, `-` is the
    /// standard output, and the report then goes to standard error
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What every search takes.
#[derive(Debug, clap::Args)]
pub(super) struct SearchArgs {
    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    source: SourceArgs,

    /// Find parents as well
    #[arg(long)]
    tree: bool,
}

/// Where a search starts.
#[derive(Debug, clap::Args)]
pub(super) struct SourceArgs {
    /// Vertex to start from
    #[arg(
        long,
        value_name = "ID|lowest|max-degree",
        default_value = "lowest",
        allow_negative_numbers = true
    )]
    pub(super) source: SourceArg,
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
    #[arg(long, value_name = "NUMBER", default_value = "0", allow_negative_numbers = true,
          value_parser = finite)]
    pub(super) shift_weights: f64,
}

/// Where weights come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in super::super) enum WeightsArg {
    /// The file.
    Native,
    /// 1 + (31 u + 17 v) mod 64 for the arc u -> v of the file's ids, and for an edge of
    /// an undirected graph with u below v.
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

/// The vertex to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum SourceArg {
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
pub(in super::super) enum DeviceArg {
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

/// A number from 1, where `N` is one that cannot be 0.
pub(in super::super) fn from_one<N: FromStr>(text: &str) -> Result<N, &'static str> {
    text.parse().map_err(|_| "give a whole number from 1")
}

fn finite(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or("give a number, and not an infinite one")
}

impl GraphArgs {
    pub(super) fn into_plan(self) -> GraphPlan {
        GraphPlan {
            direction: match (self.directed, self.undirected) {
                (true, _) => Some(Direction::Directed),
                (_, true) => Some(Direction::Undirected),
                _ => None,
            },
            read: self.read.into_options(),
            file: self.graph,
        }
    }
}

impl ReadArgs {
    /// Only streams read times.
    pub(in super::super) fn into_options(self) -> ReadOptions {
        ReadOptions {
            format: self.format,
            columns: self.columns,
            time_unit: None,
            skip_times: true,
        }
    }
}

impl ReportArgs {
    pub(in super::super) fn format(&self) -> Format {
        if self.json { Format::Json } else { Format::Text }
    }
}

impl RunArgs {
    pub(super) fn into_plan(self) -> RunPlan {
        RunPlan {
            graph: self.graph.into_plan(),
            device: self.report.device,
            format: self.report.format(),
            output: self.output,
        }
    }
}

impl SearchArgs {
    pub(super) fn into_plan(self) -> SearchPlan {
        SearchPlan {
            run: self.run.into_plan(),
            source: self.source.source,
            variant: if self.tree { SearchVariant::Tree } else { SearchVariant::Plain },
        }
    }
}

impl WeightsArgs {
    pub(super) fn into_plan(self) -> WeightsPlan {
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

#[cfg(test)]
mod tests {
    use super::*;

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
