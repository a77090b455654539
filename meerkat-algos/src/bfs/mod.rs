//! Breadth-first search: levels, or a tree; static, incremental and decremental.
//!
//! Result: `levels[v]` edges from the source, or [`UNREACHED`]; in a tree also
//! `parents[v]`, an in-neighbour one level up.
//! Method: level-synchronous; small levels push along out-edges from a frontier,
//! large ones push or pull in passes over all vertices.
//! Encoding: a tree node keeps level and parent in one word (see
//! [`tree`](mod@crate::tree)). All edges count 1, so a parent is always nearer
//! than its child and `fetch_min` cannot close a cycle.
//! Updates: [`Bfs`] keeps the tree as [`sssp`](mod@crate::sssp) does, with edges of
//! length 1.
//! Source: Meerkat, sections 4.2 and 6.1 (vanilla and tree-based BFS).

mod distributed;
mod operators;
mod search;
mod state;

pub use crate::tree::UNREACHED;
use crate::tree::{PathTree, TreeNode, check_source};
use meerkat_runtime::dynamic::{SavedState, VertexAnswers};
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use meerkat_runtime::saved::{StateReader, StateWriter};
use search::search;

/// A breadth-first tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Edges from the source, or [`UNREACHED`].
    pub levels: Vec<u32>,
    /// An in-neighbour one level up; the source is its own parent, and
    /// unreached vertices have [`UNREACHED`].
    pub parents: Vec<u32>,
}

/// Levels of all vertices, over any container. Cost: that of [`levels_on_device`], and a copy to the host.
/// Synchronises.
///
/// # Errors
/// A source outside the graph, no out-edges kept, no memory; the device fails.
pub fn levels<C: Container>(graph: &C, source: u32) -> Result<Vec<u32>, Error> {
    levels_on_device(graph, source)?.to_vec()
}

/// [`levels`], left on the device. Cost: every edge once, or less where the graph
/// keeps in-edges; 12 bytes a vertex. Synchronises once in up to 32 small levels, once more before a level
/// of one in 128 vertices, or more, whose edges are counted, and twice in a large one.
///
/// # Errors
/// As [`levels`].
pub fn levels_on_device<C: Container>(
    graph: &C,
    source: u32,
) -> Result<DeviceBuffer<Atomic<u32>>, Error> {
    check_source(graph, source)?;
    let (device, count) = (graph.device(), graph.vertex_count());
    let mut levels = DeviceBuffer::filled(device, count as usize, UNREACHED)?;
    levels.write(source as usize, &[0])?;
    search(graph, &levels, &mut Frontiers::new(device, count, &[source])?)?;
    Ok(levels)
}

/// A breadth-first tree. Cost: as [`levels`], but 16 bytes a vertex. Synchronises.
///
/// # Errors
/// As [`levels`].
pub fn tree<C: Container>(graph: &C, source: u32) -> Result<Tree, Error> {
    check_source(graph, source)?;
    let (device, count) = (graph.device(), graph.vertex_count());
    let mut nodes =
        DeviceBuffer::<Atomic<TreeNode>>::filled(device, count as usize, TreeNode::OUTSIDE)?;
    nodes.write(source as usize, &[TreeNode { parent: source, distance: 0 }])?;
    search(graph, &nodes, &mut Frontiers::new(device, count, &[source])?)?;
    Ok(Tree::of(&nodes.to_vec()?))
}

impl Tree {
    fn of(nodes: &[TreeNode]) -> Self {
        Tree {
            levels: nodes.iter().map(|node| node.distance).collect(),
            parents: nodes.iter().map(|node| node.parent).collect(),
        }
    }
}

/// Breadth-first search that follows updates. Needs out-edges; with in-edges,
/// too, deletions cost less. Weights are ignored.
///
/// ```
/// # use meerkat_algos::bfs::Bfs;
/// # use meerkat_runtime::prelude::*;
/// # let device = Device::cpu();
/// let edge = |src, dst| Edge { src, dst, weight: () };
/// let edges = [edge(0, 1), edge(1, 2), edge(2, 3)];
/// let graph = SlabGraph::from_edges(&device, 4, &edges, &SlabOptions::default())?;
/// let mut bfs = graph.track(Bfs::from_source(0))?;
/// bfs.apply(&Batch::new().insert([edge(0, 2)]).delete([edge(0, 1)]))?;
/// assert_eq!(bfs.output()?.levels, [0, u32::MAX, 1, 2]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bfs {
    source: u32,
}

impl Bfs {
    /// A search from `source`.
    pub fn from_source(source: u32) -> Self {
        Bfs { source }
    }
}

impl IgnoresWeights for Bfs {}

impl<C: Container> DynamicAlgorithm<C> for Bfs {
    type State = PathTree;
    type Output = Tree;

    fn check_graph(&self, graph: &C) -> Result<(), Error> {
        graph.out_edges()?;
        check_source(graph, self.source)
    }

    fn compute(&self, graph: &C) -> Result<PathTree, Error> {
        let mut tree = PathTree::of_source_alone(graph, self.source)?;
        tree.grow_by(|nodes, frontiers| search(graph, nodes, frontiers))?;
        Ok(tree)
    }

    fn recompute(&self, tree: &mut PathTree, graph: &C) -> Result<(), Error> {
        tree.restart(graph, self.source)?;
        tree.grow_by(|nodes, frontiers| search(graph, nodes, frontiers))
    }

    fn on_grow(&self, tree: &mut PathTree, graph: &C, _before: u32) -> Result<(), Error> {
        tree.on_grow(graph)
    }

    fn on_delete(
        &self,
        tree: &mut PathTree,
        graph: &C,
        deleted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        tree.on_delete::<C::Carried, ()>(graph, deleted)
    }

