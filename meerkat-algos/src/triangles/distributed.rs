//! Triangles over the ranks of a distributed graph.
//!
//! Each rank has the edges of the undirected simple graph at its own vertices, oriented from the end of
//! lower degree to the other. A triangle is an edge `u -> v` whose ends share an out-neighbour: `u` is
//! the rank's own, and the list of `v` comes by from its owner.
//! Exchange: the oriented edges of each rank go round all ranks, 8 bytes each, one rank's at a time; the
//! degrees of all vertices once, and the corners of all vertices when they are asked for.
//! After a batch: from scratch.

use super::{TriangleCounts, Triangles};
use meerkat_runtime::communicator::{Plan, Transfer, exchange_into};
use meerkat_runtime::distributed::{DistributedAlgorithm, Part};
use meerkat_runtime::dynamic::check_fits;
use meerkat_runtime::graph::{EdgeLists, NOT_FOUND};
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// Lists the edges of `v` to other vertices.
#[vertex_operator]
fn list_simple<G: Neighbors>(v: Vertex, graph: &G, edges: &Frontier<Edge>) {
    for_each_neighbor(graph, v, true, |dst| {
        warp_enqueue_frontier(edges, Edge { src: v, dst, weight: () }, dst != v);
    });
}

/// Lists the edges of `v` to vertices of higher degree, or of the same and a higher number.
#[vertex_operator]
fn list_oriented<G: Neighbors>(v: Vertex, graph: &G, degrees: &[u32], edges: &Frontier<Edge>) {
    let degree = degrees[v];
    for_each_neighbor(graph, v, true, |dst| {
        let other = degrees[dst];
        let is_higher = degree < other || degree == other && v < dst;
        warp_enqueue_frontier(edges, Edge { src: v, dst, weight: () }, is_higher);
    });
}

/// Counts the triangles of an own edge whose end has its list in `passing`, for each corner.
#[vertex_operator]
fn count_closed<G: Neighbors>(
    i: Vertex,
    edges: &[Edge],
    own: &G,
    passing: &G,
    corners: &[Atomic<u64>],
    total: &[Atomic<u64>],
) {
    let Edge { src, dst, .. } = edges[i];
    let mut found = 0u64;
    for_each_neighbor(passing, dst, true, |w| {
        let edge: u64 = own.find(src, w);
        if edge != NOT_FOUND {
            corners[w].fetch_add(1);
            found += 1;
        }
    });
    if found != 0 {
        corners[src].fetch_add(found);
        corners[dst].fetch_add(found);
        total[0].fetch_add(found);
    }
}

/// What one rank has counted.
#[derive(Debug)]
pub struct RankTriangles {
    /// Of the triangles that this rank has found, the corners at each vertex of the whole graph.
    corners: DeviceBuffer<Atomic<u64>>,
    total: DeviceBuffer<Atomic<u64>>,
    degrees: Vec<u32>,
}

/// The oriented edges of one rank.
struct Oriented {
    /// By the owner of their ends.
    edges: DeviceBuffer<Edge>,
    of_owner: Vec<usize>,
    lists: CompactGraph,
}

const PLAIN: SlabOptions = SlabOptions::DEFAULT;

/// The edges of the undirected simple graph at own vertices.
fn simple_lists<L: EdgeLists>(part: &Part<'_, L>) -> Result<CompactGraph, Error> {
    let (device, own, edges) = (part.device(), part.own(), part.edges());
    let out = listed(part, |all| list_simple::launch(device, own, edges.out_edges()?, all))?;
    let mut lists = vec![out];
    if !edges.is_undirected() {
        lists.push(listed(part, |all| list_simple::launch(device, own, edges.in_edges()?, all))?);
    }
    CompactGraph::from_buffers(device, part.vertex_count(), &lists, &PLAIN)
}

