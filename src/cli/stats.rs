//! `meerkat stats`: what kind of graph a file holds.

use std::path::PathBuf;

use meerkat::algos::wcc;
use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::SimpleGraph;
use meerkat::runtime::{SlabGraph, SlabOptions};
use serde::Serialize;

use super::args::{ExecutionArgs, FILES_HELP};
use super::failure::Failure;
use super::input::{DirectionArgs, GraphArgs, Input, Keep, ReadArgs};
use super::output::{self, GraphFigures, Report, counted, grouped, percent};
use super::progress::Progress;

const HELP: &str = "\
Examples:
  meerkat stats tests/graphs/rome99.gr.gz
  meerkat stats friends.csv --undirected --json

Degrees, density and components are those of the simple graph: loops dropped, repeats merged.
The density is the part of all possible arcs that are there. Components are weakly connected.
The result in JSON: density, loops, duplicates, out_degree and in_degree {min, mean, median,
max, zero, histogram}, isolated, components {count, largest}; histogram[0] counts degree 0, and
histogram[k] the degrees from 2^(k-1) to below 2^k.";

/// What the user says of the file.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{HELP}\n\n{FILES_HELP}"))]
pub(super) struct StatsArgs {
    /// Graph file to read; `-` is the standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    direction: DirectionArgs,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    execution: ExecutionArgs,
}

/// The figures of a graph.
#[derive(Debug, Serialize)]
struct Stats {
    density: f64,
    loops: u64,
    duplicates: u64,
    out_degree: Degrees,
    /// Of an undirected graph they are the out-degrees.
    in_degree: Degrees,
    /// Vertices without arcs.
    isolated: u64,
    components: Components,
}

#[derive(Debug, Serialize)]
struct Components {
    count: u32,
    largest: u32,
}

/// The degrees of all vertices.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Degrees {
    min: u32,
    mean: f64,
    median: u32,
    max: u32,
    /// Vertices of degree 0.
    zero: u64,
    /// Vertices by the bits of their degrees.
    histogram: Vec<u64>,
}

/// Reads the file and gives its figures.
pub(super) fn run(args: &StatsArgs) -> Result<String, Failure> {
    let device = args.execution.open()?;
    let progress = Progress::reading();
    let (file, direction, read) = (args.file.clone(), args.direction, args.read.clone());
    let graph = GraphArgs { file, direction, read };
    let options = graph.read.without_times();
    let input = Input::read(&graph, &options, None, Keep::Graph, &device, &progress)?;
    progress.work("finding components");
    let slab_graph = SlabGraph::from_edges(
        &device,
        input.graph.n,
        &input.edges(|_| ()),
        &SlabOptions::DEFAULT.undirected(),
    )?;
    let wcc::Summary { count, largest } = wcc::summary(&wcc::labels(&slab_graph)?);
    drop(slab_graph);
    drop(progress);
    let stats = Stats::new(&input, Components { count, largest });
    let text = format!("{}{}", input.report, stats.text(&input));
    let report = Report {
        graph: Some(GraphFigures::of(&input.graph)),
        input: Some(input.report),
        ..Report::new("stats", stats).on(&device)
    };
    Ok(output::render(&report, &text, args.execution.format()))
}

impl Stats {
    fn new(input: &Input, components: Components) -> Self {
        let graph = &input.graph;
        let (outgoing, incoming) = (graph.out_degrees(), in_degrees(graph));
        let isolated = outgoing.iter().zip(&incoming).filter(|(out, into)| **out + **into == 0);
        let possible = f64::from(graph.n) * f64::from(graph.n.saturating_sub(1));
        Self {
            density: graph.m_arcs() as f64 / possible.max(1.0),
            loops: input.report.loops(),
            duplicates: input.report.duplicates(),
            isolated: isolated.count() as u64,
            out_degree: Degrees::of(outgoing),
            in_degree: Degrees::of(incoming),
            components,
        }
    }

    fn text(&self, input: &Input) -> String {
        let Self { density, out_degree, in_degree, isolated, components, .. } = self;
        let Components { count, largest } = components;
        let n = input.graph.n;
        let mut text = format!("density  {density:.3e}\n");
        match input.direction {
            Direction::Directed => {
                text += &format!("degree   out {}\n", out_degree.text());
                text += &format!("         in  {}\n", in_degree.text());
            }
            Direction::Undirected => text += &format!("degree   {}\n", out_degree.text()),
        }
        text += &format!("isolated {}\n", counted(*isolated, "vertices"));
        let part = percent((*largest).into(), n.into());
        let (count, largest) = (grouped(*count), grouped(*largest));
        text += &format!("weakly connected components {count}, the largest of {largest}: {part}\n");
        text += &format!("\n{:>11}  {:>11}\n", "out-degree", "vertices");
        for (bits, &vertices) in out_degree.histogram.iter().enumerate() {
            text += &format!("{:>11}  {:>11}\n", range(bits), grouped(vertices));
        }
        text
    }
}

/// The degrees with this number of bits.
fn range(bits: usize) -> String {
    match bits {
        0 | 1 => bits.to_string(),
        bits => format!("{}-{}", 1u64 << (bits - 1), (1u64 << bits) - 1),
    }
}

impl Degrees {
    fn of(mut degrees: Vec<u32>) -> Self {
        degrees.sort_unstable();
        let sum: u64 = degrees.iter().copied().map(u64::from).sum();
        let mut histogram = Vec::new();
        for &degree in &degrees {
            let bits = (u32::BITS - degree.leading_zeros()) as usize;
            if histogram.len() <= bits {
                histogram.resize(bits + 1, 0);
            }
            histogram[bits] += 1;
        }
        Self {
            min: degrees.first().copied().unwrap_or(0),
            mean: sum as f64 / degrees.len().max(1) as f64,
            median: degrees.get(degrees.len().saturating_sub(1) / 2).copied().unwrap_or(0),
            max: degrees.last().copied().unwrap_or(0),
            zero: histogram.first().copied().unwrap_or(0),
            histogram,
        }
    }

    fn text(&self) -> String {
        let Self { min, mean, median, max, .. } = self;
        let [min, median, max] = [min, median, max].map(|degree| grouped(*degree));
        format!("{min} to {max}, {mean:.2} on average, median {median}")
    }
}

fn in_degrees(graph: &SimpleGraph) -> Vec<u32> {
    let mut degrees = vec![0; graph.n as usize];
    graph.destinations.iter().for_each(|&target| degrees[target as usize] += 1);
    degrees
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_counted_by_their_bits() {
        let degrees = Degrees::of(vec![4, 0, 1, 3, 2, 7]);
        assert_eq!((degrees.min, degrees.median, degrees.max, degrees.zero), (0, 2, 7, 1));
        assert_eq!(degrees.histogram, [1, 1, 2, 2]);
        assert_eq!((range(0), range(1), range(3)), ("0".into(), "1".into(), "4-7".into()));
        assert_eq!(Degrees::of(Vec::new()).max, 0);
    }
}
