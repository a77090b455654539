//! Edges deleted a second until the maximal k-truss is left.
//!
//! `truss::trussness` finds at which `k` each edge goes, in a copy of the graph. Then the edges of
//! each `k` below the largest are deleted from the container, a batch a `k`. The rate is of these
//! edges over both times.

use meerkat::algos::truss;
use meerkat::runtime::graph::Direction;
use meerkat::runtime::{DeviceBuffer, Edge, Error};

use crate::cli::bench::edges::{EdgeSample, Layout};
use crate::cli::bench::paper::experiment::Value;
use crate::cli::bench::paper::graphs::Dataset;
use crate::cli::bench::paper::lab::Lab;
use crate::cli::container::{Blocks, Compact, DynamicContainer, Graph, Lists, Slabs};
use crate::cli::failure::Failure;
use crate::cli::timing::median;

type List = DeviceBuffer<Edge>;

/// Millions of edges a second in each container.
pub(in crate::cli::bench::paper) fn rates(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
) -> Result<Vec<Value>, Failure> {
    let mut found = Vec::new();
    for container in [DynamicContainer::Blocks, DynamicContainer::Compact, DynamicContainer::Slabs]
    {
        // Compares the trussness of all edges with that of plain code.
        let rows = lab.compute(dataset, "ktruss", (container, Layout::DEFAULT.load_factor))?;
        let trussness = rows.iter().find(|row| row.variant == "all");
        let trussness_ms = trussness.and_then(|row| row.median_ms).unwrap_or(f64::NAN);
        let graph = lab.edges(dataset)?;
        let (deleted, delete_ms) = match container {
            DynamicContainer::Blocks => deletions::<Blocks>(lab, &graph, container)?,
            DynamicContainer::Compact => deletions::<Compact>(lab, &graph, container)?,
            DynamicContainer::Slabs => deletions::<Slabs>(lab, &graph, container)?,
        };
        let rate = deleted as f64 / (trussness_ms + delete_ms) / 1e3;
        found.push(Value::new(container.name(), rate));
    }
    Ok(found)
}

/// How many edges go, and the milliseconds of their deletions.
fn deletions<L: Lists>(
    lab: &Lab<'_>,
    graph: &EdgeSample<()>,
    container: DynamicContainer,
) -> Result<(u64, f64), Failure> {
    let build = || graph.build::<L>(Layout::DEFAULT, Direction::Undirected, lab.device);
    let (going, left) = parts::<L>(&build()?)?;
    let mut times = Vec::new();
    for round in 0..=lab.rounds() {
        let mut graph = build()?;
        let ms =
            lab.device.measure(|| going.iter().try_for_each(|part| graph.delete_buffer(part)))?;
        if graph.edge_count()? != 2 * left + loops::<L>(&graph)? {
            let difference = "what is left is not the maximal truss";
            return Err(Failure::EdgesAreWrong { container: container.name(), difference });
        }
        if round > 0 {
            times.push(ms);
        }
    }
    Ok((going.iter().map(|part| part.len() as u64).sum(), median(&times)))
}

/// The edges that go, of each `k` below the largest, and how many are left.
fn parts<L: Lists>(graph: &Graph<L, ()>) -> Result<(Vec<List>, u64), Error> {
    let mut edges = truss::trussness_on_device(graph)?.to_vec()?;
    edges.sort_unstable_by_key(|edge| edge.weight);
    let most = edges.last().map_or(0, |edge| edge.weight);
    let left = edges.iter().filter(|edge| edge.weight == most).count() as u64;
    let going = edges.chunk_by(|one, other| one.weight == other.weight);
    let going = going.filter(|part| part[0].weight < most).map(|part| {
        let ends = part.iter().map(|&Edge { src, dst, .. }| Edge { src, dst, weight: () });
        DeviceBuffer::from_slice(graph.device(), &ends.collect::<Vec<_>>())
    });
    Ok((going.collect::<Result<_, _>>()?, left))
}

/// Self-loops are in no truss, and stay.
fn loops<L: Lists>(graph: &Graph<L, ()>) -> Result<u64, Error> {
    Ok(graph.to_edges()?.iter().filter(|edge| edge.src == edge.dst).count() as u64)
}
