//! The algorithms of the command. A new one needs
//!
//! - a file in this folder, with its options, its answer in figures, an independent check and
//!   its rows of `bench`,
//! - a line in [`ALL`],
//! - its fields in `docs/command.schema.json` and `docs/COMMAND.md`; tests compare them with
//!   what the command prints,
//! - its name in the lists of `tests/command/refusals.rs` and `tests/command/usage.rs`.
//!
//! ```text
//! ArgMatches -> Entry -> AlgorithmArgs --start--> Task::perform(Algorithm<W>, weights)
//! ```
//!
//! What is done with an algorithm is a [`Task`], generic over it, such as a run, or a
//! [`DynamicTask`], which needs an algorithm that follows updates, such as a stream. So neither
//! knows of an algorithm by name, and no algorithm knows of them.

mod bfs;
mod ktruss;
mod over_ranks;
mod pagerank;
mod plain;
mod precision;
mod rounding;
mod search;
mod spmv;
mod sssp;
mod triangles;
mod wcc;

use std::fmt;
use std::io::{self, Write};
use std::marker::PhantomData;
use std::rc::Rc;

use clap::ArgMatches;
use meerkat::algos::bfs::UNREACHED;
use meerkat::algos::catalog;
use meerkat::runtime::distributed::{DistributedGraph, Part};
use meerkat::runtime::read::{SimpleGraph, VertexIds};
use meerkat::runtime::{
    BlockGraph, CompactGraph, Container, Device, DynamicAlgorithm, EdgeLists, Error, Orientation,
    SlabGraph, Weight,
};
use serde::Serialize;

pub(super) use self::over_ranks::RankFollower;
use self::over_ranks::{computed_over_ranks, follower};
pub(super) use self::pagerank::{DeadEndsName, rank_error};
pub(super) use self::plain::Answers;
use super::bench::{DynamicCase, DynamicRow, StaticCase, StaticRow};
use super::container::{Blocks, Compact, DynamicContainer, Lists, Slabs};
use super::failure::Failure;
use super::input::{Input, WeightRange, Weights, WeightsArgs};
use super::output::{Lines, Printed};
use super::{run, stream};

/// The algorithms, in the order of the help.
pub(super) static ALL: &[&dyn Entry] = &[
    &Of::<bfs::BfsArgs>::DYNAMIC,
    &Of::<sssp::SsspArgs>::DYNAMIC,
    &Of::<wcc::WccArgs>::DYNAMIC,
    &Of::<triangles::TrianglesArgs>::DYNAMIC,
    &Of::<pagerank::PageRankArgs>::DYNAMIC,
    &Of::<ktruss::KTrussArgs>::DYNAMIC,
    &Of::<spmv::SpmvArgs>::STATIC,
];

/// What the user says of an algorithm, for all commands.
pub(super) trait AlgorithmArgs: clap::Args + 'static {
    /// Its name, its other names and a line for the list of algorithms.
    const ENTRY: &'static catalog::Algorithm;
    const NAME: &'static str = Self::ENTRY.name;
    const ALIASES: &'static [&'static str] = Self::ENTRY.aliases;
    const ABOUT: &'static str = Self::ENTRY.about;
    /// Examples of `meerkat run`, and what its results mean.
    const RUN_HELP: &'static str;
    /// Which weights it takes.
    const WEIGHT_RANGE: WeightRange = WeightRange::Lengths;
    /// Whether it runs over ranks.
    const RUNS_OVER_RANKS: bool = true;

    /// The weights that it needs, if any.
    fn weights(&self) -> Option<&WeightsArgs> {
        None
    }

    /// Hands the algorithm to `task`. `weights` are those of [`weights`](Self::weights).
    fn start<T: Task>(
        &self,
        input: &Input,
        weights: Option<Weights>,
        task: T,
    ) -> Result<T::Output, Failure>;

    /// Computes every variant from scratch, for `meerkat bench algorithms`.
    fn bench_static<L: Lists>(case: &StaticCase<'_>) -> Result<Vec<StaticRow>, Failure>;
}

