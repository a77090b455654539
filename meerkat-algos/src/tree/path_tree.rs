//! The host's side of a shortest-path tree: built from scratch, or kept through updates.

use super::bucket_width::BucketWidth;
use super::extent::Extent;
use super::operators::{
    copy_distances, copy_nodes, place_all, relax, relax_inserted, split_far_queue,
};
use super::paths::Paths;
use super::pointer_jumping::PointerJumping;
use super::{Length, PathTreeBuffers, TreeNode, UNREACHED};
use meerkat_runtime::ErrorKind;
use meerkat_runtime::device::Tuning;
use meerkat_runtime::dynamic::{check_fits, vertices_to_come};
use meerkat_runtime::frontier::CurrentFrontier;
use meerkat_runtime::prelude::*;
use std::cell::Cell;

/// A shortest-path tree from one source that follows updates: 40 bytes a vertex on the
/// device. What counts as an edge's length is the `L` of its methods, the same in all of them.
/// A method that fails half-way leaves no tree: it is then to be computed again.
#[derive(Debug)]
pub struct PathTree {
    pub(super) device: Device,
    pub(super) paths: Paths,
    pub(super) frontiers: Frontiers<Vertex>,
    /// The far queue: vertices too far to be visited yet.
    pub(super) far: Frontiers<Vertex>,
    /// The vertices that lost their path in the latest batch of deletions.
    pub(super) invalid: LevelQueue<Vertex>,
    /// Made when a deep subtree is first orphaned.
    pub(super) jumps: Option<PointerJumping>,
    /// Whether the latest batch changed so much that the tree is to be computed again.
    pub(super) is_torn: bool,
    /// How far the search went that it was computed by, if it was one by levels.
    pub(super) extent: Option<Extent>,
}

impl PathTree {
    /// Builds a tree from scratch, the nearest first. Synchronises a few times a
    /// range of distances.
    ///
    /// # Errors
    /// A source outside the graph, no out-edges kept, no memory; the device fails.
    pub fn compute<W: Weight, L: Length<W>>(
        graph: &impl Container<Carried = W>,
        source: u32,
    ) -> Result<Self, Error> {
        let mut tree = PathTree::of_source_alone(graph, source)?;
        tree.relax_near_far::<W, L>(graph)?;
        Ok(tree)
    }

