//! What is timed, on one device and as one of several ranks.

use std::rc::Rc;

use meerkat::algos::bfs::{self, Bfs, Tree};
use meerkat::algos::pagerank::{Method, Options, PageRank, Ranks, Stop};
use meerkat::algos::wcc::Components;
use meerkat::runtime::communicator::{Communicator, Reduction};
use meerkat::runtime::distributed::{DistributedAlgorithm, DistributedGraph, Ownership};
use meerkat::runtime::generate::Generator;
use meerkat::runtime::{
    CompactEdges, Device, DeviceBatch, DynamicAlgorithm, DynamicGraph, Error, Orientation,
    SlabOptions, Vertex,
};

use super::clock::{Clock, Time};
use super::shares::{Phase, Share};
use crate::cli::algorithms::rank_error;
use crate::cli::bench::Reference;

type Alone = DynamicGraph<CompactEdges>;
type Part = DistributedGraph<CompactEdges>;

/// Steps of PageRank that are timed at once.
const STEPS: u32 = 20;

/// What all measure.
pub(super) struct Plan {
    pub(super) graph: Generator,
    pub(super) ranks: u32,
    pub(super) rounds: u32,
    /// Where searches begin.
    pub(super) source: Vertex,
    pub(super) phases: [Phase; 4],
}

/// The times of a device or a rank, and the answers after all batches.
pub(super) struct Measured {
    pub(super) times: Vec<Time>,
    /// How many arcs the graph had to begin with.
    pub(super) arcs: u64,
    levels: Vec<u32>,
    labels: Vec<u32>,
    ranks: Ranks<f64>,
}

impl Measured {
    /// Whether the answers are those of the other, and ranks as near as they say.
    pub(super) fn has_answers_of(&self, other: &Measured) -> bool {
        let are_near = rank_error(&self.ranks, &other.ranks, Reference::FixedPoint).is_some();
        self.levels == other.levels && self.labels == other.labels && are_near
    }
}

fn options() -> SlabOptions {
    SlabOptions::DEFAULT.oriented(Orientation::Both)
}

/// The vertex of the largest out-degree.
pub(super) fn hub(graph: &Generator, device: &Device) -> Result<Vertex, Error> {
    let edges = graph.edges::<()>(device, 0)?;
    let graph = Alone::from_buffer(device, graph.vertices(), &edges, &SlabOptions::DEFAULT)?;
    Ok(graph.out_edges()?.vertex_of_largest_degree()?.unwrap_or(0))
}

fn steps() -> PageRank<f64> {
    PageRank::new(Options { stop: Stop::Steps(STEPS), ..Options::default() }, Method::Static)
}

fn following() -> PageRank<f64> {
    PageRank::new(Options::default(), Method::DF_P)
}

/// On one device.
pub(super) fn alone(plan: &Plan, device: &Device) -> Result<Measured, Error> {
    let share = Share { of: plan.ranks, ranks: 0..plan.ranks };
    let clock = Clock { device, rounds: plan.rounds, is_first: true, meet: &|| Ok(()) };
    let [.., of_components, of_ranks] = plan.phases;
    let edges = share.edges(&plan.graph, device)?;
    let mut graph = Alone::from_buffer(device, plan.graph.vertices(), &edges, &options())?;
    drop(edges);
    let (search, arcs) = (Bfs::from_source(plan.source), graph.edge_count()?);
    let mut times = vec![
        clock.median("20 steps, f64", || DynamicAlgorithm::compute(&steps(), &graph).map(drop))?,
        clock.median("bfs", || DynamicAlgorithm::compute(&search, &graph).map(drop))?,
        clock.median("wcc", || DynamicAlgorithm::compute(&Components, &graph).map(drop))?,
    ];
    times.extend(updates(plan, &share, &clock, |batch| graph.apply(batch).map(drop))?);
    let mixed = share.batches(plan, device, of_components)?;
    let mut tracked = graph.track(Components)?;
    times.push(clock.batches("wcc follows", &mixed, |batch| tracked.apply(batch).map(drop))?);
    let (labels, graph) = (tracked.output()?, tracked.into_parts().0);
    let mixed = share.batches(plan, device, of_ranks)?;
    let mut tracked = graph.track(following())?;
    times.push(clock.batches("ranks follow", &mixed, |batch| tracked.apply(batch).map(drop))?);
    let (ranks, graph) = (tracked.output()?, tracked.into_parts().0);
    let Tree { levels, .. } = bfs::tree(&graph, plan.source)?;
    Ok(Measured { times, arcs, levels, labels, ranks })
}

/// As one of several ranks.
pub(super) fn of_rank(
    plan: &Plan,
    communicator: Rc<dyn Communicator>,
    device: &Device,
    ownership: Ownership,
) -> Result<Measured, Error> {
    let rank = communicator.rank() as u32;
    let share = Share { of: plan.ranks, ranks: rank..rank + 1 };
    let meeting = communicator.clone();
    let meet = || meeting.all_reduce(&mut [0], Reduction::Sum);
    let clock = Clock { device, rounds: plan.rounds, is_first: rank == 0, meet: &meet };
    let [.., of_components, of_ranks] = plan.phases;
    let (n, edges) = (plan.graph.vertices(), share.edges(&plan.graph, device)?);
    let mut graph = Part::from_buffer(communicator, n, edges, &options(), ownership)?;
    let (search, arcs) = (Bfs::from_source(plan.source), graph.edge_count()?);
    let mut times = vec![
        clock.median("20 steps, f64", || scratch(&steps(), &graph))?,
        clock.median("bfs", || scratch(&search, &graph))?,
        clock.median("wcc", || scratch(&Components, &graph))?,
    ];
    times.extend(updates(plan, &share, &clock, |batch| graph.apply(batch).map(drop))?);
    let mixed = share.batches(plan, device, of_components)?;
    let mut tracked = graph.track(Components)?;
    times.push(clock.batches("wcc follows", &mixed, |batch| tracked.apply(batch).map(drop))?);
    let (labels, graph) = (tracked.output()?, tracked.into_graph());
    let mixed = share.batches(plan, device, of_ranks)?;
    let mut tracked = graph.track(following())?;
    times.push(clock.batches("ranks follow", &mixed, |batch| tracked.apply(batch).map(drop))?);
    let (ranks, graph) = (tracked.output()?, tracked.into_graph());
    let part = graph.part()?;
    let state = DistributedAlgorithm::compute(&search, &part)?;
    let Tree { levels, .. } = DistributedAlgorithm::output(&search, &state, &part)?;
    Ok(Measured { times, arcs, levels, labels, ranks })
}

/// Batches that nothing follows: first insertions, then deletions.
fn updates(
    plan: &Plan,
    share: &Share,
    clock: &Clock<'_>,
    mut apply: impl FnMut(&DeviceBatch) -> Result<(), Error>,
) -> Result<[Time; 2], Error> {
    let [insertions, deletions, ..] = plan.phases;
    let mut time =
        |what, phase| clock.batches(what, &share.batches(plan, clock.device, phase)?, &mut apply);
    Ok([time("insertions", insertions)?, time("deletions", deletions)?])
}

/// An answer over ranks from scratch.
fn scratch(algorithm: &impl DistributedAlgorithm<CompactEdges>, graph: &Part) -> Result<(), Error> {
    algorithm.compute(&graph.part()?).map(drop)
}
