//! PageRank for the command.

mod checks;
mod figures;

use std::fmt;
use std::io::{self, Write};
use std::marker::PhantomData;
use std::num::NonZero;

use clap::ValueEnum;
use meerkat::algos::catalog;
use meerkat::algos::pagerank::{self, DeadEnds, Method, Norm, Options, PageRank, Ranks, Stop};
use meerkat::runtime::distributed::{DistributedGraph, Part};
use meerkat::runtime::read::VertexIds;
use meerkat::runtime::{Container, EdgeLists, Error, Float, Orientation};

pub(in crate::cli) use self::checks::rank_error;
use self::checks::{first_wrong, is_fixed_point, left_by, ranks_after};
use self::figures::PageRankFigures;
use super::plain::{Answers, power_iteration, steps_to_the_end};
use super::precision::Precision;
use super::{
    Algorithm, AlgorithmArgs, DynamicArgs, DynamicTask, FromScratch, RankFollowing, Task,
    TrackedAlgorithm, computed_over_ranks, follower,
};
use crate::cli::args::from_one;
use crate::cli::bench::{
    Compared, DynamicCase, DynamicRow, RankSettings, Reference, StaticCase, StaticRow,
};
use crate::cli::container::Lists;
use crate::cli::failure::Failure;
use crate::cli::input::{Input, Weights};

const RUN_HELP: &str = "\
Examples:
  meerkat run pagerank --graph tests/graphs/rome99.gr.gz
  meerkat run pagerank --graph G.mtx --precision f32 --tolerance 1e-6 --json
  meerkat run pagerank --graph G.e --iterations 26 --output ranks   # as LDBC asks

A step changes every rank at once; steps go on until the change is below the tolerance: the
sum of all changes (--norm l1) or the largest (--norm linf). Weights do not matter.

All methods start from equal ranks here and give the same answer; they differ in how they
follow updates.

--output FILE writes `id rank`, the format of LDBC's PR outputs.

The result in JSON: iterations, l1_last_step, error_bound, sum, top20; top20 is a list of
[id, rank], the highest rank first; l1_last_step is the sum of the changes of the last step;
error_bound is how far the ranks are from the exact ones at most, but for rounding, in the sum of all differences.";

const STREAM_HELP: &str = "\
Examples:
  meerkat stream pagerank --graph sx-mathoverflow.txt.gz --window 30d

  # With the frontier of the DF-P paper, as far as the tolerance permits
  meerkat stream pagerank --graph sx-mathoverflow.txt.gz --window 30d \\
      --frontier-tolerance 1e-6 --prune-tolerance 1e-6";

/// Which ranks are computed, and how.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "PageRank")]
pub(super) struct PageRankArgs {
    /// Numbers that ranks are computed in
    #[arg(long, value_name = "f32|f64", default_value = "f64")]
    precision: Precision,

    /// Stop when a step changes the ranks by less [default: 1e-12, or 1e-6 in f32]
    #[arg(long, value_name = "NUMBER", value_parser = positive, allow_negative_numbers = true)]
    tolerance: Option<f64>,

    /// How the change of a step is measured
    #[arg(long, value_name = "l1|linf", default_value = "l1")]
    norm: NormName,

    /// Run exactly STEPS iterations
    #[arg(long, value_name = "STEPS", conflicts_with_all = ["tolerance", "norm", "max_iterations"],
          value_parser = from_one::<NonZero<u32>>, allow_negative_numbers = true)]
    iterations: Option<NonZero<u32>>,

    /// Fail if not converged after STEPS iterations
    #[arg(long, value_name = "STEPS", default_value = "1000",
          value_parser = from_one::<NonZero<u32>>, allow_negative_numbers = true)]
    max_iterations: NonZero<u32>,

    /// Part of a rank that is passed on along edges, from 0 to below 1
    #[arg(long, value_name = "NUMBER", default_value_t = 0.85, value_parser = part,
          allow_negative_numbers = true)]
    damping: f64,

    /// Where the rank of vertices without out-edges goes
    #[arg(long, value_name = "teleport|self-loops", default_value = "teleport")]
    dead_ends: DeadEndsName,

    /// How ranks follow updates: from scratch, naive-dynamic, dynamic traversal,
    /// dynamic frontier, dynamic frontier with pruning
    #[arg(long, value_name = "static|nd|dt|df|dfp", default_value = "dfp")]
    method: MethodName,

    /// With df and dfp: the relative change of a rank up to which out-neighbours do not follow,
    /// as far as --tolerance permits: it is kept over all batches. The DF-P paper has 1e-6
    #[arg(long, value_name = "NUMBER", default_value = "0", value_parser = not_negative,
          allow_negative_numbers = true)]
    frontier_tolerance: f64,

    /// With dfp: the relative change of a rank up to which a vertex rests, as above
    #[arg(long, value_name = "NUMBER", default_value = "0", value_parser = not_negative,
          allow_negative_numbers = true)]
    prune_tolerance: f64,
}