/// The same of an algorithm that follows updates.
pub(super) trait DynamicArgs: AlgorithmArgs {
    /// Examples of `meerkat stream`.
    const STREAM_HELP: &'static str;

    /// The subcommand of `meerkat stream`, where an option differs from that of `meerkat run`.
    fn stream_options(command: clap::Command) -> clap::Command {
        command
    }

    /// Hands the algorithm to `task`, as [`start`](AlgorithmArgs::start) does.
    fn start_dynamic<T: DynamicTask>(
        &self,
        input: &Input,
        weights: Option<Weights>,
        task: T,
    ) -> Result<T::Output, Failure>;

    /// Follows batches, for `meerkat bench dynamic`.
    fn bench_dynamic<L: Lists>(case: &DynamicCase<'_>) -> Result<Vec<DynamicRow>, Failure>;
}

/// Something that is done with an algorithm.
pub(super) trait Task {
    type Output;

    /// Does it; `weight` gives the weight of an arc, or of a record, by its number.
    fn perform<W: Weight + PartialOrd, A: Algorithm<W>>(
        self,
        algorithm: &A,
        weight: impl Fn(usize) -> W,
    ) -> Result<Self::Output, Failure>;
}

/// Something that is done with an algorithm that follows updates.
pub(super) trait DynamicTask {
    type Output;

    /// Does it; `weight` is as in [`Task::perform`].
    fn perform<W: Weight + PartialOrd, A: TrackedAlgorithm<W>>(
        self,
        algorithm: &A,
        weight: impl Fn(usize) -> W,
    ) -> Result<Self::Output, Failure>;
}

/// A task that does not need what follows updates.
pub(super) struct FromScratch<T>(T);

impl<T: Task> DynamicTask for FromScratch<T> {
    type Output = T::Output;

    fn perform<W: Weight + PartialOrd, A: TrackedAlgorithm<W>>(
        self,
        algorithm: &A,
        weight: impl Fn(usize) -> W,
    ) -> Result<T::Output, Failure> {
        self.0.perform(algorithm, weight)
    }
}

/// An algorithm with all that was asked, on edges that weigh `W`.
pub(super) trait Algorithm<W: Weight>: Sync {
    /// What it finds.
    type Answer: Send;
    type Figures: Figures;

    /// The arcs that it needs: to compute, or to follow insertions, and deletions if
    /// `deletes`.
    fn orientation(&self, deletes: bool) -> Orientation;

    /// The answer from scratch; without `vertices` that of the whole graph is enough.
    fn compute(
        &self,
        graph: &impl Container<Carried = W>,
        vertices: bool,
    ) -> Result<Self::Answer, Error>;

    /// The answer from scratch over ranks, on each of them; none where it does not run over ranks.
    /// Collective.
    fn compute_over_ranks<L: EdgeLists<Carried = W>>(
        &self,
        part: &Part<'_, L>,
    ) -> Option<Result<Self::Answer, Error>> {
        let _ = part;
        None
    }

    /// The answer in figures.
    fn figures(&self, answer: &Self::Answer, ids: &VertexIds) -> Self::Figures;

    /// What the answer says of a vertex: the line of the file of results, after the id.
    fn write_vertex(
        &self,
        answer: &Self::Answer,
        ids: &VertexIds,
        vertex: u32,
        to: &mut dyn Write,
    ) -> io::Result<()>;

    /// Compares with an answer that plain code computes anew; where they differ, how.
    fn verify(
        &self,
        answer: &Self::Answer,
        input: &Input,
        weight: &dyn Fn(usize) -> W,
    ) -> Result<(), String>;
}

/// An algorithm that follows updates.
pub(super) trait TrackedAlgorithm<W: Weight>: Algorithm<W, Figures: Brief> {
    /// What follows updates.
    type Tracked: DynamicAlgorithm<SlabGraph<W>, Output: Into<Self::Answer>>
        + DynamicAlgorithm<CompactGraph<W>, Output: Into<Self::Answer>>
        + DynamicAlgorithm<BlockGraph<W>, Output: Into<Self::Answer>>;

