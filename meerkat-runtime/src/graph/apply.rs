//! Batches: what they change, and how they are applied, whole or in the halves between
//! which dynamic algorithms run.
//!
//! ```text
//! takes_directly: apply_directly -> check -> after_deletions, after_insertions
//! else:           change_of -> check -> deletions -> after_deletions
//!                           -> insertions -> after_insertions
//! ```
//!
//! If any step fails, the graph goes back to what it was.

use super::batch::Batch;
use super::change::{Change, changes_in, no_change};
use super::device_batch::{BatchSource, DeviceBatch};
use super::dynamic_graph::DynamicGraph;
use super::layout::Edge;
use super::lists::{EdgeLists, Internal, Tombstones};
use super::validate::check_updates;
use crate::{Error, ErrorKind};
use std::time::{Duration, Instant};

/// Who follows a batch through its transaction. Any error ends it, and the graph goes back.
pub(crate) trait Follower<L: EdgeLists> {
    /// Whether [`check`](Self::check) has to see what changes before anything does.
    fn looks_first(&self, _graph: &DynamicGraph<L>) -> bool {
        false
    }

    /// Whether it can follow.
    fn check(
        &mut self,
        _graph: &mut DynamicGraph<L>,
        _change: &Change<L::Carried>,
    ) -> Result<(), Error> {
        Ok(())
    }

    /// The deletions are about to leave the graph; asked if it [looks first](Self::looks_first).
    fn before_deletions(
        &mut self,
        _graph: &DynamicGraph<L>,
        _: &Change<L::Carried>,
    ) -> Result<(), Error> {
        Ok(())
    }

    /// The deletions have left the graph, and no insertion is there yet.
    fn after_deletions(
        &mut self,
        _graph: &DynamicGraph<L>,
        _: &Change<L::Carried>,
    ) -> Result<(), Error> {
        Ok(())
    }

    /// The graph has changed.
    fn after_insertions(
        &mut self,
        _graph: &DynamicGraph<L>,
        _: &Change<L::Carried>,
    ) -> Result<(), Error> {
        Ok(())
    }
}

/// Nobody follows.
struct Nobody;

impl<L: EdgeLists> Follower<L> for Nobody {}

impl<L: EdgeLists> DynamicGraph<L> {
    /// What a batch would change; the graph stays as it is. Synchronises: it waits
    /// for the lengths of the lists.
    ///
    /// Cost: the copy of a batch in host memory, a hash table of twice the batch's updates or
    /// more, and a search for each edge.
    ///
    /// # Errors
    /// An edge outside the graph, a NaN, too many updates; no memory.
    pub fn change_of(
        &self,
        batch: &impl BatchSource<L::Carried>,
    ) -> Result<Change<L::Carried>, Error> {
        batch.with_updates(self.device(), |updates| self.change_of_updates(updates))
    }

    fn change_of_updates(
        &self,
        updates: &DeviceBatch<L::Carried>,
    ) -> Result<Change<L::Carried>, Error> {
        match self.any_orientation() {
            Some(kept) if !updates.is_empty() => {
                changes_in(kept, &self.ids, updates, self.options().direction, self.version.clone())
            }
            _ => Ok(no_change(self.device(), self.version.clone())),
        }
    }

    /// Whether the graph can take these updates; it stays as it is. Synchronises.
    ///
    /// # Errors
    /// As [`change_of`](Self::change_of), of the updates.
    pub(crate) fn check_updates(&self, updates: &DeviceBatch<L::Carried>) -> Result<(), Error> {
        check_updates(&self.ids, updates)
    }

    /// Applies a batch and returns what it changed. Synchronises.
    ///
    /// Cost: of a batch of insertions or of deletions alone, without weights, the copy and the
    /// changes themselves; of others that of [`change_of`](Self::change_of) besides.
    ///
    /// # Errors
    /// As [`change_of`](Self::change_of) and
    /// [`apply_insertions`](Self::apply_insertions); the graph is as it was.
    pub fn apply(
        &mut self,
        batch: &impl BatchSource<L::Carried>,
    ) -> Result<Change<L::Carried>, Error> {
        self.transact(batch, &mut Nobody)
    }

