//! Single-source shortest paths for the command.

use std::fmt;
use std::io::{self, Write};

use meerkat::algos::catalog;
use meerkat::algos::sssp::{self, PathWeight, ShortestPaths, Sssp};
use meerkat::runtime::distributed::{DistributedGraph, Part};
use meerkat::runtime::read::VertexIds;
use meerkat::runtime::{Container, EdgeLists, Error, Orientation};
use serde::Serialize;

use super::search::{Search, SearchArgs, check_parents, write_parent};
use super::{
    Algorithm, AlgorithmArgs, Answers, Brief, DynamicArgs, DynamicTask, Figures, FromScratch,
    RankFollowing, Task, TrackedAlgorithm, compare, computed_over_ranks, follower, plain,
};
use crate::cli::bench::{DynamicCase, DynamicRow, StaticCase, StaticRow, length};
use crate::cli::container::Lists;
use crate::cli::failure::Failure;
use crate::cli::input::{Input, VertexId, Weights, WeightsArgs};
use crate::cli::output::{grouped, percent};

const RUN_HELP: &str = "\
Examples:
  # From the smallest id that has an out-edge, with the file's weights
  meerkat run sssp --graph tests/graphs/rome99.gr.gz

  # A graph without weights: 1 + (31 u + 17 v) mod 64 for the arc u -> v
  meerkat run sssp --graph friends.txt --weights synthetic --source max-degree --json

  # Ratings from -10 to 10 as weights from 1 to 21
  meerkat run sssp --graph soc-sign-bitcoinalpha.csv.gz --weights native --shift-weights 11

--weights native takes the file's weights: they must not be negative, and are 32-bit
integers if all of them are integers, else 32-bit floats. `synthetic` computes them
from the file's ids in 64 bits, `unit` is 1 everywhere. Without the option they are
the file's, or 1 where it has none. --duplicates says which of several records of one
arc gives its weight: the smallest, or the last of the file.

Zero weights are allowed. Sums saturate at 4294967294 (or at the largest float).

--output FILE writes `id distance`, the format of LDBC's SSSP outputs, where an unreached
vertex has `infinity`. With --tree a third column is the parent's id: the source's parent is
the source, an unreached vertex has -1.

The result in JSON: source, reached, sum, max; sum and max are of the distances of reached
vertices.";

const STREAM_HELP: &str = "\
Examples:
  # The last thirty days, deleting what expires; how much faster than from scratch?
  meerkat stream sssp --graph email-Eu-core-temporal.txt.gz --weights synthetic \\
      --window 30d --batch-size 1000 --compare-static

The weight of an arc is chosen among its records that are present. --weights and its
companions are as in `meerkat run sssp`.";

/// What the user says of a search.
#[derive(Debug, clap::Args)]
pub(super) struct SsspArgs {
    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    weights: WeightsArgs,
}

impl AlgorithmArgs for SsspArgs {
    const ENTRY: &'static catalog::Algorithm = &catalog::SSSP;
    const RUN_HELP: &'static str = RUN_HELP;

    fn weights(&self) -> Option<&WeightsArgs> {
        Some(&self.weights)
    }

    fn start<T: Task>(
        &self,
        input: &Input,
        weights: Option<Weights>,
        task: T,
    ) -> Result<T::Output, Failure> {
        self.start_dynamic(input, weights, FromScratch(task))
    }

    fn bench_static<L: Lists>(case: &StaticCase<'_>) -> Result<Vec<StaticRow>, Failure> {
        // In-edges only help to follow deletions.
        let graph = case.build::<L, u32>(Orientation::Out)?;
        let source = case.source(&graph)?;
        let is_right = |answers: &Answers, found: &[u32]| {
            let expected = answers.to(format!("distances from {source}"), |graph| {
                let arc = |at: usize| (graph.sources[at], graph.destinations[at]);
                let further = |distance, at| u32::further(distance, length(arc(at)));
                let found = plain::distances(graph, source, u32::OF_SOURCE, further).into_iter();
                found.map(|found| found.map_or(Distance::Infinite, u32::shown)).collect::<Vec<_>>()
            });
            found.iter().map(|&found| shown::<u32>(found)).eq(expected.iter().copied())
        };
        case.check(|answers| Ok(is_right(answers, &sssp::distances(&graph, source)?)))?;
        let distances =
            case.time("distances", || sssp::distances_on_device(&graph, source).map(drop))?;
        let search = Sssp::from_source(source);
        let (tree, _) = case.time_tracked("tree", search, &graph, |answers, paths| {
            is_right(answers, &paths.distances)
        })?;
        Ok(vec![distances, tree])
    }
}

