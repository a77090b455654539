//! `meerkat run sssp`: file -> simple graph -> weights -> slab graph ->
//! distances -> report.

use std::fmt;

use meerkat::algos::sssp::{self, PathWeight, ShortestPaths};
use meerkat::runtime::{Device, Edge, Error, SlabGraph, SlabOptions};
use serde::Serialize;

use super::device;
use super::failure::Failure;
use super::input::Input;
use super::output;
use super::plan::{SearchPlan, SearchVariant, SsspPlan};
use super::progress::Progress;
use super::report::{GraphFigures, Report, Summary, Timings, grouped, reached_line};
use super::source;
use super::timing::{Span, timed};
use super::vertex_file::VertexFile;
use super::weights::{self, WeightedEdges, weighted};

/// Runs the search and gives its report.
pub(super) fn run(plan: &SsspPlan) -> Result<String, Failure> {
    let SsspPlan { search: SearchPlan { run, source, variant }, weights } = plan;
    let device = device::open(run.device)?;
    let progress = Progress::reading();
    let input = Input::read_with(&run.graph, Some(weights.duplicates), &device, &progress)?;
    let source = source::find(*source, &input)?;
    let edges = weighted(&input, *weights)?;
    let vertex_file = VertexFile::of(run)?;

    let search = Search { device: &device, n: input.graph.n, source, variant: *variant };
    let found = match &edges {
        WeightedEdges::Integers(edges) => search.run(edges, &progress)?,
        WeightedEdges::Floats(edges) => search.run(edges, &progress)?,
    };
    if let Some(file) = vertex_file {
        file.write(&input.ids, &found.distances, found.parents.as_deref())?;
    }
    drop(progress);
    let (source_of_weights, note) = weights::origin(&input, *weights);
    let report = Report {
        algorithm: "sssp",
        device: device.name(),
        device_description: device.description(),
        graph: GraphFigures::of(&input.graph),
        result: SsspResult::new(input.ids.id_of(source), &found.distances),
        timings_ms: Timings {
            read: input.read_ms,
            build: found.build.work_ms,
            compile: found.build.compile_ms + found.search.compile_ms,
            run: found.search.work_ms,
        },
        input: input.report.with_weights(source_of_weights, note),
    };
    Ok(output::render(&report, run.format))
}

struct Search<'a> {
    device: &'a Device,
    n: u32,
    source: u32,
    variant: SearchVariant,
}

/// What a search gives.
struct Found {
    distances: Vec<Distance>,
    parents: Option<Vec<u32>>,
    build: Span,
    search: Span,
}

impl Search<'_> {
    fn run<W: PathWeight>(&self, edges: &[Edge<W>], progress: &Progress) -> Result<Found, Error>
    where
        Distance: From<Option<W::Distance>>,
    {
        progress.work("building the graph");
        let (graph, build) = timed(self.device, || {
            SlabGraph::from_edges(self.device, self.n, edges, &SlabOptions::default())
        })?;
        progress.work("searching");
        let ((distances, parents), search) = timed(self.device, || match self.variant {
            SearchVariant::Plain => Ok((sssp::distances(&graph, self.source)?, None)),
            SearchVariant::Tree => {
                let tree = sssp::tree(&graph, self.source)?;
                Ok((tree.distances, Some(tree.parents)))
            }
        })?;
        let distances = distances.into_iter().map(distance_of::<W>).collect();
        Ok(Found { distances, parents, build, search })
    }
}

fn distance_of<W: PathWeight>(distance: W::Distance) -> Distance
where
    Distance: From<Option<W::Distance>>,
{
    (distance != W::UNREACHED).then_some(distance).into()
}

/// The distances of paths.
pub(super) fn distances_of<W: PathWeight>(paths: &ShortestPaths<W::Distance>) -> Vec<Distance>
where
    Distance: From<Option<W::Distance>>,
{
    paths.distances.iter().map(|&distance| distance_of::<W>(distance)).collect()
}

/// A distance of either kind.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) enum Distance {
    Integer(u32),
    Real(f32),
    Infinite,
}

impl From<Option<u32>> for Distance {
    fn from(distance: Option<u32>) -> Self {
        distance.map_or(Self::Infinite, Self::Integer)
    }
}

impl From<Option<f32>> for Distance {
    fn from(distance: Option<f32>) -> Self {
        distance.map_or(Self::Infinite, Self::Real)
    }
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
pub(super) enum Figure {
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
pub(super) struct SsspResult {
    /// Id of the file.
    source: u64,
    /// Vertices reached, the source included.
    reached: u64,
    /// Of all distances of reached vertices.
    sum: Figure,
    /// The largest of them.
    max: Figure,
}

impl SsspResult {
    /// The figures of distances from the vertex of id `source`.
    pub(super) fn new(source: u64, distances: &[Distance]) -> Self {
        let (mut integers, mut real) = (Vec::new(), Vec::new());
        for distance in distances {
            match *distance {
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

impl Summary for SsspResult {
    fn question(&self) -> String {
        format!(" from vertex {}", self.source)
    }

    fn answer(&self, n: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        reached_line(f, self.reached, n)?;
        let sum = match self.sum {
            Figure::Integer(sum) => sum as f64,
            Figure::Real(sum) => sum,
        };
        let mean = sum / self.reached.max(1) as f64;
        writeln!(f, "distance {} at most, {mean:.2} on average", self.max)
    }

    fn in_brief(&self) -> String {
        format!("{} reached to distance {}", grouped(self.reached), self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_count_reached_vertices_only_and_may_pass_32_bits() {
        let distances = [Distance::Integer(u32::MAX - 1), Distance::Infinite, Distance::Integer(7)];
        let expected = SsspResult {
            source: 3,
            reached: 2,
            sum: Figure::Integer(u64::from(u32::MAX) + 6),
            max: Figure::Integer(u64::from(u32::MAX) - 1),
        };
        assert_eq!(SsspResult::new(3, &distances), expected);
    }

    #[test]
    fn floats_are_summed_as_the_decimal_numbers_they_stand_for() {
        let distances = [Distance::Real(0.1), Distance::Real(0.2), Distance::Infinite];
        let found = SsspResult::new(1, &distances);
        assert_eq!((found.sum, found.max), (Figure::Real(0.1 + 0.2), Figure::Real(0.2)));
    }
}
