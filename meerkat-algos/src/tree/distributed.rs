//! A shortest-path tree over the ranks of a distributed graph: of breadth-first search with lengths of
//! 1, of shortest paths with weights.
//!
//! Method: label correction over a frontier of own vertices. A rank relaxes their out-edges, and keeps
//! for vertices of other ranks the best place that it has offered. Who got nearer goes to its owner,
//! which takes the smallest distance; who is nearer then is the next frontier.
//! Exchange: a vertex and its place, 12 bytes, whenever a rank has a better one than before: at most
//! once for each vertex, rank and round. Large levels from scratch are a bit for each vertex: `levels.rs`.
//! Insertion: relaxes the new edges, then onwards. Deletion: see `deletion.rs`.

mod deletion;
mod levels;
mod operators;

use super::{Length, TreeNode, check_source};
use crate::stamps::Stamps;
use meerkat_runtime::distributed::{Delivery, Part, PendingChange};
use meerkat_runtime::dynamic::check_fits;
use meerkat_runtime::graph::EdgeLists;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use operators::{accept, offer, offer_over};

/// A tree of shortest paths, as one rank has it.
#[derive(Debug)]
pub struct RankTree {
    source: u32,
    /// Of own vertices their place; of others the best that this rank has offered, by way of an own
    /// vertex.
    nodes: DeviceBuffer<Atomic<TreeNode>>,
    /// Whom this rank has listed, by round.
    marks: Stamps,
    /// The own vertices to relax from, or whom this rank has found.
    frontier: Frontiers<Vertex>,
    /// Own vertices that have lost their path, by batch.
    invalid: Stamps,
    /// Whether own vertices may have parents whose ranks have offered them nothing; the same on all ranks.
    has_untold: bool,
}

/// What kernels need to list vertices, each once.
struct Round<'a> {
    stamp: u32,
    nodes: &'a DeviceBuffer<Atomic<TreeNode>>,
    marks: &'a DeviceBuffer<Atomic<u32>>,
    frontier: &'a Frontiers<Vertex>,
}

impl RankTree {
    /// Computes the tree. `L` is what counts as an edge's length: its weight (`L = W`), or 1
    /// (`L = ()`). Collective.
    ///
    /// # Errors
    /// A source outside the graph; no out-edges kept; no memory on any rank; as
    /// [`Communicator`](meerkat_runtime::communicator::Communicator).
    pub(crate) fn compute<W: Weight, L: Length<W>, E: EdgeLists<Carried = W>>(
        part: &Part<'_, E>,
        source: u32,
    ) -> Result<Self, Error> {
        let mut tree = part.agree(Self::new(part, source))?;
        tree.restart::<W, L, E>(part)?;
        Ok(tree)
    }

    fn new<E: EdgeLists>(part: &Part<'_, E>, source: u32) -> Result<Self, Error> {
        let (device, n) = (part.device(), part.vertex_count());
        part.edges().out_edges()?;
        check_source(part.edges(), source)?;
        Ok(RankTree {
            source,
            nodes: DeviceBuffer::filled(device, n as usize, TreeNode::OUTSIDE)?,
            marks: Stamps::new(device, n as usize)?,
            frontier: Frontiers::new(device, n, &[])?,
            invalid: Stamps::new(device, n as usize)?,
            has_untold: false,
        })
    }

    /// The tree from scratch. Collective.
    fn restart<W: Weight, L: Length<W>, E: EdgeLists<Carried = W>>(
        &mut self,
        part: &Part<'_, E>,
    ) -> Result<(), Error> {
        let is_own = part.partition().owner(self.source) == part.communicator().rank();
        let begun = self.begin(is_own);
        // Without in-edges no rank knows who may reach its vertices.
        if !L::DIFFERS && part.edges().in_edges().is_ok() {
            return self.search_levels(part, begun);
        }
        let found = begun.and_then(|()| self.offer::<W, L, E>(part, None));
        self.relax::<W, L, E>(part, found)
    }

    fn begin(&mut self, is_own: bool) -> Result<(), Error> {
        self.has_untold = false;
        self.nodes.fill(TreeNode::OUTSIDE)?;
        if is_own {
            let root = TreeNode { parent: self.source, distance: 0 };
            self.nodes.write(self.source as usize, &[root])?;
        }
        self.frontier.restart(if is_own { std::slice::from_ref(&self.source) } else { &[] })
    }

