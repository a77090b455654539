//! What the user types.

mod bench;
mod flags;
mod search;
mod show;
mod stream;
#[cfg(test)]
mod tests;
mod whole;

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use self::bench::{Bench, GenerateArgs};
pub(super) use self::flags::{DeviceArg, ReadArgs, ReportArgs, SourceArg, WeightsArg, from_one};
use self::search::{BfsArgs, SsspArgs};
use self::show::ShowArgs;
use self::stream::StreamArgs;
pub(super) use self::whole::DeadEndsArg;
use self::whole::{PageRankArgs, TrianglesArgs, WccArgs};
use super::plan::{Format, Plan};

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

/// Dynamic graph algorithms for GPUs, written in Rust.
#[derive(Debug, Parser)]
#[command(name = "meerkat", version, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
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
enum Algorithm {
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

impl Args {
    /// What the words of the command line mean, the program's name first.
    pub(super) fn from_words(words: &[OsString]) -> Result<Self, clap::Error> {
        let matches = Self::command().try_get_matches_from(words).map_err(|mut error| {
            if error.kind() == ErrorKind::InvalidSubcommand {
                let names = ContextValue::StyledStrs(vec![choices(words).into()]);
                error.insert(ContextKind::Suggested, names);
            }
            error
        })?;
        let stream = matches.subcommand_matches("stream");
        match stream.and_then(stream::ignored_option) {
            Some(message) => Err(Self::command().error(ErrorKind::ArgumentConflict, message)),
            None => Self::from_arg_matches(&matches),
        }
    }

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
            Command::Info { json: true } => Plan::Info(Format::Json),
            Command::Info { json: false } => Plan::Info(Format::Text),
            Command::Show(args) => Plan::Show(args.into_plan()),
        }
    }
}

/// The commands that could follow the ones that were understood.
fn choices(words: &[OsString]) -> String {
    let mut command = Args::command();
    for word in words.iter().skip(1) {
        let Some(inner) = command.find_subcommand(word) else { break };
        command = inner.clone();
    }
    let names: Vec<_> = command.get_subcommands().map(|inner| inner.get_name()).collect();
    format!("choose from {}", names.join(", "))
}