/// How the change of a step is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NormName {
    /// The sum of all changes.
    L1,
    /// The largest change.
    Linf,
}

/// Where the rank of dead ends goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum DeadEndsName {
    /// To all vertices alike.
    Teleport,
    /// Back to the vertex, and every vertex has such a loop.
    SelfLoops,
}

impl From<DeadEndsName> for DeadEnds {
    fn from(name: DeadEndsName) -> Self {
        match name {
            DeadEndsName::Teleport => DeadEnds::Teleport,
            DeadEndsName::SelfLoops => DeadEnds::SelfLoops,
        }
    }
}

/// How ranks follow updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodName {
    /// From scratch.
    Static,
    /// All vertices, from the ranks before.
    Nd,
    /// What the changes reach.
    Dt,
    /// A frontier of what changes.
    Df,
    /// The same, with vertices at rest left out.
    Dfp,
}

fn not_negative(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number: &f64| *number >= 0.0 && number.is_finite());
    number.ok_or("give a number from 0")
}

fn positive(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && number.is_finite());
    number.ok_or("give a number above 0")
}

fn part(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number| (0.0..1.0).contains(number));
    number.ok_or("give a number from 0 to below 1")
}

impl PageRankArgs {
    fn method(&self) -> Method {
        let Self { frontier_tolerance, prune_tolerance, .. } = *self;
        match self.method {
            MethodName::Static => Method::Static,
            MethodName::Nd => Method::NaiveDynamic,
            MethodName::Dt => Method::DynamicTraversal,
            MethodName::Df => Method::DynamicFrontier { frontier_tolerance },
            MethodName::Dfp => {
                Method::DynamicFrontierPruning { frontier_tolerance, prune_tolerance }
            }
        }
    }

    fn options(&self) -> Options {
        let default_tolerance = match self.precision {
            Precision::F32 => 1e-6,
            Precision::F64 => 1e-12,
        };
        let stop = match self.iterations {
            Some(steps) => Stop::Steps(steps.get()),
            None => Stop::Change {
                tolerance: self.tolerance.unwrap_or(default_tolerance),
                norm: match self.norm {
                    NormName::L1 => Norm::L1,
                    NormName::Linf => Norm::LInfinity,
                },
                max_iterations: self.max_iterations.get(),
            },
        };
        Options { damping: self.damping, dead_ends: self.dead_ends.into(), stop }
    }
}

/// Ranks of type `R`.
struct Ranking<R> {
    options: Options,
    method: Method,
    rank: PhantomData<R>,
}

impl AlgorithmArgs for PageRankArgs {
    const ENTRY: &'static catalog::Algorithm = &catalog::PAGERANK;
    const RUN_HELP: &'static str = RUN_HELP;

    fn start<T: Task>(
        &self,
        input: &Input,
        weights: Option<Weights>,
        task: T,
    ) -> Result<T::Output, Failure> {
        self.start_dynamic(input, weights, FromScratch(task))
    }

    fn bench_static<L: Lists>(case: &StaticCase<'_>) -> Result<Vec<StaticRow>, Failure> {
        let graph = case.build::<L, ()>(Orientation::Both)?;
        let exact = bench_options(DeadEnds::Teleport);
        let loops = bench_options(DeadEnds::SelfLoops);
        // The tolerance is below what single precision resolves.
        let steps = Options { stop: Stop::Steps(20), ..exact };
        let is_end =
            |options| move |answers: &_, found: &_| is_fixed_point(found, answers, options);
        let is_there = |answers: &_, found: &_| {
            first_wrong::<f32>(found, &ranks_after(answers, &steps, 20), 0.0).is_none()
        };
        Ok(vec![
            time_ranks::<f64, _>(case, "f64", exact, &graph, is_end(&exact))?,
            time_ranks::<f64, _>(case, "f64, loops", loops, &graph, is_end(&loops))?,
            time_ranks::<f32, _>(case, "f32", steps, &graph, is_there)?,
        ])
    }
}

impl DynamicArgs for PageRankArgs {
    const STREAM_HELP: &'static str = STREAM_HELP;

    fn start_dynamic<T: DynamicTask>(
        &self,
        _: &Input,
        _: Option<Weights>,
        task: T,
    ) -> Result<T::Output, Failure> {
        let (options, method) = (self.options(), self.method());
        match self.precision {
            Precision::F32 => {
                task.perform(&Ranking::<f32> { options, method, rank: PhantomData }, |_| ())
            }
            Precision::F64 => {
                task.perform(&Ranking::<f64> { options, method, rank: PhantomData }, |_| ())
            }
        }
    }

