//! The algorithms over the containers and weights that tests use, compiled once.
//!
//! Up to `opt-level = 1` a crate takes what a dependency has instantiated already. Without this
//! file each target of the tests would compile all schedules of all operators for itself. It
//! is there in builds with the feature `shared-instances` alone.

use crate::bfs::{self, Bfs};
use crate::pagerank::{self, Method, Options, PageRank};
use crate::spmv::{self, Entry};
use crate::sssp::{self, PathWeight, Sssp};
use crate::triangles::{self, Triangles};
use crate::truss::{self, KTruss};
use crate::wcc::{self, Components, IncrementalComponents, Scheme};
use meerkat_runtime::graph::{Adjacency, EdgeLists};
use meerkat_runtime::prelude::*;
use meerkat_runtime::{BlockEdges, CompactEdges, RowGraph};

/// Names each instance once. Nobody calls it.
///
/// # Errors
/// As the algorithms.
pub fn instances(device: &Device) -> Result<(), Error> {
    updatable::<Adjacency, Adjacency<u32>>(device)?;
    updatable::<CompactEdges, CompactEdges<u32>>(device)?;
    updatable::<BlockEdges, BlockEdges<u32>>(device)?;
    let (rows, lengths) =
        (RowGraph::of(&empty::<Adjacency>(device)?)?, empty::<Adjacency<u32>>(device)?);
    scratch(&rows)?;
    paths(&RowGraph::of(&lengths)?)?;
    followers::<Adjacency<u32>>(device)?;
    scratch(&lengths)?;
    paths(&empty::<Adjacency<i32>>(device)?)?;
    follow::<Adjacency<i32>, _>(device, Sssp::from_source(0))?;
    paths(&empty::<Adjacency<f32>>(device)?)?;
    follow::<Adjacency<f32>, _>(device, Sssp::from_source(0))?;
    follow::<Adjacency, _>(device, IncrementalComponents::new(Scheme::UpdateIterator))?;
    follow::<Adjacency<u32>, _>(device, IncrementalComponents::new(Scheme::UpdateIterator))?;
    products::<()>(device)?;
    products::<u32>(device)?;
    products::<i32>(device)?;
    products::<f32>(device)
}

/// What follows a container that changes, without weights and with lengths, and what is from scratch.
fn updatable<L: EdgeLists<Carried = ()>, K: EdgeLists<Carried = u32>>(
    device: &Device,
) -> Result<(), Error> {
    scratch(&empty::<L>(device)?)?;
    paths(&empty::<L>(device)?)?;
    paths(&empty::<K>(device)?)?;
    follow::<K, _>(device, Sssp::from_source(0))?;
    followers::<L>(device)
}

fn scratch<C: Container>(graph: &C) -> Result<(), Error> {
    bfs::levels(graph, 0)?;
    bfs::tree(graph, 0)?;
    wcc::labels(graph)?;
    triangles::count(graph)?;
    triangles::per_vertex(graph)?;
    truss::k_truss(graph, 3)?;
    truss::trussness(graph)?;
    truss::max_k(graph)?;
    pagerank::ranks::<f32, _>(graph, &Options::default())?;
    pagerank::ranks::<f64, _>(graph, &Options::default()).map(drop)
}

fn followers<L: EdgeLists>(device: &Device) -> Result<(), Error> {
    follow::<L, _>(device, Bfs::from_source(0))?;
    follow::<L, _>(device, Components)?;
    follow::<L, _>(device, Triangles)?;
    follow::<L, _>(device, KTruss::new(3))?;
    follow::<L, _>(device, PageRank::<f32>::new(Options::default(), Method::Static))?;
    follow::<L, _>(device, PageRank::<f64>::new(Options::default(), Method::Static))
}

fn paths<W: PathWeight, C: Container<Carried = W>>(graph: &C) -> Result<(), Error> {
    sssp::distances(graph, 0)?;
    sssp::tree(graph, 0).map(drop)
}

fn products<W: Weight + Entry<f32> + Entry<f64>>(device: &Device) -> Result<(), Error> {
    let graph = empty::<Adjacency<W>>(device)?;
    let (single, double) = (DeviceBuffer::zeroed(device, 0)?, DeviceBuffer::zeroed(device, 0)?);
    spmv::multiply::<f32, _>(&graph, &single, &mut DeviceBuffer::zeroed(device, 0)?)?;
    spmv::multiply::<f64, _>(&graph, &double, &mut DeviceBuffer::zeroed(device, 0)?)
}

fn follow<L: EdgeLists, A: DynamicAlgorithm<DynamicGraph<L>>>(
    device: &Device,
    algorithm: A,
) -> Result<(), Error> {
    let mut tracked = empty::<L>(device)?.track(algorithm)?;
    tracked.apply(&Batch::new())?;
    tracked.recompute()?;
    tracked.output().map(drop)
}

fn empty<L: EdgeLists>(device: &Device) -> Result<DynamicGraph<L>, Error> {
    DynamicGraph::from_edges(device, 0, &[], &SlabOptions::default())
}
