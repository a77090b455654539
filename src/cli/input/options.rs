//! What the user says of a graph file: which, its format, columns and direction.

use std::path::PathBuf;

use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::{self, Columns, IdKind, ReadOptions, Separator, TimeUnit};

/// The name of the standard input and output among files.
pub(in crate::cli) const STANDARD: &str = "-";

/// The graph file and how it is read.
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct GraphArgs {
    /// Graph file to read; `-` is the standard input
    #[arg(long = "graph", short = 'g', value_name = "FILE")]
    pub(in crate::cli) file: PathBuf,

    #[command(flatten)]
    pub(in crate::cli) direction: DirectionArgs,

    #[command(flatten)]
    pub(in crate::cli) read: ReadArgs,
}

/// Whether records are arcs or edges.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(in crate::cli) struct DirectionArgs {
    /// Read a record as one arc [default, unless the file says otherwise]
    #[arg(long, conflicts_with = "undirected")]
    directed: bool,

    /// Read a record as an edge, which is followed both ways
    #[arg(long, short)]
    undirected: bool,
}

/// How a file is read, where its content does not say.
#[derive(Clone, Debug, Default, clap::Args)]
pub(in crate::cli) struct ReadArgs {
    /// Format of the file [default: recognised by content, then by name]
    #[arg(long, short, value_name = "edge-list|csv|matrix-market|dimacs|metis|graphalytics")]
    format: Option<read::Format>,

    /// Meaning of the columns of an edge list or CSV file, in their order; `-` skips one
    /// [default: as the header says, else the usual one]
    #[arg(long, short, value_name = "source,target,weight,time,-", allow_hyphen_values = true)]
    columns: Option<Columns>,

    /// What the ids of an edge list or CSV file are [default: numbers, unless the first record
    /// has words]
    #[arg(long, value_name = "numbers|text")]
    ids: Option<IdKind>,

    /// What separates the columns of an edge list or CSV file [default: as in its first record]
    #[arg(long, value_name = "blank|comma|semicolon|tab")]
    separator: Option<Separator>,

    /// Whether the first line of an edge list or CSV file names its columns
    /// [default: if it cannot be a record]
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no)]
    header: Option<bool>,
}

impl DirectionArgs {
    /// `None`: as the file says.
    pub(in crate::cli) fn direction(self) -> Option<Direction> {
        match (self.directed, self.undirected) {
            (true, _) => Some(Direction::Directed),
            (_, true) => Some(Direction::Undirected),
            _ => None,
        }
    }
}

impl ReadArgs {
    /// Whether anything is said that only a file has.
    pub(in crate::cli) fn is_given(&self) -> bool {
        self.format.is_some()
            || self.columns.is_some()
            || self.ids.is_some()
            || self.separator.is_some()
            || self.header.is_some()
    }

    /// Options that leave times out.
    pub(in crate::cli) fn without_times(&self) -> ReadOptions {
        ReadOptions { skip_times: true, ..self.with_times(None) }
    }

    /// Options that read times of this unit.
    pub(in crate::cli) fn with_times(&self, time_unit: Option<TimeUnit>) -> ReadOptions {
        ReadOptions {
            format: self.format,
            columns: self.columns.clone(),
            separator: self.separator,
            header: self.header,
            ids: self.ids,
            time_unit,
            skip_times: false,
        }
    }
}

fn yes_or_no(text: &str) -> Result<bool, &'static str> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("give yes or no"),
    }
}
