//! Why a command did not do what was asked.

use std::io;
use std::num::NonZero;
use std::path::PathBuf;

use meerkat::runtime::cuda::{Arch, CudaError};
use meerkat::runtime::read::ReadError;
use meerkat::runtime::{Error, ErrorKind};

use super::output::grouped;

/// The error of a command; its text is what the user sees.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The graph file was refused.
    #[error(transparent)]
    Graph(#[from] ReadError),

    /// The source is no vertex of the graph.
    #[error(
        "{}: no vertex has the id {id}; the ids go from {first} to {last}, \
         so give one of them to `--source`",
        .graph.display()
    )]
    UnknownSource { graph: PathBuf, id: String, first: String, last: String },

    /// A rule for the source finds none, because the graph has no arcs.
    #[error(
        "{}: no vertex has an out-edge; name the vertex to start from with `--source ID`",
        .graph.display()
    )]
    NoArcs { graph: PathBuf },

    /// The file's weights were asked for, and it has none.
    #[error(
        "{}: the file has no weights; {hint}`--weights synthetic` or `--weights unit` makes some",
        .graph.display()
    )]
    NoWeights { graph: PathBuf, hint: &'static str },

    /// A weight is out of the algorithm's range.
    #[error(
        "{}: the edge {src} -> {dst} has the weight {}; weights must be {wanted}: \
         `--shift-weights NUMBER` adds to all, `--weights synthetic` or `--weights unit` replaces \
         them",
        .graph.display(), brief(*.weight)
    )]
    BadWeight { graph: PathBuf, src: String, dst: String, weight: f64, wanted: &'static str },

    /// Synthetic weights are made of numbers.
    #[error(
        "{}: synthetic weights are computed from ids that are numbers, and these are text; \
         `--weights unit` makes every weight 1",
        .graph.display()
    )]
    SyntheticOfText { graph: PathBuf },

    /// A stream needs times.
    #[error(
        "{}: the records have no times; a stream needs `u v t` or `u,v,w,t` on each line, or \
         `--columns` that say which column is the time",
        .graph.display()
    )]
    NoTimes { graph: PathBuf },

    /// The graph takes more memory than there is.
    #[error(
        "{}: {} vertices and {} records take at least {} of memory, and {} are available; correct \
         the header if it declares too many, or use a machine with more memory",
        .graph.display(), grouped(*.vertices), grouped(*.records), gigabytes(*.needed),
        gigabytes(*.available)
    )]
    TooLarge { graph: PathBuf, vertices: u32, records: u64, needed: u64, available: u64 },

    /// Weights that are not the file's were to be shifted.
    #[error(
        "`--shift-weights` adds to the weights of the file, and `--weights` asks for others; leave one of them out"
    )]
    NothingToShift,

    /// The results would replace the graph.
    #[error("{}: this is a file of the graph; write the results to another", .path.display())]
    OutputIsInput { path: PathBuf },

    /// A format does not hold the generated graph.
    #[error("{}: {reason}", .path.display())]
    Unwritable { path: PathBuf, reason: String },

    /// Options of files were given with a generator.
    #[error(
        "`{generator}` is generated: `--format`, `--columns`, `--ids`, `--separator` and \
         `--header` are for files, leave them out"
    )]
    GeneratorHasNoFile { generator: String },

    /// The file for the results cannot be opened.
    #[error("{}: cannot write the results there: {cause}", .path.display())]
    OutputRefused { path: PathBuf, cause: io::Error },

    /// A file is asked to be generated.
    #[error(
        "that names a file; `meerkat generate` makes `rmat:..`, `uniform:..` or `grid:..`, \
         see `meerkat generate --help`"
    )]
    NoGenerator,

    /// No built-in kernel has this name.
    #[error("there is no built-in kernel `{name}`; {hint}")]
    UnknownKernel { name: String, hint: String },

    /// An algorithm that only computes from scratch was to follow updates.
    #[error("`{algorithm}` does not follow updates; choose from {dynamic}")]
    FollowsNoUpdates { algorithm: &'static str, dynamic: String },

    /// The device asked for cannot be used.
    #[error(
        "device `{device}` cannot be used: {cause}\n  \
         help: `--device cpu` needs no GPU, `--device auto` takes one if it can, \
         `meerkat info` says what is missing"
    )]
    Device { device: String, cause: Error },

    /// The ranks of a stream are gone; the error of one says why.
    #[error("a rank ended before the stream did")]
    RanksAreGone,

    /// Ranks were to be measured, and none were named, or processes.
    #[error(
        "name the ranks: `--devices cuda:0,cuda:1`, or `--ranks 2` on the CPU; they are measured as \
         threads of one process"
    )]
    NoRanks,

    /// Answers over ranks are not those of one device.
    #[error("the answers over {ranks} ranks are not those of one device: please report this")]
    RanksDiffer { ranks: usize },

    /// More edges were to be deleted than there are.
    #[error(
        "{graph} has {there} edges, and {needed} are to be deleted; make --batch, --followed or \
         --rounds smaller"
    )]
    TooFewEdges { graph: String, needed: u64, there: u64 },

    /// What does not run over ranks was to.
    #[error(
        "`{what}` does not run over ranks; leave `--ranks`, `--devices` and `--as-rank` out, and run it \
         without `meerkat launch`"
    )]
    NotOverRanks { what: &'static str },

    /// A process that was to be a rank is none.
    #[error("`--as-rank`: {why}")]
    NoRank { why: String },

    /// Each process of several reads the graph.
    #[error(
        "ranks that are processes read the graph each, and the standard input can be read once: write it \
         to a file"
    )]
    RanksReadFiles,

    /// What is launched is no run over ranks.
    #[error("`meerkat launch` starts `run` and `stream`, as in `{EXAMPLE}`")]
    NotLaunched,

    /// The ranks are those of the launch.
    #[error(
        "`{option}` is an option of `meerkat launch` here: give it before the `--`, as in `{EXAMPLE}`"
    )]
    RanksOfLaunch { option: String },

    /// A launch names other devices than ranks.
    #[error("{devices} devices are not one for each of {ranks} ranks; leave `--ranks` out")]
    DevicesOfLaunch { devices: usize, ranks: usize },

    /// The processes of the ranks cannot be started.
    #[error("cannot start the process of rank {rank}: {cause}")]
    RankNotStarted { rank: usize, cause: io::Error },

    /// A rank that was launched failed, with this exit code.
    #[error("rank {rank}: {message}")]
    LaunchedRank { rank: usize, message: String, code: u8 },

    /// A function has no kernel of the schedule and the type asked for.
    #[error("`{function}` has no such kernel; there are {forms}")]
    UnknownForm { function: String, forms: String },

    /// NVRTC does not compile for an architecture.
    #[error("this NVRTC does not compile for {arch}; choose from {known}")]
    UnknownArch { arch: Arch, known: String },

    /// A bundle was asked for an algorithm that is not there.
    #[error("there is no algorithm `{name}`; choose from {known}")]
    UnknownAlgorithm { name: String, known: String },

    /// The command does not understand a line of its own.
    #[error("{message}; please report this")]
    Workload { message: String },

    /// A stream prints its report on the standard output.
    #[error("`--output -` does not go with a stream, whose report is on the standard output")]
    StreamOnStdout,

    /// The threads asked for cannot be started.
    #[error("cannot start {threads} threads: {cause}")]
    Threads { threads: NonZero<usize>, cause: rayon::ThreadPoolBuildError },

    /// The answer differs from that of plain code.
    #[error("the answer is wrong: {difference}; please report this")]
    AnswerIsWrong { difference: String },

    /// Building the graph or running a kernel failed.
    #[error("{}", with_options(.0))]
    Runtime(#[from] Error),

    /// An answer that followed updates is not the one from scratch.
    #[error("{algorithm} differs from its computation from scratch: please report this")]
    AnswersDiffer { algorithm: &'static str },

    /// An answer that was measured is not the one of plain code.
    #[error("{algorithm} differs from plain code: please report this")]
    DiffersFromPlain { algorithm: &'static str },

    /// A container has not the edges that it should have.
    #[error("{container}: {difference}: please report this")]
    EdgesAreWrong { container: &'static str, difference: &'static str },

    /// An experiment of a paper failed.
    #[error("{experiment} on {graph}: {cause}")]
    Experiment { experiment: String, graph: String, cause: Box<Failure> },

    /// A paper has no such table or figure.
    #[error("the paper `{paper}` has no {asked} that can be measured; there are {known}")]
    UnknownExperiment { paper: &'static str, asked: String, known: String },

    /// A figure could not be drawn.
    #[error("{}: drawing failed: {cause}", .path.display())]
    NotDrawn { path: PathBuf, cause: String },

    /// The results could not be written.
    #[error("{}: writing the results failed: {cause}", .path.display())]
    OutputBroken { path: PathBuf, cause: io::Error },

    /// The standard output cannot be written.
    #[error("cannot write to the standard output: {cause}")]
    StdoutBroken { cause: io::Error },
}

/// The exit code of a rank that failed because another one did, which says why.
pub(super) const ANOTHER_RANK: u8 = 3;

/// How ranks are launched.
const EXAMPLE: &str = "meerkat launch --ranks 2 -- run bfs --graph FILE";

/// What failed, and the options that help.
fn with_options(error: &Error) -> String {
    let options = match error.kind() {
        ErrorKind::NotConverged { .. } => "`--tolerance`, `--max-iterations`, `--precision f64`",
        ErrorKind::OrientationMissing { .. } => "`--orientation both`",
        _ => return error.to_string(),
    };
    format!("{error}\n  help: {options}")
}

/// Whether an error is but an effect of what another rank says.
fn is_of_another_rank(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::RankLost { .. } | ErrorKind::RefusedByRank { .. })
}

/// Bytes as people read them.
fn gigabytes(bytes: u64) -> String {
    format!("{:.1} GB", bytes as f64 / 1e9)
}

/// A number without a tail of zeros.
fn brief(number: f64) -> String {
    if number.abs() < 1e15 { number.to_string() } else { format!("{number:e}") }
}

impl Failure {
    /// How much memory the device would have needed, at least, if that is why.
    pub(super) fn bytes_that_do_not_fit(&self) -> Option<u64> {
        let Self::Runtime(error) = self else { return None };
        match error.kind() {
            ErrorKind::Cuda(CudaError::OutOfMemory { bytes, free, total }) => {
                Some(total - free + bytes)
            }
            ErrorKind::OutOfMemory { bytes } => Some(*bytes),
            ErrorKind::TooManySlabs { slabs } => Some(slabs * 128),
            _ => None,
        }
    }

    /// 2 if the user can correct the line or the file, 3 if another rank failed first, else 1.
    pub(super) fn exit_code(&self) -> u8 {
        match self {
            Self::LaunchedRank { code, .. } => *code,
            Self::Runtime(error) if is_of_another_rank(error) => ANOTHER_RANK,
            Self::Graph(_)
            | Self::UnknownSource { .. }
            | Self::NoArcs { .. }
            | Self::NoWeights { .. }
            | Self::NothingToShift
            | Self::BadWeight { .. }
            | Self::NoTimes { .. }
            | Self::SyntheticOfText { .. }
            | Self::OutputRefused { .. }
            | Self::OutputIsInput { .. }
            | Self::TooLarge { .. }
            | Self::Unwritable { .. }
            | Self::GeneratorHasNoFile { .. }
            | Self::NoGenerator
            | Self::UnknownForm { .. }
            | Self::UnknownArch { .. }
            | Self::UnknownAlgorithm { .. }
            | Self::FollowsNoUpdates { .. }
            | Self::NotOverRanks { .. }
            | Self::NoRanks
            | Self::TooFewEdges { .. }
            | Self::NoRank { .. }
            | Self::RanksReadFiles
            | Self::NotLaunched
            | Self::RanksOfLaunch { .. }
            | Self::DevicesOfLaunch { .. }
            | Self::UnknownExperiment { .. }
            | Self::StreamOnStdout
            | Self::UnknownKernel { .. } => 2,
            Self::Experiment { cause, .. } => cause.exit_code(),
            Self::Device { .. }
            | Self::Runtime(_)
            | Self::DiffersFromPlain { .. }
            | Self::EdgesAreWrong { .. }
            | Self::NotDrawn { .. }
            | Self::RanksAreGone
            | Self::RanksDiffer { .. }
            | Self::RankNotStarted { .. }
            | Self::OutputBroken { .. }
            | Self::AnswersDiffer { .. }
            | Self::AnswerIsWrong { .. }
            | Self::Workload { .. }
            | Self::Threads { .. }
            | Self::StdoutBroken { .. } => 1,
        }
    }
}
