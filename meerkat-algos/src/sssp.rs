//! Single-source shortest paths: distances, or a tree; static, incremental and
//! decremental.
//!
//! Result: `distances[v]`, the smallest sum of weights along a path from the
//! source, or [`PathWeight::UNREACHED`]; in a tree also `parents[v]`, an
//! in-neighbour on such a path.
//! Method: label correction over a pair of vertex frontiers: whoever got nearer
//! relaxes its out-edges next. Trees, and whatever keeps the device busy for more than a
//! few rounds, visit the nearest first, a range of distances at a time.
//! Encoding: distances are 32 bits that compare like the numbers they stand for;
//! a tree node keeps distance and parent in one word (see [`tree`](mod@crate::tree)).
//! Weights: not negative (checked, [`ErrorKind::NegativeWeight`]); zero is
//! allowed. Sums saturate: a distance of `u32::MAX - 1`, or of `f32::MAX`, means
//! "that or more".
//! Insertion: relaxes the new edges, then onwards from what got nearer.
//! Deletion: a vertex whose tree edge is gone takes another in-neighbour on a path as
//! short as its parent, where in-edges are kept; else it is invalid, and so, level by
//! level, are its descendants that find no other. Each invalid vertex takes its
//! best valid in-neighbour, and relaxation corrects the rest. (The paper's algorithm 12 walks
//! to the source from every vertex, which is quadratic on a path.) A mixed batch relaxes once
//! for both.
//! Source: Meerkat, section 4.2, algorithms 6 and 10-12.

mod distributed;

use crate::tree::{Length, PathTree, TreeNode, UNREACHED, check_source, out_of_order_at_first};
use meerkat_runtime::ErrorKind;
use meerkat_runtime::dynamic::{SavedState, VertexAnswers};
use meerkat_runtime::graph::Change;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use meerkat_runtime::saved::{StateReader, StateWriter};
use std::fmt::Debug;

