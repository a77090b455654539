//! Updates that are kept apart: of a container that moves its keys about, the arcs that came since
//! a moment are there once more, in lists of their own.
//!
//! ```text
//! a change of the graph --the same change--> the graph of its updates
//!   L, its lists, which operators read --updates_apart--> the lists of the updates
//! ```
//!
//! They go through the transaction of a batch with the graph: all of it, or nothing.

use super::change::change_by;
use super::device_batch::DeviceBatch;
use super::dynamic_graph::{DynamicGraph, UpdatesApart};
use super::lists::{EdgeBuffer, EdgeLists, Internal};
use super::options::{Compaction, Orientation, SlabOptions};
use crate::device::DeviceBuffer;
use crate::{Direction, Error};

impl<L: EdgeLists> DynamicGraph<L> {
    /// Begins to track updates, or tracks new ones: none so far.
    pub(super) fn begin_updates(&mut self) -> Result<(), Error> {
        if self.options().track_updates {
            let updates = self.no_updates()?;
            self.keep_updates(updates);
        }
        Ok(())
    }

    /// No updates, of a graph that tracks them and keeps them apart.
    pub(super) fn no_updates(&self) -> Result<Option<UpdatesApart<L>>, Error> {
        if !self.options().track_updates || !L::KEEPS_UPDATES_APART {
            return Ok(None);
        }
        // A change names both arcs of an undirected edge.
        let orientation = match self.is_undirected() {
            true => Orientation::Out,
            false => self.options().orientation,
        };
        let options = SlabOptions {
            direction: Direction::Directed,
            orientation,
            track_updates: false,
            compaction: Compaction::OnDemand,
            ..*self.options()
        };
        let graph = Self::of_parts(self.device(), self.vertex_count(), &[], &options)?;
        Ok(Some(UpdatesApart { graph, gone: None }))
    }

    /// Goes on with other updates, where they are kept apart.
    pub(super) fn keep_updates(&mut self, updates: Option<UpdatesApart<L>>) {
        let Some(mut updates) = updates else { return };
        // What was there before is dropped.
        drop(self.taken_updates());
        self.swap_updates(&mut updates.graph);
        self.updates = Some(Box::new(updates));
    }

    /// Does something to the updates, where they are kept apart.
    pub(super) fn with_updates<T>(
        &mut self,
        act: impl FnOnce(&mut UpdatesApart<L>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let Some(mut updates) = self.taken_updates() else { return Ok(None) };
        let done = act(&mut updates);
        self.swap_updates(&mut updates.graph);
        self.updates = Some(updates);
        done.map(Some)
    }

    fn taken_updates(&mut self) -> Option<Box<UpdatesApart<L>>> {
        let mut updates = self.updates.take()?;
        self.swap_updates(&mut updates.graph);
        Some(updates)
    }

    /// The lists of the updates go to where they are not.
    fn swap_updates(&mut self, updates: &mut DynamicGraph<L>) {
        let sides = [(&mut self.out, &mut updates.out), (&mut self.into, &mut updates.into)];
        for (lists, own) in sides {
            if let Some(place) = lists.as_mut().and_then(L::updates_apart) {
                let shown = place.take().map(|lists| *lists);
                *place = own.take().map(Box::new);
                *own = shown;
            }
        }
    }

    /// Edges that leave the graph are no updates of it; until others leave,
    /// [`bring_updates_back`](Self::bring_updates_back) undoes that.
    pub(super) fn forget_updates(&mut self, edges: &EdgeBuffer<L>) -> Result<(), Error> {
        let forgotten = self.with_updates(|updates| {
            updates.gone = None;
            if !edges.is_empty() {
                let batch = DeviceBatch::deletions(edges.first(edges.len())?);
                updates.gone = Some(updates.graph.apply(&batch)?);
            }
            Ok(())
        });
        forgotten.map(drop)
    }

    /// [`forget_updates`](Self::forget_updates) for good, of edges that need not be there. Queued
    /// on CUDA.
    pub(super) fn forget_updates_in_bulk(&mut self, edges: &EdgeBuffer<L>) -> Result<(), Error> {
        let options = *self.options();
        let forgotten = self.with_updates(|updates| {
            updates.graph.each_orientation(|lists, end| {
                let mut ends = options.ends_of(end).iter();
                ends.try_for_each(|&end| lists.queue_deletions(edges, end, Internal::TOKEN))
            })
        });
        forgotten.map(drop)
    }

    /// Takes no memory: what has been inserted since kept the places of what was deleted.
    pub(super) fn bring_updates_back(&mut self) -> Result<(), Error> {
        let back = self.with_updates(|updates| {
            if let Some(gone) = &updates.gone {
                updates.graph.restore_edges(gone)?;
            }
            updates.gone = None;
            Ok(())
        });
        back.map(drop)
    }

    /// Edges that came are updates, all or none.
    pub(super) fn note_updates(&mut self, edges: &EdgeBuffer<L>) -> Result<(), Error> {
        if edges.is_empty() {
            return Ok(());
        }
        let noted = self.with_updates(|updates| {
            let inserted = edges.first(edges.len())?;
            let deleted = match updates.gone.take() {
                Some(gone) => gone.into_deleted(),
                None => DeviceBuffer::empty(inserted.device()),
            };
            // They were not in the graph, so they are no updates yet: the second half of a change.
            let change = change_by(deleted, inserted, updates.graph.version.clone());
            let done = updates.graph.insert_or_restore(&change);
            // If that failed, what had left is back here. It has not come back to the graph yet.
            let gone_again = match &done {
                Err(_) => updates.graph.queue_change_deletions(&change),
                Ok(()) => Ok(()),
            };
            updates.gone = Some(change);
            done.and(gone_again)
        });
        noted.map(drop)
    }

    /// Edges that came and go again are no updates. Takes no memory.
    pub(super) fn drop_updates(&mut self, edges: &EdgeBuffer<L>) -> Result<(), Error> {
        self.with_updates(|updates| updates.graph.queue_deletions(edges)).map(drop)
    }
}