    /// What follows updates of a graph.
    fn tracked(&self) -> Self::Tracked;

    /// The same over ranks, as one of them has it; none where it does not run over ranks. Collective.
    fn track_over_ranks<L: EdgeLists<Carried = W> + 'static>(
        &self,
        graph: DistributedGraph<L>,
    ) -> Option<RankFollowing<W, Self::Answer>> {
        let _ = graph;
        None
    }
}

/// What follows updates over ranks, or why it does not.
type RankFollowing<W, T> = Result<Box<dyn RankFollower<W, T>>, Error>;

/// The figures of an answer: the field `result` of JSON, and lines of text.
pub(super) trait Figures: Serialize {
    /// What was asked, after the algorithm's name: ` from vertex 1`.
    fn question(&self) -> String {
        String::new()
    }
    /// The lines between the graph, of `n` vertices, and the times.
    fn answer(&self, n: u32) -> String;
    /// What follows the times.
    fn table(&self) -> String {
        String::new()
    }
}

/// The figures of an answer that follows updates.
pub(super) trait Brief: Figures {
    /// The answer on one line, for a table.
    fn brief(&self) -> String;
}

/// An algorithm as the command line knows it, its type left out.
pub(super) trait Entry: Sync {
    fn name(&self) -> &'static str;
    fn aliases(&self) -> &'static [&'static str];
    /// The subcommand of `meerkat run`.
    fn run_command(&self) -> clap::Command;
    /// Runs it, on `device` if one is given, whatever the line says.
    fn run(
        &self,
        matches: &ArgMatches,
        device: Option<&Device>,
    ) -> Result<Result<Printed, Failure>, clap::Error>;
    fn bench_static(&self, case: &StaticCase<'_>) -> Result<Vec<StaticRow>, Failure>;
    /// What it does with updates, if it follows them.
    fn dynamic(&self) -> Option<&'static dyn DynamicEntry>;
}

/// An algorithm that follows updates, as the command line knows it.
pub(super) trait DynamicEntry: Sync {
    fn name(&self) -> &'static str;
    /// The subcommand of `meerkat stream`.
    fn stream_command(&self) -> clap::Command;
    /// Follows a stream, on `device` if one is given, whatever the line says.
    fn stream(
        &self,
        matches: &ArgMatches,
        lines: &mut Lines,
        device: Option<&Device>,
    ) -> Result<Result<(), Failure>, clap::Error>;
    fn bench_dynamic(&self, case: &DynamicCase<'_>) -> Result<Vec<DynamicRow>, Failure>;
}

struct Of<A> {
    args: PhantomData<fn() -> A>,
    dynamic: Option<&'static dyn DynamicEntry>,
}

impl<A> Of<A> {
    const STATIC: Self = Self { args: PhantomData, dynamic: None };
}

impl<A: DynamicArgs> Of<A> {
    const DYNAMIC: Self = Self { args: PhantomData, dynamic: Some(&Followed::<A>(PhantomData)) };
}

struct Followed<A>(PhantomData<fn() -> A>);

impl<A: AlgorithmArgs> Entry for Of<A> {
    fn name(&self) -> &'static str {
        A::NAME
    }

    fn aliases(&self) -> &'static [&'static str] {
        A::ALIASES
    }

    fn run_command(&self) -> clap::Command {
        run::command::<A>()
    }

    fn run(
        &self,
        matches: &ArgMatches,
        device: Option<&Device>,
    ) -> Result<Result<Printed, Failure>, clap::Error> {
        clap::FromArgMatches::from_arg_matches(matches).map(|args| run::run::<A>(&args, device))
    }

    fn bench_static(&self, case: &StaticCase<'_>) -> Result<Vec<StaticRow>, Failure> {
        match case.container {
            DynamicContainer::Slabs => A::bench_static::<Slabs>(case),
            DynamicContainer::Compact => A::bench_static::<Compact>(case),
            DynamicContainer::Blocks => A::bench_static::<Blocks>(case),
        }
    }

    fn dynamic(&self) -> Option<&'static dyn DynamicEntry> {
        self.dynamic
    }
}