impl DynamicArgs for SsspArgs {
    const STREAM_HELP: &'static str = STREAM_HELP;

    fn start_dynamic<T: DynamicTask>(
        &self,
        input: &Input,
        weights: Option<Weights>,
        task: T,
    ) -> Result<T::Output, Failure> {
        let search = self.search.search(input)?;
        match weights {
            Some(Weights::Floats(weights)) => task.perform::<f32, _>(&search, |at| weights[at]),
            Some(Weights::Integers(weights)) => task.perform::<u32, _>(&search, |at| weights[at]),
            Some(Weights::Unit) | None => task.perform::<u32, _>(&search, |_| 1),
        }
    }

    fn bench_dynamic<L: Lists>(case: &DynamicCase<'_>) -> Result<Vec<DynamicRow>, Failure> {
        let source = case.workload.hub();
        case.run_exact::<L, _, _>(
            length,
            || Sssp::from_source(source),
            |a, b| a.distances == b.distances,
        )
    }
}

/// A weight of the command: how its distances are added up and shown.
trait CommandWeight: PathWeight {
    /// The distance of the source.
    const OF_SOURCE: Self::Distance;
    /// The distance after an arc of this weight.
    fn further(distance: Self::Distance, weight: Self) -> Self::Distance;
    /// A distance that is reached.
    fn shown(distance: Self::Distance) -> Distance;
}

impl CommandWeight for u32 {
    const OF_SOURCE: u32 = 0;
    fn further(distance: u32, weight: u32) -> u32 {
        distance.saturating_add(weight).min(u32::MAX - 1)
    }
    fn shown(distance: u32) -> Distance {
        Distance::Integer(distance)
    }
}

impl CommandWeight for f32 {
    const OF_SOURCE: f32 = 0.0;
    fn further(distance: f32, weight: f32) -> f32 {
        (distance + weight).min(f32::MAX)
    }
    fn shown(distance: f32) -> Distance {
        Distance::Real(distance)
    }
}

fn shown<W: CommandWeight>(distance: W::Distance) -> Distance {
    if distance == W::UNREACHED { Distance::Infinite } else { W::shown(distance) }
}

impl<W: CommandWeight> Algorithm<W> for Search {
    type Answer = ShortestPaths<W::Distance>;
    type Figures = SsspFigures;

    fn orientation(&self, deletes: bool) -> Orientation {
        Search::orientation(deletes)
    }

    fn compute(&self, graph: &impl Container<Carried = W>, _: bool) -> Result<Self::Answer, Error> {
        match self.tree {
            true => sssp::tree(graph, self.source),
            false => Ok(ShortestPaths {
                distances: sssp::distances(graph, self.source)?,
                parents: Vec::new(),
            }),
        }
    }

    fn compute_over_ranks<L: EdgeLists<Carried = W>>(
        &self,
        part: &Part<'_, L>,
    ) -> Option<Result<Self::Answer, Error>> {
        Some(computed_over_ranks(&Sssp::from_source(self.source), part))
    }

    fn figures(&self, answer: &Self::Answer, ids: &VertexIds) -> SsspFigures {
        let distances = answer.distances.iter().map(|&distance| shown::<W>(distance));
        SsspFigures::new(VertexId::of(ids, self.source).into_owned(), distances)
    }

    fn write_vertex(
        &self,
        answer: &Self::Answer,
        ids: &VertexIds,
        vertex: u32,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        write!(to, "{}", shown::<W>(answer.distances[vertex as usize]))?;
        if self.tree { write_parent(answer.parents[vertex as usize], ids, to) } else { Ok(()) }
    }

    fn verify(
        &self,
        answer: &Self::Answer,
        input: &Input,
        weight: &dyn Fn(usize) -> W,
    ) -> Result<(), String> {
        let further = |distance, arc| W::further(distance, weight(arc));
        let expected = plain::distances(&input.graph, self.source, W::OF_SOURCE, further);
        let expected = expected.into_iter().map(|found| found.map_or(Distance::Infinite, W::shown));
        let found = answer.distances.iter().map(|&distance| shown::<W>(distance));
        compare("distance", input, found, expected)?;
        let distance = |vertex: u32| answer.distances[vertex as usize];
        match self.tree {
            false => Ok(()),
            true => check_parents(input, self.source, &answer.parents, |parent, child, arc| {
                further(distance(parent), arc) == distance(child)
            }),
        }
    }
}

