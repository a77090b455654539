//! What deletions do to a tree over ranks.
//!
//! ```text
//! edges that leave --find_cut--> vertices whose path is gone --to their owners: invalidate_here
//!   --find_children--> their children --to their owners, and so on
//! all invalid vertices, to all ranks --unlink-->
//!   --list_in_neighbors--> who may reach them --to the owners: accept_requests--> the frontier
//! ```
//!
//! A rank sends a vertex only if its own last offer to it was by way of the edge, or of the parent, that
//! is gone; whether that is the vertex's parent its owner knows. What a rank has offered to a vertex
//! that stays valid is never below its distance, so it need not be taken back.

use super::operators::{
    accept_requests, find_children, find_cut, invalidate_here, list_in_neighbors, unlink,
};
use super::{RankTree, Round, TreeNode};
use meerkat_runtime::distributed::{Delivery, Part, gather_lists};
use meerkat_runtime::graph::EdgeLists;
use meerkat_runtime::prelude::*;

impl RankTree {
    /// Takes vertices out of the tree whose paths are gone; the frontier is then who may reach them.
    /// Whether it could: without in-edges nobody knows who does. Collective.
    pub(super) fn follow_deletions<W: Weight, E: EdgeLists<Carried = W>>(
        &mut self,
        part: &Part<'_, E>,
        deleted: &DeviceBuffer<Edge<W>>,
    ) -> Result<bool, Error> {
        let found = self.find_cut(deleted);
        let mut delivery = Delivery::to_owners(part, found)?;
        if delivery.total() == 0 {
            return part.agree(self.frontier.restart(&[])).map(|()| true);
        }
        if part.edges().in_edges().is_err() {
            return Ok(false);
        }
        let begun = self
            .invalid
            .advance()
            .and_then(|()| LevelQueue::new(part.device(), part.own().count() as u32));
        let mut invalid = part.agree(begun)?;
        while delivery.total() > 0 {
            let (vertices, cut) = delivery.deliver_atomics(&self.nodes)?;
            let found = self
                .invalidate(&vertices, &cut, &mut invalid)
                .and_then(|()| self.find_children(part, &invalid));
            delivery = Delivery::to_owners(part, found)?;
        }
        self.detach_and_ask(part, invalid)?;
        Ok(true)
    }

    fn find_cut<W: Weight>(
        &mut self,
        deleted: &DeviceBuffer<Edge<W>>,
    ) -> Result<DeviceBuffer<Vertex>, Error> {
        let device = deleted.device();
        self.relist(|Round { stamp, nodes, marks, frontier }| {
            find_cut::launch(device, deleted, stamp, nodes, marks, frontier.next())
        })
    }

    fn invalidate(
        &mut self,
        vertices: &DeviceBuffer<Vertex>,
        cut: &DeviceBuffer<TreeNode>,
        invalid: &mut LevelQueue<Vertex>,
    ) -> Result<(), Error> {
        let (marks, round) = (self.invalid.marks(), self.invalid.current());
        let (device, count) = (vertices.device(), vertices.len() as u32);
        invalidate_here::launch(
            device,
            count,
            vertices,
            cut,
            round,
            &self.nodes,
            marks,
            invalid.next(),
        )?;
        invalid.advance().map(drop)
    }

    /// The children of the vertices that were invalidated last, as far as this rank knows.
    fn find_children<E: EdgeLists>(
        &mut self,
        part: &Part<'_, E>,
        invalid: &LevelQueue<Vertex>,
    ) -> Result<DeviceBuffer<Vertex>, Error> {
        let (device, out, latest) = (part.device(), part.edges().out_edges()?, invalid.current());
        self.relist(|Round { stamp, nodes, marks, frontier }| {
            if latest.is_empty() {
                return Ok(());
            }
            find_children::launch(device, latest, out, stamp, nodes, marks, frontier.next())
        })
    }

    /// Detaches all invalid vertices on all ranks, and makes those the frontier that may reach them.
    /// Collective.
    fn detach_and_ask<E: EdgeLists>(
        &mut self,
        part: &Part<'_, E>,
        invalid: LevelQueue<Vertex>,
    ) -> Result<(), Error> {
        let asked = self.list_in_neighbors(part, &invalid);
        let all = gather_lists(part.communicator(), part.device(), Ok(invalid.into_buffer()))?;
        let detached = unlink::launch(part.device(), all.len() as u32, &all, &self.nodes);
        let requests = Delivery::to_owners(part, detached.and(asked))?;
        let vertices = requests.deliver_keys()?;
        let accepted = self.accept_requests(&vertices);
        part.agree(accepted)
    }

    fn list_in_neighbors<E: EdgeLists>(
        &mut self,
        part: &Part<'_, E>,
        invalid: &LevelQueue<Vertex>,
    ) -> Result<DeviceBuffer<Vertex>, Error> {
        let (device, in_edges, all) = (part.device(), part.edges().in_edges()?, invalid.all());
        self.relist(|Round { stamp, marks, frontier, .. }| {
            if all.is_empty() {
                return Ok(());
            }
            list_in_neighbors::launch(device, all, in_edges, stamp, marks, frontier.next())
        })
    }

    fn accept_requests(&mut self, vertices: &DeviceBuffer<Vertex>) -> Result<(), Error> {
        let (device, count) = (vertices.device(), vertices.len() as u32);
        self.advance(|Round { stamp, nodes, marks, frontier }| {
            let next = frontier.next();
            accept_requests::launch(device, count, vertices, stamp, nodes, marks, next)
        })
    }
}