/// A weight that a path can sum.
pub trait PathWeight: Weight + Length<Self> + Debug {
    /// What a sum of weights is.
    type Distance: Copy + PartialOrd + Debug + Send;
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
fn shorten<W: Weight + Length<W>, G: Neighbors<Carried = W>>(
    v: Vertex,
    graph: &G,
    round: u32,
    distances: &[Atomic<u32>],
    queued: &[Atomic<u32>],
    next: &Frontier<Vertex>,
) {
    for_each_neighbor(graph, v, true, |dst, weight| {
        // Read here, for the blocks that share a hub read it at different times.
        let distance = distances[v].load();
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
fn find_negative<W: Weight + Length<W>, G: Neighbors<Carried = W>>(
    v: Vertex,
    graph: &G,
    first: &[Atomic<u64>],
) {
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

/// The same among edges that are to enter the graph.
#[edge_operator]
fn find_negative_inserted<W: Weight + Length<W>>(edge: Edge<W>, first: &[Atomic<u64>]) {
    let is_length: bool = W::is_length(edge.weight);
    if !is_length {
        first[0].fetch_min((edge.src as u64) << 32 | edge.dst as u64);
    }
}

/// Distances of all vertices, over any container.
///
/// # Errors
/// A source outside the graph; a negative or NaN weight; the device fails.
pub fn distances<W: PathWeight, C: Container<Carried = W>>(
    graph: &C,
    source: u32,
) -> Result<Vec<W::Distance>, Error> {
    let distances = distances_on_device(graph, source)?.to_vec()?;
    Ok(distances.into_iter().map(W::distance).collect())
}

/// [`distances`], left on the device, as bits for [`PathWeight::distance`]. A round
/// relaxes the edges of the vertices that the round before brought nearer. Once a frontier keeps the device
/// busy that has grown slowly, or for more than a few rounds, the nearest vertices go first, as in a
/// [`tree`](fn@tree), with 32 bytes a vertex more.
/// Synchronises once in up to 32 rounds on CUDA, and then a few times a range of distances.
///
/// # Errors
/// As [`distances`].
pub fn distances_on_device<W: PathWeight, C: Container<Carried = W>>(
    graph: &C,
    source: u32,
) -> Result<DeviceBuffer<Atomic<u32>>, Error> {
    check_source(graph, source)?;
    check_weights(graph)?;
    let (device, count, out) = (graph.device(), graph.vertex_count(), graph.out_edges()?);
    let mut distances = DeviceBuffer::filled(device, count as usize, UNREACHED)?;
    distances.write(source as usize, &[0])?;
    let queued = DeviceBuffer::zeroed(device, count as usize)?;
    let mut frontiers = Frontiers::new(device, count, &[source])?;
    frontiers.repeat(out_of_order_at_first::<W, W>(device), |round, current, next| {
        shorten::launch(device, current, out, round + 1, &distances, &queued, next)
    })?;
    if !frontiers.is_empty() {
        drop(queued);
        PathTree::finish_distances::<W, W>(graph, &distances, frontiers)?;
    }
    Ok(distances)
}

/// A shortest-path tree.
///
/// # Errors
/// As [`distances`].
pub fn tree<W: PathWeight>(
    graph: &impl Container<Carried = W>,
    source: u32,
) -> Result<ShortestPaths<W::Distance>, Error> {
    check_weights(graph)?;
    let tree = PathTree::compute::<W, W>(graph, source)?;
    Ok(ShortestPaths::of::<W>(&tree.nodes()?))
}

impl<D> ShortestPaths<D> {
    fn of<W: PathWeight<Distance = D>>(nodes: &[TreeNode]) -> Self {
        ShortestPaths {
            distances: nodes.iter().map(|node| W::distance(node.distance)).collect(),
            parents: nodes.iter().map(|node| node.parent).collect(),
        }
    }
}

/// Shortest paths that follow updates. Needs out-edges; with in-edges, too,
/// deletions cost less.
///
/// ```
/// # use meerkat_algos::sssp::Sssp;
/// # use meerkat_runtime::prelude::*;
/// # let device = Device::cpu();
/// let edge = |src, dst, weight: u32| Edge { src, dst, weight };
/// let edges = [edge(0, 1, 2), edge(1, 2, 2), edge(0, 2, 9)];
/// let graph = SlabGraph::from_edges(&device, 3, &edges, &SlabOptions::default())?;
/// let mut sssp = graph.track(Sssp::from_source(0))?;
/// assert_eq!(sssp.output()?.distances, [0, 2, 4]);
/// sssp.apply(&Batch::new().delete([edge(0, 1, 0)]).insert([edge(2, 1, 1)]))?;
/// assert_eq!(sssp.output()?.distances, [0, 10, 9]);
/// # Ok::<(), Error>(())
/// ```
///
/// What edges carry are lengths, so a graph whose edges carry ids is refused:
///
/// ```compile_fail,E0277
/// # use meerkat_algos::sssp::Sssp;
/// # use meerkat_runtime::{prelude::*, properties::PropertyGraph};
/// # let device = Device::cpu();
/// let graph = PropertyGraph::<SlabGraph<u32>>::new(&device, 3, &SlabOptions::DEFAULT)?;
/// let sssp = graph.track(Sssp::from_source(0))?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sssp {
    source: u32,
}

impl Sssp {
    /// Paths from `source`.
    pub fn from_source(source: u32) -> Self {
        Sssp { source }
    }
}

impl<W: PathWeight, C: Container<Carried = W>> DynamicAlgorithm<C> for Sssp {
    type State = PathTree;
    type Output = ShortestPaths<W::Distance>;

    fn check_graph(&self, graph: &C) -> Result<(), Error> {
        graph.out_edges()?;
        check_source(graph, self.source)?;
        check_weights(graph)
    }

    fn check_change(&self, change: &Change<W>) -> Result<(), Error> {
        check_inserted(change)
    }

    fn compute(&self, graph: &C) -> Result<PathTree, Error> {
        PathTree::compute::<W, W>(graph, self.source)
    }

    fn recompute(&self, tree: &mut PathTree, graph: &C) -> Result<(), Error> {
        tree.recompute::<W, W>(graph, self.source)
    }

    fn on_grow(&self, tree: &mut PathTree, graph: &C, _before: u32) -> Result<(), Error> {
        tree.on_grow(graph)
    }

    fn on_delete(
        &self,
        tree: &mut PathTree,
        graph: &C,
        deleted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        tree.on_delete::<W, W>(graph, deleted)
    }

    fn on_insert(
        &self,
        tree: &mut PathTree,
        graph: &C,
        inserted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        tree.on_insert::<W, W>(graph, inserted)
    }

    fn finish_batch(&self, tree: &mut PathTree, graph: &C) -> Result<(), Error> {
        match tree.is_torn() {
            true => self.recompute(tree, graph),
            false => tree.relax_until_converged::<W, W>(graph),
        }
    }

    fn output(&self, tree: &PathTree) -> Result<Self::Output, Error> {
        Ok(ShortestPaths::of::<W>(&tree.nodes()?))
    }
}

impl<W: PathWeight, C: Container<Carried = W>> SavedState<C> for Sssp {
    fn description(&self) -> String {
        format!("sssp from {}", self.source)
    }

    fn save_state(&self, tree: &PathTree, to: &mut StateWriter) -> Result<(), Error> {
        tree.save(to)
    }

    fn load_state(&self, graph: &C, from: &mut StateReader) -> Result<PathTree, Error> {
        PathTree::load(graph, self.source, from)
    }
}

impl<W: PathWeight, C: Container<Carried = W>> VertexAnswers<C> for Sssp {
    /// The parent, as in [`ShortestPaths`], and the distance as bits for [`PathWeight::distance`].
    type Value = TreeNode;

    fn write_answers(
        &self,
        tree: &PathTree,
        vertices: &DeviceBuffer<Vertex>,
        answers: &mut DeviceBuffer<TreeNode>,
    ) -> Result<(), Error> {
        tree.copy_nodes(vertices, answers)
    }
}

/// Refuses a graph with a weight that cannot be a length. One pass over the
/// edges where weights have a sign; synchronises then.
fn check_weights<W: PathWeight, C: Container<Carried = W>>(graph: &C) -> Result<(), Error> {
    if !W::IS_SIGNED {
        return Ok(());
    }
    let out = graph.out_edges()?;
    first_negative(graph.device(), |device, first| {
        find_negative::launch(device, 0..graph.vertex_count(), out, first)
    })
}

/// Refuses a change that brings a weight that cannot be a length. Synchronises where weights have a
/// sign.
fn check_inserted<W: PathWeight>(change: &Change<W>) -> Result<(), Error> {
    if !W::IS_SIGNED || change.inserted().is_empty() {
        return Ok(());
    }
    first_negative(change.inserted().device(), |device, first| {
        find_negative_inserted::launch(device, change.inserted(), first)
    })
}

/// The error for the first edge that `find` finds.
fn first_negative(
    device: &Device,
    find: impl FnOnce(&Device, &DeviceBuffer<Atomic<u64>>) -> Result<(), Error>,
) -> Result<(), Error> {
    let first = DeviceBuffer::<Atomic<u64>>::filled(device, 1, u64::MAX)?;
    find(device, &first)?;
    match first.read(0, 1)?[0] {
        u64::MAX => Ok(()),
        edge => {
            let (src, dst) = ((edge >> 32) as u32, edge as u32);
            Err(ErrorKind::NegativeWeight { src, dst }.into())
        }
    }
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    let mut kernels: Vec<_> =
        Schedule::ALL.into_iter().map(shorten::info_with::<u32, Graph<u32>>).collect();
    kernels.extend([
        shorten::info::<f32, Graph<f32>>(),
        find_negative::info::<i32, Graph<i32>>(),
        find_negative::info::<f32, Graph<f32>>(),
        find_negative_inserted::info::<f32>(),
    ]);
    kernels
}