    /// The transaction of a batch: all of it, also what its follower does, or nothing.
    /// Synchronises.
    ///
    /// # Errors
    /// What the graph or the follower cannot take; no memory, even after compaction. The
    /// device fails, and then the graph may not be rolled back.
    pub(crate) fn transact(
        &mut self,
        batch: &impl BatchSource<L::Carried>,
        follower: &mut impl Follower<L>,
    ) -> Result<Change<L::Carried>, Error> {
        let (device, start) = (self.device().clone(), Instant::now());
        let span = tracing::debug_span!("batch", device = %device.name());
        let _entered = span.enter();
        let change = match batch.in_host_memory() {
            Some(batch) if self.takes_in_parts(batch) && !follower.looks_first(self) => {
                self.follow_directly(|graph| graph.apply_in_parts(batch), follower)
            }
            _ => batch.with_updates(&device, |updates| {
                let finds_first = follower.looks_first(self) || !self.takes_directly(updates);
                match updates.is_empty() || finds_first {
                    true => self.change_and_follow(updates, follower),
                    false => self.follow_directly(|graph| graph.apply_directly(updates), follower),
                }
            }),
        };
        // A batch that was taken back has left tombstones, too.
        self.compact_by_policy();
        self.count_batch(&change, start.elapsed());
        change
    }

    /// Counts a batch, and says so.
    fn count_batch(&mut self, change: &Result<Change<L::Carried>, Error>, took: Duration) {
        let (counters, ms) = (&mut self.counters, took.as_secs_f64() * 1e3);
        counters.busy += took;
        counters.longest = counters.longest.max(took);
        match change {
            Ok(change) => {
                let (inserted, deleted) = (change.inserted().len(), change.deleted().len());
                counters.batches += 1;
                counters.inserted += inserted as u64;
                counters.deleted += deleted as u64;
                tracing::debug!(inserted, deleted, ms, "applied");
            }
            Err(error) => {
                counters.refused += 1;
                tracing::debug!(%error, ms, "refused");
            }
        }
    }

    fn follow_directly(
        &mut self,
        apply: impl Fn(&mut Self) -> Result<Change<L::Carried>, Error>,
        follower: &mut impl Follower<L>,
    ) -> Result<Change<L::Carried>, Error> {
        let change = apply(self).or_else(|error| {
            self.compact_for_room(error)?;
            apply(self)
        })?;
        let followed = self
            .forget_updates(change.deleted())
            .and_then(|()| self.note_updates(change.inserted()))
            .and_then(|()| follower.check(self, &change))
            .and_then(|()| follower.after_deletions(self, &change))
            .and_then(|()| follower.after_insertions(self, &change));
        self.keep_or_undo(change, followed)
    }

    fn change_and_follow(
        &mut self,
        updates: &DeviceBatch<L::Carried>,
        follower: &mut impl Follower<L>,
    ) -> Result<Change<L::Carried>, Error> {
        let change = self.change_of_updates(updates)?;
        follower.check(self, &change)?;
        if change.is_empty() {
            follower.after_deletions(self, &change)?;
            follower.after_insertions(self, &change)?;
            return Ok(change);
        }
        follower.before_deletions(self, &change)?;
        self.queue_change_deletions(&change)?;
        if let Err(error) = follower.after_deletions(self, &change) {
            self.restore_edges(&change)?;
            return Err(error);
        }
        self.insert_or_restore(&change)?;
        let followed = follower.after_insertions(self, &change);
        self.keep_or_undo(change, followed)
    }

    /// The change, if its follower could follow; else the graph goes back. Takes no memory,
    /// since the graph has not been compacted since.
    fn keep_or_undo(
        &mut self,
        change: Change<L::Carried>,
        followed: Result<(), Error>,
    ) -> Result<Change<L::Carried>, Error> {
        let Err(error) = followed else { return Ok(change) };
        self.advance_version();
        self.counts.deleted += change.inserted().len() as u64;
        self.each_orientation(|lists, end| {
            lists.queue_deletions(change.inserted(), end, Internal::TOKEN)
        })?;
        self.drop_updates(change.inserted())?;
        self.restore_edges(&change)?;
        Err(error)
    }

    /// Inserts the edges of a change whose deletions have left the graph; if that fails, these are
    /// back.
    pub(super) fn insert_or_restore(&mut self, change: &Change<L::Carried>) -> Result<(), Error> {
        let Err(error) = self.insert_edges(change) else { return Ok(()) };
        // Rolled back first: that needs memory after a new layout, and none before.
        self.restore_edges(change)?;
        self.compact_for_room(error)?;
        self.queue_change_deletions(change)?;
        self.insert_edges(change).or_else(|error| self.restore_edges(change).and(Err(error)))
    }

    /// Inserts edges; one that is there already gets the new weight, and of one
    /// that is named several times the last counts. Synchronises.
    ///
    /// # Errors
    /// As [`apply`](Self::apply), and then nothing was inserted.
    pub fn insert(&mut self, edges: &[Edge<L::Carried>]) -> Result<(), Error> {
        self.apply(&Batch::new().insert(edges)).map(drop)
    }

