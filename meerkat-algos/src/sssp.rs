//! Single-source shortest paths: distances, or a tree.
//!
//! Result: `distances[v]`, the smallest sum of weights along a path from the
//! source, or [`PathWeight::UNREACHED`]; in a tree also `parents[v]`, an
//! in-neighbour on such a path.
//! Method: label correction over a pair of vertex frontiers: whoever got nearer
//! relaxes its out-edges next.
//! Encoding: distances are 32 bits that compare like the numbers they stand for;
//! a tree node keeps distance and parent in one word (see [`tree`](mod@crate::tree)).
//! Weights: not negative (checked, [`ErrorKind::NegativeWeight`]); zero is
//! allowed. Sums saturate: a distance of `u32::MAX - 1`, or of `f32::MAX`, means
//! "that or more".
//! Source: Meerkat, section 4.2, algorithms 2 and 6.

use crate::tree::{TreeNode, UNREACHED, check_source, relax};
use meerkat_runtime::ErrorKind;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use std::fmt::Debug;

/// A weight that a path can sum.
pub trait PathWeight: Weight + Debug {
    /// What a sum of weights is.
    type Distance: Copy + PartialOrd + Debug;
    /// The distance of a vertex that the source does not reach.
    const UNREACHED: Self::Distance;
    /// Whether a weight may be negative, or no number.
    const IS_SIGNED: bool;
    /// The distance that the bits of a length stand for.
    fn distance(length: u32) -> Self::Distance;
}

impl PathWeight for u32 {
    type Distance = u32;
    const UNREACHED: u32 = UNREACHED;
    const IS_SIGNED: bool = false;
    fn distance(length: u32) -> u32 {
        length
    }
}

impl PathWeight for i32 {
    type Distance = u32;
    const UNREACHED: u32 = UNREACHED;
    const IS_SIGNED: bool = true;
    fn distance(length: u32) -> u32 {
        length
    }
}

impl PathWeight for f32 {
    type Distance = f32;
    const UNREACHED: f32 = f32::INFINITY;
    const IS_SIGNED: bool = true;
    fn distance(length: u32) -> f32 {
        if length == UNREACHED { f32::INFINITY } else { f32::from_bits(length) }
    }
}

/// Every edge counts 1: shortest paths are those of a breadth-first search.
impl PathWeight for () {
    type Distance = u32;
    const UNREACHED: u32 = UNREACHED;
    const IS_SIGNED: bool = false;
    fn distance(length: u32) -> u32 {
        length
    }
}

/// A shortest-path tree.
#[derive(Clone, Debug, PartialEq)]
pub struct ShortestPaths<D> {
    /// The distance of each vertex, or [`PathWeight::UNREACHED`].
    pub distances: Vec<D>,
    /// A tight in-neighbour: its distance and the edge's weight make this
    /// vertex's distance. The source is its own parent, and unreached vertices
    /// have [`UNREACHED`].
    pub parents: Vec<u32>,
}

/// Shortens the paths of `v`'s out-neighbours through `v`.
#[vertex_operator]
pub fn shorten<W: Weight>(
    v: Vertex,
    graph: &Graph<W>,
    round: u32,
    distances: &[Atomic<u32>],
    queued: &[Atomic<u32>],
    next: &Frontier<Vertex>,
) {
    let distance = distances[v].load();
    for_each_neighbor(graph, v, true, |dst, weight| {
        let through: u32 = W::lengthen(distance, weight);
        let improved =
            through < distances[dst].load() && through < distances[dst].fetch_min(through);
        let first = improved && queued[dst].swap(round) != round;
        warp_enqueue_frontier(next, dst, first);
    });
}