    fn on_insert(
        &self,
        tree: &mut PathTree,
        graph: &C,
        inserted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        tree.on_insert::<C::Carried, ()>(graph, inserted)
    }

    fn finish_batch(&self, tree: &mut PathTree, graph: &C) -> Result<(), Error> {
        if !tree.is_torn() {
            tree.relax_until_converged::<C::Carried, ()>(graph)?;
        }
        if tree.is_torn() { self.recompute(tree, graph) } else { Ok(()) }
    }

    fn output(&self, tree: &PathTree) -> Result<Tree, Error> {
        Ok(Tree::of(&tree.nodes()?))
    }
}

impl<C: Container> SavedState<C> for Bfs {
    fn description(&self) -> String {
        format!("bfs from {}", self.source)
    }

    fn save_state(&self, tree: &PathTree, to: &mut StateWriter) -> Result<(), Error> {
        tree.save(to)
    }

    fn load_state(&self, graph: &C, from: &mut StateReader) -> Result<PathTree, Error> {
        PathTree::load(graph, self.source, from)
    }
}

impl<C: Container> VertexAnswers<C> for Bfs {
    /// Level and parent, as in [`Tree`].
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

pub(crate) fn kernels() -> Vec<KernelInfo> {
    operators::kernels()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Extent;
    use meerkat_runtime::Tuning;

    /// A path of 3,000 vertices with eight leaves each, of which every hundredth gets an edge of the source: a round
    /// has 30 times as many vertices as a level.
    #[test]
    fn levels_that_a_wave_of_insertions_outpaces_are_computed_again() -> Result<(), Error> {
        let edge = |src, dst| Edge { src, dst, weight: () };
        let mut edges: Vec<_> = (0..2999).map(|v| edge(v, v + 1)).collect();
        edges.extend((0..24_000).map(|leaf| edge(leaf / 8, 3000 + leaf)));
        let shortcuts: Vec<_> = (1..30).map(|k| edge(0, 100 * k)).collect();
        let bfs = Bfs::from_source(0);
        for (pace, is_outpaced) in [(0, false), (4, true), (1000, false)] {
            let device = Device::cpu().with_tuning(Tuning { pace, ..Tuning::DEFAULT });
            let options = SlabOptions::DEFAULT;
            let mut graph = SlabGraph::from_edges(&device, 27_000, &edges, &options)?;
            let mut tree = bfs.compute(&graph)?;
            let change = graph.apply(&Batch::new().insert(shortcuts.clone()))?;
            bfs.on_insert(&mut tree, &graph, change.inserted())?;
            tree.relax_until_converged::<(), ()>(&graph)?;
            assert_eq!(tree.is_torn(), is_outpaced, "{pace}");
            bfs.finish_batch(&mut tree, &graph)?;
            assert!(!tree.is_torn());
            assert_eq!(Tree::of(&tree.nodes()?).levels, levels(&graph, 0)?, "{pace}");
        }
        Ok(())
    }

    /// How far a search goes is counted on lists and in passes, each vertex once.
    #[test]
    fn a_search_says_how_many_levels_and_vertices_it_found() -> Result<(), Error> {
        let edge = |src, dst| Edge { src, dst, weight: () };
        let mut edges: Vec<_> = (0..9).map(|v| edge(v, v + 1)).collect();
        edges.extend((0..5000).map(|leaf| edge(9, 10 + leaf)));
        edges.extend((0..5000).map(|leaf| edge(10 + leaf, 5010 + leaf % 7)));
        let (device, options) = (Device::cpu(), SlabOptions::DEFAULT);
        let graph = SlabGraph::from_edges(&device, 6000, &edges, &options)?;
        let mut found = DeviceBuffer::filled(&device, 6000, UNREACHED)?;
        found.write(0, &[0])?;
        let extent = search(&graph, &found, &mut Frontiers::new(&device, 6000, &[0])?)?;
        assert_eq!(extent, Extent { levels: 12, reached: 5017 });
        Ok(())
    }

    /// A level of 100 hubs among 8,192 vertices is no large one, but has five times as many edges as there are
    /// vertices: it is passed over. No other level of this graph is.
    #[test]
    fn a_level_of_few_hubs_with_most_edges_is_passed_over() -> Result<(), Error> {
        let edge = |src, dst| Edge { src, dst, weight: () };
        let mut edges: Vec<_> = (1..101).map(|hub| edge(0, hub)).collect();
        let leaves = (0..400u32).flat_map(|k| (1..101).map(move |hub| (hub, k)));
        edges.extend(leaves.map(|(hub, k)| edge(hub, 101 + (hub * 80 + k * 20) % 8091)));
        let reached: std::collections::BTreeSet<_> = edges.iter().map(|edge| edge.dst).collect();
        let device = Device::cpu();
        for options in [
            SlabOptions::DEFAULT,
            SlabOptions::DEFAULT.oriented(Orientation::Both),
            SlabOptions::DEFAULT.undirected(),
        ] {
            let graph = SlabGraph::from_edges(&device, 8192, &edges, &options)?;
            let hubs: Vec<_> = (1..101).collect();
            let hubs = Frontiers::new(&device, 8192, &hubs)?;
            let sum = crate::out_edges::sum(&graph, hubs.current())?;
            assert!(sum >= 4 * 8192, "{sum}");
            let tree = tree(&graph, 0)?;
            assert_eq!(tree.levels, levels(&graph, 0)?);
            for v in 0..8192 {
                let level = match v {
                    0 => 0,
                    1..101 => 1,
                    _ if reached.contains(&v) => 2,
                    _ => UNREACHED,
                };
                assert_eq!(tree.levels[v as usize], level, "{v}");
                assert!(level != 2 || (1..101).contains(&tree.parents[v as usize]), "{v}");
            }
        }
        Ok(())
    }
}