    /// Builds a tree in the place of this one, of this or another graph, whatever happened to
    /// it before. Uses its memory again where that fits.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub fn recompute<W: Weight, L: Length<W>>(
        &mut self,
        graph: &impl Container<Carried = W>,
        source: u32,
    ) -> Result<(), Error> {
        self.restart(graph, source)?;
        self.relax_near_far::<W, L>(graph)
    }

    /// The source alone, in the tree and in the current frontier.
    ///
    /// # Errors
    /// A source outside the graph, no memory.
    pub(crate) fn of_source_alone<W: Weight>(
        graph: &impl Container<Carried = W>,
        source: u32,
    ) -> Result<Self, Error> {
        check_source(graph, source)?;
        let (device, count) = (graph.device(), graph.vertex_count());
        let paths = Paths::new(device, count as usize, source)?;
        PathTree::of_paths(paths, Frontiers::new(device, count, &[source])?, graph)
    }

    fn of_paths(
        paths: Paths,
        frontiers: Frontiers<Vertex>,
        graph: &impl Container,
    ) -> Result<Self, Error> {
        let (device, count) = (graph.device(), graph.vertex_count());
        Ok(PathTree {
            device: device.clone(),
            paths,
            frontiers,
            far: Frontiers::new(device, count, &[])?,
            invalid: LevelQueue::new(device, count)?,
            jumps: None,
            is_torn: false,
            extent: None,
        })
    }

    /// Goes on with a relaxation that has found these distances and is to visit the frontier next, the nearest
    /// vertices first; gives the distances of shortest paths. Of its tree only these are right.
    pub(crate) fn finish_distances<W: Weight, L: Length<W>>(
        graph: &impl Container<Carried = W>,
        distances: &DeviceBuffer<Atomic<u32>>,
        frontiers: Frontiers<Vertex>,
    ) -> Result<(), Error> {
        let (device, count) = (graph.device(), graph.vertex_count());
        let paths = Paths::new(device, count as usize, 0)?;
        let mut tree = PathTree::of_paths(paths, frontiers, graph)?;
        place_all::launch(device, 0..count, distances, &tree.paths.nodes)?;
        tree.relax_near_far::<W, L>(graph)?;
        copy_distances::launch(device, 0..count, &tree.paths.nodes, distances)
    }

    /// The same again, in memory that fits the graph.
    pub(crate) fn restart<W: Weight>(
        &mut self,
        graph: &impl Container<Carried = W>,
        source: u32,
    ) -> Result<(), Error> {
        let vertices = graph.vertex_count() as usize;
        if (&self.device, self.paths.nodes.len()) != (graph.device(), vertices) {
            *self = PathTree::of_source_alone(graph, source)?;
            return Ok(());
        }
        check_source(graph, source)?;
        (self.is_torn, self.extent) = (false, None);
        self.paths.restart(source)?;
        self.far.restart(&[])?;
        self.frontiers.restart(&[source])
    }

    /// Grows the tree by a search by levels of the caller's, which starts from the current frontier.
    ///
    /// # Errors
    /// Those of the search.
    pub(crate) fn grow_by(
        &mut self,
        search: impl FnOnce(
            &DeviceBuffer<Atomic<TreeNode>>,
            &mut Frontiers<Vertex>,
        ) -> Result<Extent, Error>,
    ) -> Result<(), Error> {
        self.extent = Some(search(&self.paths.nodes, &mut self.frontiers)?);
        Ok(())
    }

    /// Whether it is the tree of a graph like this.
    pub(super) fn check_graph(&self, graph: &impl Container) -> Result<(), Error> {
        check_fits(self.paths.nodes.len(), graph)
    }

    /// Whether a batch changed so much of the tree that computing it again costs less than
    /// giving everybody a path: it has to be, with [`recompute`](Self::recompute), before it is a
    /// tree again.
    pub fn is_torn(&self) -> bool {
        self.is_torn
    }

    /// Relaxes inserted edges; [`relax_until_converged`](Self::relax_until_converged) does
    /// what follows. Nothing of a tree that [is torn](Self::is_torn).
    ///
    /// # Errors
    /// A tree of another graph; the device fails.
    pub fn on_insert<W: Weight, L: Length<W>>(
        &mut self,
        graph: &impl Container<Carried = W>,
        inserted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        self.check_graph(graph)?;
        if self.is_torn {
            return Ok(());
        }
        let (tree, next) = (self.paths.buffers(), self.frontiers.next());
        relax_inserted::launch::<W, L>(graph.device(), inserted, tree, next)
    }

    /// The place of every vertex. Synchronises.
    ///
    /// # Errors
    /// The device fails.
    pub fn nodes(&self) -> Result<Vec<TreeNode>, Error> {
        self.paths.nodes.to_vec()
    }

    /// The places of some vertices, left on the device; of all, in order, if none are named.
    pub(crate) fn copy_nodes(
        &self,
        vertices: &DeviceBuffer<Vertex>,
        copies: &mut DeviceBuffer<TreeNode>,
    ) -> Result<(), Error> {
        let (all, nodes) = (0..copies.len() as u32, &self.paths.nodes);
        copy_nodes::launch(&self.device, all, vertices, nodes, copies)
    }

    /// Vertices have come that nothing reaches yet. Between batches all lists are empty.
    ///
    /// Cost: a copy of what it keeps of each vertex.
    pub(crate) fn on_grow(&mut self, graph: &impl Container) -> Result<(), Error> {
        vertices_to_come(self.paths.nodes.len(), graph)?;
        let (device, vertices) = (&self.device, graph.vertex_count());
        let frontiers = Frontiers::new(device, vertices, &[])?;
        let far = Frontiers::new(device, vertices, &[])?;
        let invalid = LevelQueue::new(device, vertices)?;
        self.paths.grow(vertices as usize)?;
        (self.frontiers, self.far, self.invalid, self.jumps) = (frontiers, far, invalid, None);
        Ok(())
    }

    /// Relaxes until no vertex gets nearer. Synchronises once in up to 32 rounds on CUDA.
    /// A tree that [is torn](Self::is_torn), or is afterwards, has to be computed again instead.
    ///
    /// # Errors
    /// A tree of another graph; the device fails.
    pub fn relax_until_converged<W: Weight, L: Length<W>>(
        &mut self,
        graph: &impl Container<Carried = W>,
    ) -> Result<(), Error> {
        self.check_graph(graph)?;
        if self.frontiers.is_empty() {
            self.advance()?;
        }
        self.relax_out_of_order::<W, L>(graph)?;
        match self.is_torn || self.frontiers.is_empty() {
            true => Ok(()),
            false => self.relax_near_far::<W, L>(graph),
        }
    }

    /// Relaxes in any order for as long as that pays. A search by levels that it cannot keep pace with
    /// [is torn](Self::is_torn).
    fn relax_out_of_order<W: Weight, L: Length<W>>(
        &mut self,
        graph: &impl Container<Carried = W>,
    ) -> Result<(), Error> {
        let out_of_order = out_of_order::<W, L>(&self.device);
        let (mut rounds, before) = (0, self.frontiers.visited());
        let at_once = if self.device.is_cuda() { ROUNDS_BETWEEN_LOOKS } else { 1 };
        while !self.frontiers.is_empty() && out_of_order(rounds, self.frontiers.len()) {
            let goes_on = |done, length| done < at_once && out_of_order(rounds + done, length);
            rounds += self.relax::<W, L>(graph, UNREACHED, goes_on)?;
            let (visited, tuning) = (self.frontiers.visited() - before, self.device.tuning());
            if self.extent.is_some_and(|extent| extent.is_outpaced(rounds, visited, tuning)) {
                self.is_torn = true;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Visits the nearest first, a bucket of distances at a time, so that few vertices are
    /// visited before their distance is final (near-far: Davidson et al.,
    /// "Work-Efficient Parallel GPU Methods for Single-Source Shortest Paths").
    fn relax_near_far<W: Weight, L: Length<W>>(
        &mut self,
        graph: &impl Container<Carried = W>,
    ) -> Result<(), Error> {
        let mut width = BucketWidth::of::<W, L>(graph)?;
        let (mut visited, mut limit) = (0, 0);
        // All are far at first, which finds the nearest.
        self.split_far_queue(visited, limit, |state| state.frontiers.current())?;
        loop {
            if self.frontiers.is_empty() {
                let nearest = self.paths.nearest()?;
                (visited, limit) = (limit, width.beyond::<W, L>(nearest));
            } else {
                let before = self.frontiers.visited();
                let rounds = self.relax::<W, L>(graph, limit, |_, _| true)?.max(1);
                width.adapt((self.frontiers.visited() - before) / u64::from(rounds));
                (visited, limit) = (limit, width.beyond::<W, L>(limit));
            }
            if self.far.advance()? == 0 {
                return Ok(());
            }
            self.split_far_queue(visited, limit, |state| state.far.current())?;
        }
    }

    /// Relaxes until no vertex nearer than `limit` is left, or `goes_on` says no. Returns how
    /// many rounds that took.
    fn relax<W: Weight, L: Length<W>>(
        &mut self,
        graph: &impl Container<Carried = W>,
        limit: u32,
        goes_on: impl Fn(u32, u32) -> bool,
    ) -> Result<u32, Error> {
        self.paths.spare_rounds()?;
        let (device, tree, far) = (&self.device, self.paths.buffers(), self.far.next());
        let out = graph.out_edges()?;
        let rounds = self.frontiers.repeat(goes_on, |number, current, next| {
            let tree = PathTreeBuffers { round: tree.round + number, ..tree };
            relax::launch::<W, L, _>(device, current, out, limit, tree, next, far)
        })?;
        self.paths.skip_rounds(rounds);
        Ok(rounds)
    }

    /// Splits a list of vertices into the next frontier and the far queue.
    fn split_far_queue(
        &mut self,
        visited: u32,
        limit: u32,
        items: impl Fn(&Self) -> CurrentFrontier<'_, Vertex>,
    ) -> Result<(), Error> {
        self.paths.next_split()?;
        let (next, far) = (self.frontiers.next(), self.far.next());
        split_far_queue::launch(
            &self.device,
            items(self),
            visited,
            limit,
            self.paths.buffers(),
            next,
            far,
        )?;
        self.advance()
    }

    fn advance(&mut self) -> Result<(), Error> {
        self.frontiers.advance()?;
        self.paths.next_round()
    }
}

/// Whether a relaxation goes on in no order, by the rounds that are done and the length of the frontier.
///
/// Changes die out in some rounds on graphs of small diameter; only longer relaxations repay the
/// order of distances. A small frontier leaves a large GPU idle: there a vertex visited twice
/// costs nothing, and another round does. (Where all lengths are 1, order never pays: it costs
/// a round for every distance.)
fn out_of_order<W: Weight, L: Length<W>>(device: &Device) -> impl Fn(u32, u32) -> bool + use<W, L> {
    let &Tuning { rounds_out_of_order, idle_frontier, .. } = device.tuning();
    let idle = match device.is_cuda() {
        _ if !L::DIFFERS => u32::MAX,
        true => idle_frontier,
        false => 0,
    };
    move |done, length| done < rounds_out_of_order || length < idle
}

/// After how many rounds the pace of a relaxation is looked at: as many as are queued ahead at most.
const ROUNDS_BETWEEN_LOOKS: u32 = 32;
/// Order does not pay where a frontier becomes more than this many times as large from round to round.
const FAST_GROWTH: f64 = 16.0;
/// How large a frontier is at least when its growth is looked at.
const LEAST_GROWN: u32 = 1 << 9;

/// The same of a search from one vertex. If it needs many rounds to its first large frontier, it is
/// ordered from there on: on a uniform graph the rounds that follow would visit most vertices several times.
pub(crate) fn out_of_order_at_first<W: Weight, L: Length<W>>(
    device: &Device,
) -> impl Fn(u32, u32) -> bool + use<W, L> {
    let goes_on = out_of_order::<W, L>(device);
    let least = device.tuning().idle_frontier.max(LEAST_GROWN);
    let grows_fast = Cell::new(None);
    move |done, length| {
        if L::DIFFERS && length >= least && grows_fast.get().is_none() {
            grows_fast.set(Some(f64::from(length) >= FAST_GROWTH.powf(f64::from(done))));
        }
        grows_fast.get().unwrap_or(true) && goes_on(done, length)
    }
}

pub(crate) fn check_source<C: Container>(graph: &C, source: u32) -> Result<(), Error> {
    let count = graph.vertex_count();
    if source < count {
        return Ok(());
    }
    Err(ErrorKind::NoSuchVertex { vertex: source, count }.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_grows_slowly_is_ordered_from_its_first_large_frontier_on() {
        // What is seen of frontiers, and up to where a search goes on in no order.
        let rounds = |lengths: &[u32]| {
            let goes_on = out_of_order_at_first::<u32, u32>(&Device::cpu());
            (0..).zip(lengths).take_while(|&(done, &length)| goes_on(done, length)).count()
        };
        assert_eq!(rounds(&[1, 8, 64, 512, 4096, 32_768, 262_144]), 5, "a uniform graph");
        assert_eq!(rounds(&[1, 100_000, 2_000_000, 1_500_000, 200_000, 900, 3]), 7, "a hub");
        assert_eq!(rounds(&[1, 16, 50_000, 2_000_000, 9000, 20, 1, 1, 1]), 8, "beside a hub");
        assert_eq!(rounds(&[1, 3, 4, 5, 6, 7, 8, 9, 10]), 8, "small ones on a CPU");
        let unit = out_of_order_at_first::<(), ()>(&Device::cpu());
        assert!(unit(4, 32_768), "lengths are alike");
    }
}