    fn bench_dynamic<L: Lists>(case: &DynamicCase<'_>) -> Result<Vec<DynamicRow>, Failure> {
        let settings = case.ranks;
        let options = measured_options(&settings);
        let at_the_end = Stop::Steps(steps_to_the_end(options.damping));
        let from_scratch = match settings.reference {
            Reference::SameTolerance => options,
            Reference::FixedPoint => Options { stop: at_the_end, ..options },
        };
        let following = || {
            settings.methods.iter().map(|&method| PageRank::<f64>::new(options, method)).collect()
        };
        let from_scratch = PageRank::<f64>::new(from_scratch, Method::Static);
        let compare = |followed: &Ranks<f64>, scratch: &Ranks<f64>| {
            let error = rank_error(followed, scratch, settings.reference)?;
            Some(Compared { error, iterations: followed.iterations })
        };
        let rows = case.run::<L, _, _>(|_| (), following, from_scratch, compare)?;
        Ok(rows.into_iter().map(|row| row.of_ranks(settings.tolerance)).collect())
    }
}

/// PageRank as it is measured.
fn measured_options(settings: &RankSettings) -> Options {
    let &RankSettings { tolerance, norm, dead_ends, .. } = settings;
    let stop = Stop::Change { tolerance, norm, max_iterations: 1000 };
    Options { stop, dead_ends, ..Options::default() }
}

/// The same by default.
fn bench_options(dead_ends: DeadEnds) -> Options {
    measured_options(&RankSettings { dead_ends, ..RankSettings::DEFAULT })
}

fn time_ranks<R: Float, C: Container<Carried = ()>>(
    case: &StaticCase<'_>,
    variant: &'static str,
    options: Options,
    graph: &C,
    is_right: impl FnOnce(&Answers, &Ranks<R>) -> bool,
) -> Result<StaticRow, Failure> {
    let ranks = PageRank::<R>::new(options, Method::Static);
    let (row, found) = case.time_tracked(variant, ranks, graph, is_right)?;
    Ok(row.with_iterations(found.iterations))
}

impl<R: Float + fmt::Display> Algorithm<()> for Ranking<R> {
    type Answer = Ranks<R>;
    type Figures = PageRankFigures;

    fn orientation(&self, _: bool) -> Orientation {
        Orientation::Both
    }

    fn compute(&self, graph: &impl Container<Carried = ()>, _: bool) -> Result<Ranks<R>, Error> {
        pagerank::ranks(graph, &self.options)
    }

    fn compute_over_ranks<L: EdgeLists<Carried = ()>>(
        &self,
        part: &Part<'_, L>,
    ) -> Option<Result<Ranks<R>, Error>> {
        let algorithm = PageRank::<R>::new(self.options, Method::Static);
        Some(computed_over_ranks(&algorithm, part))
    }

    fn figures(&self, answer: &Ranks<R>, ids: &VertexIds) -> PageRankFigures {
        PageRankFigures::new(answer, ids)
    }

    fn write_vertex(
        &self,
        answer: &Ranks<R>,
        _: &VertexIds,
        vertex: u32,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        write!(to, "{}", answer.ranks[vertex as usize])
    }

    fn verify(&self, answer: &Ranks<R>, input: &Input, _: &dyn Fn(usize)) -> Result<(), String> {
        let damping = self.options.damping;
        let (expected, left) = match self.options.dead_ends {
            DeadEnds::Teleport => {
                (power_iteration(&input.graph, &self.options, answer.iterations), 0.0)
            }
            // What a loop brings back is computed at once, so steps differ, and the end does not.
            DeadEnds::SelfLoops => {
                let at_the_end = steps_to_the_end(damping);
                (power_iteration(&input.graph, &self.options, at_the_end), left_by(answer, damping))
            }
        };
        match first_wrong(answer, &expected, left) {
            None => Ok(()),
            Some(vertex) => {
                let (id, at) = (input.id(vertex), vertex as usize);
                let found = answer.ranks.get(at).map_or(f64::NAN, |rank| rank.to_f64());
                let expected = expected.get(at).copied().unwrap_or(f64::NAN);
                Err(format!("vertex {id} has the rank {found:e}, expected {expected:e}"))
            }
        }
    }
}

impl<R: Float + fmt::Display> TrackedAlgorithm<()> for Ranking<R> {
    type Tracked = PageRank<R>;

    fn tracked(&self) -> PageRank<R> {
        PageRank::new(self.options, self.method)
    }

    fn track_over_ranks<L: EdgeLists<Carried = ()> + 'static>(
        &self,
        graph: DistributedGraph<L>,
    ) -> Option<RankFollowing<(), Self::Answer>> {
        Some(follower(graph, self.tracked()))
    }
}
