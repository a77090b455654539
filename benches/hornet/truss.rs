//! Figure 9: edges deleted a second until the maximal k-truss is left.
//!
//! The graph is symmetrised. `truss::trussness` finds out at which `k` each edge goes, round after
//! round, with the triangles that the others then lose: it works on a copy of its own in compact
//! slabs. Then the edges of each `k` below the largest are deleted from the container, a batch a
//! `k`, and the maximal truss is left in it. The rate is of these edges over both times; making
//! lists of the edges of each `k`, on the host, is not timed; compactions that deletions bring about
//! are. The paper deletes from the one graph in which it counts.

use std::error::Error;

use meerkat_algos::truss;
use meerkat_benches::{median, median_ms};
use meerkat_runtime::graph::Adjacency;
use meerkat_runtime::prelude::*;
use meerkat_runtime::{BlockEdges, CompactEdges, Error as MeerkatError};
use serde::Serialize;

use crate::{Bench, Line, if_it_fits};

type List = DeviceBuffer<Edge>;

/// A container, and its rate in millions of edges a second.
#[derive(Serialize)]
struct Row {
    container: &'static str,
    /// None if the graph does not fit.
    found: Option<Found>,
}

#[derive(Serialize)]
struct Found {
    /// The largest `k` whose truss has an edge, and its edges.
    k: u32,
    left: u64,
    deleted: u64,
    /// How many batches these came in.
    batches: usize,
    trussness_ms: f64,
    delete_ms: f64,
    rate: f64,
}

/// The edges of a graph by their trussness, each once.
struct Parts {
    k: u32,
    /// Those that go, of each `k` below.
    going: Vec<List>,
    /// The maximal truss.
    left: List,
}

pub(crate) fn measure(bench: &mut Bench) -> Result<(), Box<dyn Error>> {
    let columns =
        "container       k       left    deleted batches trussness ms  delete ms  M edges/s";
    bench.head(9, "the maximal k-truss", "48 M updates/s at peak", columns)?;
    let edges = bench.edges()?;
    let Some(graph) = if_it_fits(built::<CompactEdges>(bench, &edges))? else {
        return Err("the graph does not fit".into());
    };
    let parts = Parts::of(&graph)?;
    drop(graph);
    let blocks = of_container::<BlockEdges>(bench, "blocks", &edges, &parts)?;
    bench.line(9, &blocks)?;
    let compact = of_container::<CompactEdges>(bench, "compact", &edges, &parts)?;
    bench.line(9, &compact)?;
    let slabs = of_container::<Adjacency>(bench, "slabs", &edges, &parts)?;
    bench.line(9, &slabs)
}

/// What a container takes; that it does not fit is an answer.
fn of_container<L: EdgeLists<Carried = ()>>(
    bench: &Bench,
    container: &'static str,
    edges: &List,
    parts: &Parts,
) -> Result<Row, Box<dyn Error>> {
    let Some(graph) = if_it_fits(built::<L>(bench, edges))? else {
        return Ok(Row { container, found: None });
    };
    let (device, runs) = (&bench.device, bench.args.runs);
    let trussness_ms = median_ms(device, runs, || truss::trussness_on_device(&graph).map(drop))?;
    drop(graph);
    let mut times = Vec::new();
    for _ in 0..=runs {
        let mut graph = built::<L>(bench, edges)?;
        times.push(delete(&mut graph, parts)?);
        check(&graph, parts)?;
    }
    let found = parts.found(trussness_ms, median(&times));
    Ok(Row { container, found: Some(found) })
}

fn built<L: EdgeLists<Carried = ()>>(
    bench: &Bench,
    edges: &List,
) -> Result<DynamicGraph<L>, MeerkatError> {
    let (options, n) = (SlabOptions::DEFAULT.undirected(), bench.args.graph.vertices());
    DynamicGraph::from_buffers(&bench.device, n, &[edges], &options)
}

impl Parts {
    fn of<C: Container>(graph: &C) -> Result<Self, MeerkatError> {
        let mut edges = truss::trussness_on_device(graph)?.to_vec()?;
        edges.sort_unstable_by_key(|edge| edge.weight);
        let list = |part: &[Edge<u32>]| {
            let ends: Vec<Edge> =
                part.iter().map(|&Edge { src, dst, .. }| Edge { src, dst, weight: () }).collect();
            DeviceBuffer::from_slice(graph.device(), &ends)
        };
        let parts = edges.chunk_by(|one, other| one.weight == other.weight).map(list);
        let mut going = parts.collect::<Result<Vec<_>, _>>()?;
        let left = going.pop().map_or_else(|| list(&[]), Ok)?;
        Ok(Parts { k: edges.last().map_or(0, |edge| edge.weight), going, left })
    }

    /// What a container's times come to.
    fn found(&self, trussness_ms: f64, delete_ms: f64) -> Found {
        let deleted = self.going.iter().map(|part| part.len() as u64).sum();
        Found {
            k: self.k,
            left: self.left.len() as u64,
            deleted,
            batches: self.going.len(),
            trussness_ms,
            delete_ms,
            rate: deleted as f64 / (trussness_ms + delete_ms) / 1e3,
        }
    }
}

/// Deletes all but the maximal truss, and returns the milliseconds of it.
fn delete<L: EdgeLists<Carried = ()>>(
    graph: &mut DynamicGraph<L>,
    parts: &Parts,
) -> Result<f64, MeerkatError> {
    let device = graph.device().clone();
    device.measure(|| parts.going.iter().try_for_each(|part| graph.delete_buffer(part)))
}

/// The truss is left, and nothing else but loops.
fn check<L: EdgeLists<Carried = ()>>(
    graph: &DynamicGraph<L>,
    parts: &Parts,
) -> Result<(), Box<dyn Error>> {
    let is_loop = |edge: &&Edge| edge.src == edge.dst;
    let loops = graph.to_edges()?.iter().filter(is_loop).count() as u64;
    let mut is_right = graph.edge_count()? == 2 * parts.left.len() as u64 + loops
        && are_all(graph, &parts.left, 1)?;
    for part in &parts.going {
        is_right = is_right && are_all(graph, part, 0)?;
    }
    match is_right {
        true => Ok(()),
        false => Err("what is left is not the maximal truss".into()),
    }
}

/// Whether all edges of a list are in the graph, or none is.
fn are_all<L: EdgeLists<Carried = ()>>(
    graph: &DynamicGraph<L>,
    edges: &List,
    wanted: u32,
) -> Result<bool, MeerkatError> {
    let found = DeviceBuffer::<Atomic<u32>>::zeroed(edges.device(), edges.len())?;
    graph.queue_searches(edges, &found)?;
    Ok(found.to_vec()?.iter().all(|&found| found == wanted))
}

impl Line for Row {
    fn text(&self) -> String {
        let Row { container, found } = self;
        let Some(found) = found else { return format!("{container:<9} does not fit") };
        let Found { k, left, deleted, batches, trussness_ms, delete_ms, rate } = found;
        format!(
            "{container:<9} {k:>7} {left:>10} {deleted:>10} {batches:>7} {trussness_ms:>12.2} \
             {delete_ms:>10.2} {rate:>10.2}"
        )
    }
}