/// Finds the first edge that has no length: source (high 32 bits) and
/// destination.
#[vertex_operator]
pub fn find_negative<W: Weight>(v: Vertex, graph: &Graph<W>, first: &[Atomic<u64>]) {
    let mut least = u64::MAX;
    for_each_neighbor(graph, v, true, |dst, weight| {
        let is_length: bool = W::is_length(weight);
        let edge: u64 = (v as u64) << 32 | dst as u64;
        least = least.min(select(is_length, u64::MAX, edge));
    });
    if least != u64::MAX {
        first[0].fetch_min(least);
    }
}

/// Distances of all vertices. Synchronises once a round; a round relaxes the
/// edges of the vertices that the round before brought nearer.
///
/// # Errors
/// A source outside the graph; a negative or NaN weight; the device fails.
pub fn distances<W: PathWeight>(
    graph: &SlabGraph<W>,
    source: u32,
) -> Result<Vec<W::Distance>, Error> {
    check_source(graph, source)?;
    check_weights(graph)?;
    let (device, count) = (graph.device(), graph.vertex_count());
    let mut distances = DeviceBuffer::<Atomic<u32>>::filled(device, count as usize, UNREACHED)?;
    distances.write(source as usize, &[0])?;
    let queued = DeviceBuffer::<Atomic<u32>>::zeroed(device, count as usize)?;
    let mut frontiers = Frontiers::new(device, count, &[source])?;
    let mut round = 0;
    while !frontiers.is_empty() {
        round += 1;
        let (current, next) = (frontiers.current(), frontiers.next());
        shorten::launch(device, current, graph, round, &distances, &queued, next)?;
        frontiers.advance()?;
    }
    Ok(distances.to_vec()?.into_iter().map(W::distance).collect())
}

/// A shortest-path tree. Synchronises once a round.
///
/// # Errors
/// As [`distances`].
pub fn tree<W: PathWeight>(
    graph: &SlabGraph<W>,
    source: u32,
) -> Result<ShortestPaths<W::Distance>, Error> {
    check_source(graph, source)?;
    check_weights(graph)?;
    let (device, count) = (graph.device(), graph.vertex_count());
    let mut nodes =
        DeviceBuffer::<Atomic<TreeNode>>::filled(device, count as usize, TreeNode::OUTSIDE)?;
    nodes.write(source as usize, &[TreeNode { parent: source, distance: 0 }])?;
    let queued = DeviceBuffer::<Atomic<u32>>::zeroed(device, count as usize)?;
    let mut frontiers = Frontiers::new(device, count, &[source])?;
    let mut round = 0;
    while !frontiers.is_empty() {
        round += 1;
        let (current, next) = (frontiers.current(), frontiers.next());
        relax::launch::<W, W>(device, current, graph, round, &nodes, &queued, next)?;
        frontiers.advance()?;
    }
    let nodes = nodes.to_vec()?;
    Ok(ShortestPaths {
        distances: nodes.iter().map(|node| W::distance(node.distance)).collect(),
        parents: nodes.iter().map(|node| node.parent).collect(),
    })
}

/// Refuses a graph with a weight that cannot be a length. One pass over the
/// edges where weights have a sign; synchronises then.
pub(crate) fn check_weights<W: PathWeight>(graph: &SlabGraph<W>) -> Result<(), Error> {
    if !W::IS_SIGNED {
        return Ok(());
    }
    let device = graph.device();
    let first = DeviceBuffer::<Atomic<u64>>::filled(device, 1, u64::MAX)?;
    find_negative::launch(device, 0..graph.vertex_count(), graph, &first)?;
    match first.read(0, 1)?[0] {
        u64::MAX => Ok(()),
        edge => {
            let (src, dst) = ((edge >> 32) as u32, edge as u32);
            Err(ErrorKind::NegativeWeight { src, dst }.into())
        }
    }
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    let mut kernels: Vec<_> = Schedule::ALL.into_iter().map(shorten::info_with::<u32>).collect();
    kernels.extend([
        shorten::info::<f32>(),
        find_negative::info::<i32>(),
        find_negative::info::<f32>(),
    ]);
    kernels
}