/// What `list` enqueues: as many edges as the rank has, at most.
fn listed<L: EdgeLists>(
    part: &Part<'_, L>,
    list: impl Fn(meerkat_runtime::frontier::NextFrontier<'_, Edge>) -> Result<(), Error>,
) -> Result<DeviceBuffer<Edge>, Error> {
    let mut edges = LevelQueue::new(part.device(), part.arc_count()?)?;
    list(edges.next())?;
    edges.advance()?;
    Ok(edges.into_buffer())
}

impl RankTriangles {
    fn compute<L: EdgeLists>(part: &Part<'_, L>) -> Result<Self, Error> {
        let simple = part.agree(simple_lists(part))?;
        let degrees = part.host_values_of_all(simple.out_degrees())?;
        let oriented = part.agree(Oriented::of(part, &simple, &degrees))?;
        drop(simple);
        let (device, n) = (part.device(), part.vertex_count() as usize);
        let room = || Ok((DeviceBuffer::zeroed(device, n)?, DeviceBuffer::zeroed(device, 1)?));
        let (corners, total) = part.agree(room())?;
        let own = RankTriangles { corners, total, degrees };
        let mut counted = Ok(());
        for shift in 0..part.communicator().size() {
            counted = own.count_passing(part, &oriented, shift, counted)?;
        }
        part.agree(counted)?;
        Ok(own)
    }

    /// Counts with the lists of the rank that is `shift` after this one, if the counts `before` went well
    /// on all ranks: whether it did. Collective.
    fn count_passing<L: EdgeLists>(
        &self,
        part: &Part<'_, L>,
        oriented: &Oriented,
        shift: usize,
        before: Result<(), Error>,
    ) -> Result<Result<(), Error>, Error> {
        let (device, communicator) = (part.device(), part.communicator());
        let (rank, size) = (communicator.rank(), communicator.size());
        let (from, to) = ((rank + shift) % size, (rank + size - shift) % size);
        let mut sent = vec![0; size];
        sent[to] = oriented.edges.len();
        let ((), plan) = Plan::exchange(communicator, before.map(|()| ((), sent)))?;
        let mut passing = DeviceBuffer::<Edge>::zeroed(device, plan.received_in_all());
        exchange_into(communicator, &plan, &mut passing, |passing| {
            vec![Transfer::new(&oriented.edges, 0, passing)]
        })?;
        let passing = passing?;
        let count = || {
            let passing = CompactGraph::from_buffer(device, part.vertex_count(), &passing, &PLAIN)?;
            let first: usize = oriented.of_owner.iter().take(from).sum();
            let items = first as u32..(first + oriented.of_owner[from]) as u32;
            let (edges, lists) = (&oriented.edges, &oriented.lists);
            let (corners, total) = (&self.corners, &self.total);
            count_closed::launch(device, items, edges, lists, &passing, corners, total)
        };
        Ok(count())
    }
}

impl Oriented {
    fn of<L: EdgeLists>(
        part: &Part<'_, L>,
        simple: &CompactGraph,
        degrees: &[u32],
    ) -> Result<Self, Error> {
        let device = part.device();
        let degrees = DeviceBuffer::from_slice(device, degrees)?;
        let edges =
            listed(part, |all| list_oriented::launch(device, part.own(), simple, &degrees, all))?;
        let (edges, of_owner) = part.sort_by_owner(&edges, true)?;
        let lists = CompactGraph::from_buffer(device, part.vertex_count(), &edges, &PLAIN)?;
        Ok(Oriented { edges, of_owner, lists })
    }
}

impl<L: EdgeLists> DistributedAlgorithm<L> for Triangles {
    type State = RankTriangles;
    type Output = TriangleCounts;

    fn compute(&self, part: &Part<'_, L>) -> Result<RankTriangles, Error> {
        RankTriangles::compute(part)
    }

    fn output(&self, own: &RankTriangles, part: &Part<'_, L>) -> Result<TriangleCounts, Error> {
        let fits = check_fits(own.corners.len(), part.edges());
        let [total] = part.sums(fits.and_then(|()| Ok([own.total.read(0, 1)?[0]])))?;
        let per_vertex = part.sums_of_all(Ok(&own.corners))?;
        Ok(TriangleCounts { total, per_vertex, degrees: own.degrees.clone() })
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    let mut kernels = vec![list_simple::info::<Graph>(), list_oriented::info::<Compact>()];
    kernels.extend(Schedule::ALL.map(count_closed::info_with::<Compact>));
    kernels
}
