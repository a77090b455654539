//! What the user types: the subcommands, and what is said of those that do not exist.

mod execution;
mod ranks;

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Subcommand};

pub(super) use self::execution::{DeviceName, ExecutionArgs, PlaceArgs, ReportFormat, from_one};
pub(super) use self::ranks::{Ranks, RanksArgs, rank_count};
use super::algorithms::{ALL, dynamic_entries};
use super::bench::{Bench, TuneArgs};
use super::bundle::BundleArgs;
use super::convert::ConvertArgs;
use super::generate::GenerateArgs;
use super::launch::LaunchArgs;
use super::shell::{CompletionsArgs, ManArgs};
use super::show::ShowArgs;
use super::stats::StatsArgs;

const EXAMPLES: &str = "\
Examples:
  meerkat run bfs --graph tests/graphs/rome99.gr.gz
  meerkat run bfs --graph friends.txt --undirected --source max-degree --json
  meerkat run sssp --graph tests/graphs/rome99.gr.gz --weights native --verify
  meerkat stream bfs --graph sx-mathoverflow.txt.gz --window 30d --compare-static
  meerkat launch --ranks 2 -- run pagerank --graph tests/graphs/rome99.gr.gz
  meerkat bench updates --graph rmat:18
  meerkat bench paper meerkat --quick --out figures
  meerkat generate rmat:18 --output rmat-18.mtx.gz
  meerkat convert friends.csv friends.mtx.gz
  meerkat stats friends.csv
  meerkat bundle --arch sm_80,sm_90
  meerkat info
  meerkat show visit

Exit codes: 0 done, 1 the device or the program failed, 2 bad usage or bad input, 3 another rank
failed first.";

/// What all commands say of the files that they read.
pub(super) const FILES_HELP: &str = "\
Graph files, plain or gzip: edge lists of SNAP and KONECT, CSV, Matrix Market, DIMACS .gr,
METIS .graph, and LDBC Graphalytics .e with its .v beside it. The format is recognised by
content, then by name; --format says it otherwise. Self-loops are dropped and repeated edges
count once.

Columns of an edge list or CSV file are, in this order: what --columns says; what a line of
names says (source, src, from, u; target, dst, to, v; weight, w, value, rating; time,
timestamp, t; an unnamed first column is skipped); or else source, target, and

  3 columns   a time; a weight in .csv, .wel and KONECT files
  4 columns   a weight and a time

Direction is, in this order: --directed or --undirected; what the file says (a Matrix Market
or KONECT header, `# Undirected graph`, a .properties file) or its format has; or else
directed. The report says what was read, and who said so.";

/// The commands besides `run` and `stream`, which have a subcommand for each algorithm.
#[derive(Subcommand)]
pub(super) enum Other {
    /// Run or stream over several processes of this machine, each of them a rank
    Launch(LaunchArgs),
    /// Measure the library
    #[command(subcommand)]
    Bench(Bench),
    /// Measure the search thresholds of this device, and keep the best
    Tune(TuneArgs),
    /// Write a synthetic graph to a file
    Generate(GenerateArgs),
    /// Write the records of a graph file in another format
    Convert(ConvertArgs),
    /// Describe the graph of a file: degrees, density, components
    Stats(StatsArgs),
    /// Compile the kernels ahead, into a file with which NVRTC is not needed
    Bundle(BundleArgs),
    /// List the devices, the CUDA driver, NVRTC, and the cache and the bundle of compiled kernels
    Info {
        /// Print JSON instead of text; docs/COMMAND.md describes it
        #[arg(long, short)]
        json: bool,
    },
    /// Print what a built-in kernel becomes: CUDA C++, native Rust or PTX
    Show(ShowArgs),
    /// Print a script that completes the command in a shell
    Completions(CompletionsArgs),
    /// Print a page of the manual
    Man(ManArgs),
}

/// The whole command.
pub(super) fn command() -> clap::Command {
    let of_algorithms = |name: &'static str| {
        clap::Command::new(name).subcommand_required(true).arg_required_else_help(true)
    };
    let run = of_algorithms("run")
        .about("Run an algorithm on a graph file")
        .subcommands(ALL.iter().map(|entry| entry.run_command()));
    let stream = of_algorithms("stream")
        .about("Replay a temporal graph in time order, with an answer that follows it")
        .subcommands(dynamic_entries().map(|entry| entry.stream_command()));
    let command = clap::Command::new("meerkat").subcommand(run).subcommand(stream);
    Other::augment_subcommands(command)
        .version(env!("CARGO_PKG_VERSION"))
        .about("Dynamic graph algorithms for GPUs, written in Rust")
        .after_help(EXAMPLES)
        .subcommand_required(true)
        .arg_required_else_help(true)
}

/// What the words of the command line are, the program's name first.
pub(super) fn matches(words: &[OsString]) -> Result<ArgMatches, clap::Error> {
    command().try_get_matches_from(words).map_err(|error| with_way_out(error, words))
}

/// Adds to an error the commands that there are, or the algorithms that have an option.
fn with_way_out(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let way_out = match error.kind() {
        ErrorKind::InvalidSubcommand => Some(format!("choose from {}", choices(words))),
        ErrorKind::UnknownArgument => algorithms_with(&error, words),
        _ => None,
    };
    if let Some(way_out) = way_out {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![way_out.into()]));
    }
    error
}

/// The commands that could follow the ones that were understood.
fn choices(words: &[OsString]) -> String {
    let mut command = command();
    for word in words.iter().skip(1) {
        let Some(inner) = command.find_subcommand(word) else { break };
        command = inner.clone();
    }
    let names: Vec<_> = command.get_subcommands().map(|inner| inner.get_name()).collect();
    names.join(", ")
}

/// The algorithms that have the option that another has not: of a stream those that follow updates.
fn algorithms_with(error: &clap::Error, words: &[OsString]) -> Option<String> {
    let ContextValue::String(option) = error.get(ContextKind::InvalidArg)? else { return None };
    let name = option.strip_prefix("--")?;
    let has_it = |command: clap::Command| {
        command.get_arguments().any(|argument| argument.get_long() == Some(name))
    };
    let of = |command: clap::Command| (command.get_name().to_owned(), has_it(command));
    let found: Vec<_> = match words.get(1).is_some_and(|word| word == "stream") {
        true => dynamic_entries().map(|entry| of(entry.stream_command())).collect(),
        false => ALL.iter().map(|entry| of(entry.run_command())).collect(),
    };
    let names: Vec<_> = found.iter().filter(|(_, has)| *has).map(|(name, _)| &name[..]).collect();
    match names.len() {
        0 => None,
        len if len == found.len() => None,
        _ => Some(format!("`{option}` is an option of {}", names.join(" and "))),
    }
}

/// The error for a page of a command that does not exist.
pub(super) fn no_such_command(words: &[String]) -> clap::Error {
    let typed: Vec<OsString> =
        ["meerkat"].into_iter().map(OsString::from).chain(words.iter().map(Into::into)).collect();
    let message =
        format!("no command `meerkat {}`; choose from {}", words.join(" "), choices(&typed));
    command().error(ErrorKind::InvalidSubcommand, message)
}