impl<A: DynamicArgs> DynamicEntry for Followed<A> {
    fn name(&self) -> &'static str {
        A::NAME
    }

    fn stream_command(&self) -> clap::Command {
        stream::command::<A>()
    }

    fn stream(
        &self,
        matches: &ArgMatches,
        lines: &mut Lines,
        device: Option<&Device>,
    ) -> Result<Result<(), Failure>, clap::Error> {
        let args = clap::FromArgMatches::from_arg_matches(matches)?;
        Ok(stream::run::<A>(&args, lines, device))
    }

    fn bench_dynamic(&self, case: &DynamicCase<'_>) -> Result<Vec<DynamicRow>, Failure> {
        match case.container {
            DynamicContainer::Slabs => A::bench_dynamic::<Slabs>(case),
            DynamicContainer::Compact => A::bench_dynamic::<Compact>(case),
            DynamicContainer::Blocks => A::bench_dynamic::<Blocks>(case),
        }
    }
}

/// Those that follow updates.
pub(super) fn dynamic_entries() -> impl Iterator<Item = &'static dyn DynamicEntry> {
    ALL.iter().filter_map(|entry| entry.dynamic())
}

/// The algorithm of a name or an alias.
pub(super) fn named(name: &str) -> Result<&'static dyn Entry, String> {
    let is_it = |entry: &&&dyn Entry| entry.name() == name || entry.aliases().contains(&name);
    ALL.iter().find(is_it).copied().ok_or_else(|| {
        let names: Vec<_> = ALL.iter().map(|entry| entry.name()).collect();
        format!("choose from {}", names.join(", "))
    })
}

/// The level of each vertex from `source`, by plain code.
fn plain_levels(graph: &SimpleGraph, source: u32) -> Vec<u32> {
    let levels = plain::levels(graph, source).into_iter();
    levels.map(|level| level.unwrap_or(UNREACHED)).collect()
}

/// The same, if they were not asked for before.
pub(super) fn levels_from(answers: &Answers, source: u32) -> Rc<Vec<u32>> {
    answers.to(format!("levels from {source}"), |graph| plain_levels(graph, source))
}

/// Compares the values of all vertices with those that are expected.
fn compare<T: PartialEq + fmt::Display>(
    what: &str,
    input: &Input,
    found: impl IntoIterator<Item = T>,
    expected: impl IntoIterator<Item = T>,
) -> Result<(), String> {
    let mut pairs = (0..).zip(found.into_iter().zip(expected));
    match pairs.find(|(_, (found, expected))| found != expected) {
        None => Ok(()),
        Some((vertex, (found, expected))) => {
            let id = input.id(vertex);
            Err(format!("vertex {id} has the {what} {found}, expected {expected}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, catalog};

    #[test]
    fn the_catalogue_has_the_algorithms_with_options_and_defaults_of_the_command() {
        let names: Vec<_> = ALL.iter().map(|entry| entry.name()).collect();
        let expected: Vec<_> = catalog::ALL.iter().map(|algorithm| algorithm.name).collect();
        assert_eq!(names, expected);
        for (entry, algorithm) in ALL.iter().zip(catalog::ALL) {
            let command = entry.run_command();
            for parameter in algorithm.parameters {
                let long = parameter.name.replace('_', "-");
                let option =
                    command.get_arguments().find(|option| option.get_long() == Some(&long));
                let option = option.unwrap_or_else(|| panic!("{}: no --{long}", algorithm.name));
                let usual = match parameter.default {
                    catalog::Default::Integer(usual) => usual.to_string(),
                    catalog::Default::Number(usual) => usual.to_string(),
                    catalog::Default::Word(usual) => usual.to_owned(),
                    catalog::Default::None | catalog::Default::Open => continue,
                };
                assert_eq!(option.get_default_values(), [&*usual], "{}: --{long}", algorithm.name);
            }
        }
    }
}