    /// Relaxes the out-edges of the frontier, and edges that are new; whom that brought nearer, own or
    /// not.
    fn offer<W: Weight, L: Length<W>, E: EdgeLists<Carried = W>>(
        &mut self,
        part: &Part<'_, E>,
        inserted: Option<&DeviceBuffer<Edge<W>>>,
    ) -> Result<DeviceBuffer<Vertex>, Error> {
        let (device, out) = (part.device(), part.edges().out_edges()?);
        self.list(|Round { stamp, nodes, marks, frontier }| {
            if !frontier.is_empty() {
                let (current, found) = (frontier.current(), frontier.next());
                offer::launch::<W, L, _>(device, current, out, stamp, nodes, marks, found)?;
            }
            let Some(inserted) = inserted else { return Ok(()) };
            let found = frontier.next();
            offer_over::launch::<W, L>(device, inserted, stamp, nodes, marks, found)
        })
    }

    /// Whom kernels list, each once.
    fn list(
        &mut self,
        launch: impl FnOnce(Round<'_>) -> Result<(), Error>,
    ) -> Result<DeviceBuffer<Vertex>, Error> {
        self.advance(launch)?;
        self.frontier.to_buffer()
    }

    /// [`list`](Self::list) that has no frontier to begin with.
    fn relist(
        &mut self,
        launch: impl FnOnce(Round<'_>) -> Result<(), Error>,
    ) -> Result<DeviceBuffer<Vertex>, Error> {
        self.frontier.restart(&[])?;
        self.list(launch)
    }

    /// Makes those the frontier whom kernels list, each once.
    fn advance(
        &mut self,
        launch: impl FnOnce(Round<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.marks.advance()?;
        let RankTree { nodes, marks, frontier, .. } = self;
        launch(Round { stamp: marks.current(), nodes, marks: marks.marks(), frontier })?;
        self.frontier.advance().map(drop)
    }

    /// Goes on with whom this rank has found, until no rank finds any. Collective.
    fn relax<W: Weight, L: Length<W>, E: EdgeLists<Carried = W>>(
        &mut self,
        part: &Part<'_, E>,
        mut found: Result<DeviceBuffer<Vertex>, Error>,
    ) -> Result<(), Error> {
        loop {
            let delivery = Delivery::to_owners(part, found)?;
            if delivery.total() == 0 {
                return Ok(());
            }
            let (vertices, offered) = delivery.deliver_atomics(&self.nodes)?;
            let accepted = self.accept(&vertices, &offered, &delivery);
            found = accepted.and_then(|()| self.offer::<W, L, E>(part, None));
        }
    }

    fn accept(
        &mut self,
        vertices: &DeviceBuffer<Vertex>,
        offered: &DeviceBuffer<TreeNode>,
        delivery: &Delivery<'_>,
    ) -> Result<(), Error> {
        let (device, count) = (vertices.device(), vertices.len() as u32);
        let own = delivery.from_itself();
        self.advance(|Round { stamp, nodes, marks, frontier }| {
            let next = frontier.next();
            accept::launch(
                device, count, vertices, offered, own.start, own.end, stamp, nodes, marks, next,
            )
        })
    }

    /// Follows a batch. Collective.
    ///
    /// # Errors
    /// A tree of another graph; no memory on any rank; as
    /// [`Communicator`](meerkat_runtime::communicator::Communicator).
    pub(crate) fn follow<W: Weight, L: Length<W>, E: EdgeLists<Carried = W>>(
        &mut self,
        part: &Part<'_, E>,
        change: PendingChange<'_, W>,
    ) -> Result<(), Error> {
        self.check(part)?;
        self.tell_parents(part)?;
        let Some(change) = change.out else { return self.restart::<W, L, E>(part) };
        if !self.follow_deletions(part, change.deleted())? {
            return self.restart::<W, L, E>(part);
        }
        let found = self.offer::<W, L, E>(part, Some(change.inserted()));
        self.relax::<W, L, E>(part, found)
    }

    /// The place of each vertex of the whole graph, on every rank. Collective.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub(crate) fn of_all<E: EdgeLists>(&self, part: &Part<'_, E>) -> Result<Vec<TreeNode>, Error> {
        part.atomics_of_all(check_fits(self.nodes.len(), part.edges()).map(|()| &self.nodes))
    }

    /// Whether it is a tree of this graph, on all ranks. Collective.
    fn check<E: EdgeLists>(&self, part: &Part<'_, E>) -> Result<(), Error> {
        part.agree(check_fits(self.nodes.len(), part.edges()))
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    [operators::kernels(), levels::kernels()].concat()
}