impl<W: CommandWeight> TrackedAlgorithm<W> for Search {
    type Tracked = Sssp;

    fn tracked(&self) -> Sssp {
        Sssp::from_source(self.source)
    }

    fn track_over_ranks<L: EdgeLists<Carried = W> + 'static>(
        &self,
        graph: DistributedGraph<L>,
    ) -> Option<RankFollowing<W, Self::Answer>> {
        Some(follower(graph, Sssp::from_source(self.source)))
    }
}

/// A distance of either kind.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Distance {
    Integer(u32),
    Real(f32),
    Infinite,
}

/// As in LDBC's outputs.
impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(distance) => distance.fmt(f),
            Self::Real(distance) => distance.fmt(f),
            Self::Infinite => f.write_str("infinity"),
        }
    }
}

/// A number of the report.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Figure {
    Integer(u64),
    Real(f64),
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(figure) => f.write_str(&grouped(*figure)),
            Self::Real(figure) => figure.fmt(f),
        }
    }
}

/// The answer in figures.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct SsspFigures {
    /// Id of the file.
    source: VertexId<'static>,
    /// Vertices reached, the source included.
    reached: u64,
    /// Of all distances of reached vertices.
    sum: Figure,
    /// The largest of them.
    max: Figure,
}

impl SsspFigures {
    /// The figures of distances from the vertex of id `source`.
    fn new(source: VertexId<'static>, distances: impl Iterator<Item = Distance>) -> Self {
        let (mut integers, mut real) = (Vec::new(), Vec::new());
        for distance in distances {
            match distance {
                Distance::Integer(distance) => integers.push(u64::from(distance)),
                Distance::Real(distance) => real.push(decimal(distance)),
                Distance::Infinite => {}
            }
        }
        let reached = (integers.len() + real.len()) as u64;
        let (sum, max) = if real.is_empty() {
            let max = integers.iter().copied().max().unwrap_or(0);
            (Figure::Integer(integers.iter().sum()), Figure::Integer(max))
        } else {
            let max = real.iter().copied().fold(0.0, f64::max);
            (Figure::Real(real.iter().sum()), Figure::Real(max))
        };
        Self { source, reached, sum, max }
    }
}

/// The shortest decimal number that means this float, which is what a file of
/// decimal numbers meant.
fn decimal(distance: f32) -> f64 {
    distance.to_string().parse().unwrap_or_else(|_| distance.into())
}

impl Figures for SsspFigures {
    fn question(&self) -> String {
        format!(" from vertex {}", self.source)
    }

    fn answer(&self, n: u32) -> String {
        let (reached, part) = (grouped(self.reached), percent(self.reached, n.into()));
        let sum = match self.sum {
            Figure::Integer(sum) => sum as f64,
            Figure::Real(sum) => sum,
        };
        let mean = sum / self.reached.max(1) as f64;
        format!(
            "reached  {reached} vertices, {part} of all\n\
             distance {} at most, {mean:.2} on average\n",
            self.max
        )
    }
}

impl Brief for SsspFigures {
    fn brief(&self) -> String {
        format!("{} reached to distance {}", grouped(self.reached), self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_count_reached_vertices_only_and_may_pass_32_bits() {
        let distances = [Distance::Integer(u32::MAX - 1), Distance::Infinite, Distance::Integer(7)];
        let expected = SsspFigures {
            source: VertexId::Number(3),
            reached: 2,
            sum: Figure::Integer(u64::from(u32::MAX) + 6),
            max: Figure::Integer(u64::from(u32::MAX) - 1),
        };
        assert_eq!(SsspFigures::new(VertexId::Number(3), distances.into_iter()), expected);
    }

    #[test]
    fn floats_are_summed_as_the_decimal_numbers_they_stand_for() {
        let distances = [Distance::Real(0.1), Distance::Real(0.2), Distance::Infinite];
        let found = SsspFigures::new(VertexId::Number(1), distances.into_iter());
        assert_eq!((found.sum, found.max), (Figure::Real(0.1 + 0.2), Figure::Real(0.2)));
    }
}
