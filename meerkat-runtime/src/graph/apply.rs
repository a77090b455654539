//! Batches: what they change, and how they are applied, whole or in the halves between
//! which dynamic algorithms run.

use super::batch::{Batch, check_length};
use super::change::{Change, changes_in};
use super::layout::Edge;
use super::slab_graph::SlabGraph;
use crate::{Error, ErrorKind, Weight};

impl<W: Weight> SlabGraph<W> {
    /// What a batch would change; the graph stays as it is. Synchronises: it waits
    /// for the copy of the batch, and for the lengths of the lists.
    ///
    /// Cost: the copy, a hash table of twice the batch's updates, and a search for
    /// each edge.
    ///
    /// # Errors
    /// An edge outside the graph, a NaN, too many updates; no memory.
    pub fn change_of(&self, batch: &Batch<W>) -> Result<Change<W>, Error> {
        check_length(batch.len())?;
        match self.any_orientation() {
            Some(kept) if !batch.is_empty() => {
                changes_in(kept, &self.ids, batch, self.options().direction, self.version.clone())
            }
            _ => Change::none(self.device(), self.version.clone()),
        }
    }

    /// Applies a batch and returns what it changed. Synchronises.
    ///
    /// Cost: that of [`change_of`](Self::change_of), beside the changes themselves.
    ///
    /// # Errors
    /// As [`change_of`](Self::change_of) and
    /// [`apply_insertions`](Self::apply_insertions); the graph is as it was.
    pub fn apply(&mut self, batch: &Batch<W>) -> Result<Change<W>, Error> {
        let change = self.change_of(batch)?;
        self.transact(&change, |_| Ok(()))?;
        Ok(change)
    }

    /// The transaction of a batch that was validated: its deletions, what `between` does
    /// with the graph that is left, its insertions. If any of them fails, the graph is
    /// rolled back to what it was. Synchronises.
    ///
    /// # Errors
    /// No memory, even after compaction; those of `between`; the device fails, and then the
    /// graph may not be rolled back.
    pub(crate) fn transact(
        &mut self,
        change: &Change<W>,
        between: impl FnOnce(&Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.queue_change_deletions(change)?;
        if let Err(error) = between(self) {
            self.restore_edges(change)?;
            return Err(error);
        }
        self.insert_edges(change).or_else(|error| {
            // Rolled back first: that needs memory after a compaction, and none before.
            self.restore_edges(change)?;
            self.compact_for_room(error)?;
            self.replace_edges(change)
        })?;
        self.compact_by_policy();
        Ok(())
    }

    /// Both halves of a change, or none.
    fn replace_edges(&mut self, change: &Change<W>) -> Result<(), Error> {
        self.queue_change_deletions(change)?;
        self.insert_edges(change).or_else(|error| {
            self.restore_edges(change)?;
            Err(error)
        })
    }

    /// Inserts edges; one that is there already gets the new weight, and of one
    /// that is named several times the last counts. Synchronises.
    ///
    /// # Errors
    /// As [`apply`](Self::apply), and then nothing was inserted.
    pub fn insert(&mut self, edges: &[Edge<W>]) -> Result<(), Error> {
        self.apply(&Batch::new().insert(edges)).map(drop)
    }

    /// Deletes edges; one that is not there, or is named twice, does not matter.
    /// Synchronises.
    ///
    /// # Errors
    /// An edge outside the graph, and then nothing was deleted; the device fails.
    pub fn delete(&mut self, edges: &[Edge<W>]) -> Result<(), Error> {
        self.apply(&Batch::new().delete(edges)).map(drop)
    }

    /// The first half of a change: its edges are gone. Queued on CUDA.
    ///
    /// # Errors
    /// [`ErrorKind::StaleChange`] unless it is a change of this graph as it is; the device
    /// fails.
    pub fn apply_deletions(&mut self, change: &Change<W>) -> Result<(), Error> {
        if change.basis != self.version {
            return Err(ErrorKind::StaleChange.into());
        }
        self.queue_change_deletions(change)?;
        self.halfway = Some(change.basis.clone());
        self.compact_by_policy();
        Ok(())
    }

    /// Refuses a change whose deletions are not what was applied last.
    fn check_halfway(&self, change: &Change<W>) -> Result<(), Error> {
        match &self.halfway {
            Some(basis) if *basis == change.basis => Ok(()),
            _ => Err(ErrorKind::StaleChange.into()),
        }
    }

    /// Takes [`apply_deletions`](Self::apply_deletions) of a change back, whose
    /// insertions were not applied, or failed. It needs no memory, unless the graph was
    /// compacted by its policy in between. Synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::StaleChange`] unless its deletions were applied, and nothing since; the
    /// device fails.
    pub fn undo_deletions(&mut self, change: &Change<W>) -> Result<(), Error> {
        self.check_halfway(change)?;
        self.restore_edges(change)
    }

    fn restore_edges(&mut self, change: &Change<W>) -> Result<(), Error> {
        self.advance_version();
        let edges = change.deleted();
        self.counts.deleted = self.counts.deleted.saturating_sub(edges.len() as u64);
        self.each_orientation(|adjacency, end| {
            adjacency.queue_restorations(edges, end)?;
            // Compaction has swept the tombstones that are missing now.
            adjacency.insert(edges, &[end])
        })
    }

    /// The second half of a change: its edges are there. Synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::StaleChange`] unless its deletions were applied, and nothing since. No
    /// memory, and then none of them is there; the device fails.
    pub fn apply_insertions(&mut self, change: &Change<W>) -> Result<(), Error> {
        self.check_halfway(change)?;
        self.complete(change).inspect_err(|_| self.halfway = Some(change.basis.clone()))
    }

    fn complete(&mut self, change: &Change<W>) -> Result<(), Error> {
        self.insert_edges(change).or_else(|error| {
            self.compact_for_room(error)?;
            self.insert_edges(change)
        })?;
        self.compact_by_policy();
        Ok(())
    }

    /// Inserts the edges of a change, or none.
    fn insert_edges(&mut self, change: &Change<W>) -> Result<(), Error> {
        self.advance_version();
        let edges = change.inserted();
        let inserted = self.each_orientation(|adjacency, end| adjacency.insert(edges, &[end]));
        if inserted.is_err() {
            // Their places become tombstones.
            self.counts.deleted += edges.len() as u64;
            self.each_orientation(|adjacency, end| adjacency.queue_deletions(edges, end))?;
            return inserted;
        }
        self.counts.inserted += edges.len() as u64;
        Ok(())
    }

    fn queue_change_deletions(&mut self, change: &Change<W>) -> Result<(), Error> {
        self.advance_version();
        self.counts.deleted += change.deleted().len() as u64;
        self.each_orientation(|adjacency, end| adjacency.queue_deletions(change.deleted(), end))
    }
}