    /// Deletes edges; one that is not there, or is named twice, does not matter.
    /// Synchronises.
    ///
    /// # Errors
    /// An edge outside the graph, and then nothing was deleted; the device fails.
    pub fn delete(&mut self, edges: &[Edge<L::Carried>]) -> Result<(), Error> {
        self.apply(&Batch::new().delete(edges)).map(drop)
    }

    /// The first half of a change: its edges are gone. Queued on CUDA; where updates are kept apart,
    /// it synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::StaleChange`] unless it is a change of this graph as it is; where updates are
    /// kept apart, no memory, and the graph is as it was; the device fails.
    pub fn apply_deletions(&mut self, change: &Change<L::Carried>) -> Result<(), Error> {
        if change.basis != self.version {
            return Err(ErrorKind::StaleChange.into());
        }
        self.queue_change_deletions(change)?;
        self.halfway = Some(change.basis.clone());
        self.compact_by_policy();
        Ok(())
    }

    /// Refuses a change whose deletions are not what was applied last.
    fn check_halfway(&self, change: &Change<L::Carried>) -> Result<(), Error> {
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
    /// device fails. No memory, after a compaction: some edges are back then, and
    /// [`insert_buffer`](Self::insert_buffer) of [`Change::deleted`] completes it.
    pub fn undo_deletions(&mut self, change: &Change<L::Carried>) -> Result<(), Error> {
        self.check_halfway(change)?;
        self.restore_edges(change)
    }

    pub(super) fn restore_edges(&mut self, change: &Change<L::Carried>) -> Result<(), Error> {
        self.advance_version();
        let edges = change.deleted();
        self.counts.deleted = self.counts.deleted.saturating_sub(edges.len() as u64);
        // All of them before anything that may fail.
        let restored = self.each_orientation(|lists, end| {
            lists.queue_restorations(edges.view(), end, false, Internal::TOKEN)
        });
        let inserts = !L::RESTORES_ALL || self.has_moved;
        let inserted = restored.and_then(|()| match inserts {
            // A new layout has swept the tombstones that are missing now.
            true => {
                self.each_orientation(|lists, end| lists.insert(edges, &[end], Tombstones::Swept))
            }
            false => Ok(()),
        });
        inserted.and(self.bring_updates_back())
    }

    /// The second half of a change: its edges are there. Synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::StaleChange`] unless its deletions were applied, and nothing since. No
    /// memory, and then none of them is there; the device fails.
    pub fn apply_insertions(&mut self, change: &Change<L::Carried>) -> Result<(), Error> {
        self.check_halfway(change)?;
        self.complete(change).inspect_err(|_| self.halfway = Some(change.basis.clone()))
    }

    fn complete(&mut self, change: &Change<L::Carried>) -> Result<(), Error> {
        self.insert_edges(change).or_else(|error| {
            self.compact_for_room(error)?;
            self.insert_edges(change)
        })?;
        self.compact_by_policy();
        Ok(())
    }

    /// Inserts the edges of a change, or none.
    fn insert_edges(&mut self, change: &Change<L::Carried>) -> Result<(), Error> {
        self.advance_version();
        let (edges, deleted) = (change.inserted(), change.deleted());
        // What was deleted goes back to the places of tombstones, if this fails.
        let tombstones = match deleted.is_empty() {
            true => Tombstones::Swept,
            false => Tombstones::Kept(deleted),
        };
        let inserted = self.each_orientation(|lists, end| {
            if L::REUSES_TOMBSTONES && !deleted.is_empty() {
                // Each of them is new and named once, so no two lanes can bring the same key. Those
                // that go back after all leave the places free for what was deleted.
                lists.queue_restorations(edges.view(), end, true, Internal::TOKEN)?;
            }
            lists.insert(edges, &[end], tombstones)
        });
        if let Err(error) = inserted.and_then(|()| self.note_updates(edges)) {
            // Their places become tombstones.
            self.counts.inserted += edges.len() as u64;
            self.counts.deleted += edges.len() as u64;
            self.each_orientation(|lists, end| lists.queue_deletions(edges, end, Internal::TOKEN))?;
            return Err(error);
        }
        self.counts.inserted += edges.len() as u64;
        Ok(())
    }

    pub(super) fn queue_change_deletions(
        &mut self,
        change: &Change<L::Carried>,
    ) -> Result<(), Error> {
        self.forget_updates(change.deleted())?;
        self.advance_version();
        self.has_moved = false;
        self.counts.deleted += change.deleted().len() as u64;
        self.each_orientation(|lists, end| {
            lists.queue_deletions(change.deleted(), end, Internal::TOKEN)
        })
    }
}
