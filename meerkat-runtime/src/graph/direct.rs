//! Batches of one kind, without weights, applied as they come: which lane finds the place of an
//! edge empty, or deletes its key, knows that the edge is new, or was there, and lists it. So
//! what a batch changed is known without a search before it, and without a table of its edges.
//!
//! ```text
//! DeviceBatch --find_refused--> limit --insert_and_list or delete_and_list--> Change
//! ```

use super::adjacency::{Adjacency, spread};
use super::batch::UpdateKind;
use super::change::{COUNTS, Change, ChangeLists};
use super::delete::delete_and_list;
use super::device_batch::DeviceBatch;
use super::insert::insert_and_list;
use super::layout::Edge;
use super::options::Endpoint;
use super::slab_graph::SlabGraph;
use super::validate::queue_check;
use crate::device::{DeviceBuffer, read_together};
use crate::frontier::Frontier;
use crate::schedule::Schedule;
use crate::view::{Atomic, DeviceSlice};
use crate::{Direction, Error, Weight};

/// A list of edges for a kernel that takes as many of them as a word on the device says.
struct Listed<'a, W: Weight> {
    edges: &'a DeviceBuffer<Edge<W>>,
    limit: DeviceSlice<Atomic<u32>>,
    /// Unless the word says all, none.
    whole: bool,
}

impl<W: Weight> SlabGraph<W> {
    /// Whether a batch can be applied as it comes: no update takes an earlier one back, and
    /// no edge gets another weight.
    pub(super) fn takes_directly(&self, updates: &DeviceBatch<W>) -> bool {
        !W::IS_WEIGHTED && updates.kind != UpdateKind::Mixed
    }

    /// Applies a batch that the graph [takes directly](Self::takes_directly), and returns what
    /// it changed. Synchronises once, unless slabs do not suffice.
    ///
    /// # Errors
    /// An edge that the graph cannot take, no memory; the graph is as it was. The device fails.
    pub(super) fn apply_directly(&mut self, updates: &DeviceBatch<W>) -> Result<Change<W>, Error> {
        let before = (self.version.clone(), self.halfway.clone());
        let arcs = updates.len() * self.options().out_ends().len().max(1);
        let room = match updates.kind {
            UpdateKind::Deletions => [arcs, 0],
            _ => [0, arcs],
        };
        let device = self.device().clone();
        let lists = ChangeLists::new(&device, updates.len() as u32, room, before.0.clone())?;
        queue_check(&self.ids, updates, lists.limit())?;
        self.advance_version();
        let done = match updates.kind {
            UpdateKind::Deletions => self.delete_listed(updates, &lists),
            _ => self.insert_listed(updates, &lists),
        };
        let counts = match done.and_then(|counts| {
            ChangeLists::check(&self.ids, &updates.edges, &counts).map(|()| counts)
        }) {
            Ok(counts) => counts,
            Err(error) => {
                // What was listed has been taken back, or nothing was: the graph is as it was.
                (self.version, self.halfway) = before;
                return Err(error);
            }
        };
        let change = lists.finish(&counts);
        self.counts.deleted += change.deleted().len() as u64;
        self.counts.inserted += change.inserted().len() as u64;
        Ok(change)
    }

    /// Deletes the edges of a batch, and lists what was there.
    fn delete_listed(
        &mut self,
        updates: &DeviceBatch<W>,
        lists: &ChangeLists<W>,
    ) -> Result<Vec<u32>, Error> {
        self.queue_listed(updates, lists, Adjacency::queue_listed_deletions)?;
        read_together(&[lists.words()])
    }

    /// Inserts the edges of a batch, or none, and lists what is new.
    fn insert_listed(
        &mut self,
        updates: &DeviceBatch<W>,
        lists: &ChangeLists<W>,
    ) -> Result<Vec<u32>, Error> {
        loop {
            self.queue_listed(updates, lists, Adjacency::queue_listed_insertions)?;
            let mut words = vec![lists.words()];
            words.extend(self.orientations().map(Adjacency::exhausted));
            let read = read_together(&words)?;
            let (counts, exhausted) = read.split_at(COUNTS);
            if exhausted.iter().all(|&word| word == 0) {
                return Ok(counts.to_vec());
            }
            // Inserting an edge twice is inserting it once, so the list goes on.
            if let Err(error) = self.each_orientation(|adjacency, _| adjacency.grow_exhausted()) {
                self.take_back(lists)?;
                return Err(error);
            }
        }
    }

    /// Deletes what was listed as new. Takes no memory.
    fn take_back(&mut self, lists: &ChangeLists<W>) -> Result<(), Error> {
        let (edges, _) = lists.all_inserted();
        self.each_orientation(|adjacency, end| {
            let (_, limit) = lists.all_inserted();
            let listed = Listed { edges, limit, whole: false };
            adjacency.queue_listed_deletions(&listed, end, false, lists.nowhere())?;
            adjacency.forget_exhaustion()
        })?;
        let read = read_together(&[lists.words()])?;
        // Their places are tombstones.
        self.counts.deleted += u64::from(ChangeLists::<W>::inserted_count(&read));
        Ok(())
    }

    /// Queues the updates for the lists of one orientation, and what they changed there for the
    /// lists of the other.
    fn queue_listed(
        &mut self,
        updates: &DeviceBatch<W>,
        lists: &ChangeLists<W>,
        queue: impl Fn(
            &Adjacency<W>,
            &Listed<'_, W>,
            Endpoint,
            bool,
            Frontier<Edge<W>>,
        ) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let options = *self.options();
        let mirrored = options.direction == Direction::Undirected;
        let deletes = updates.kind == UpdateKind::Deletions;
        let mut is_first = true;
        self.each_orientation(|adjacency, end| {
            if !std::mem::take(&mut is_first) {
                let (edges, limit) =
                    if deletes { lists.all_deleted() } else { lists.all_inserted() };
                let listed = Listed { edges, limit, whole: false };
                return queue(adjacency, &listed, end, false, lists.nowhere());
            }
            let ends = match end {
                Endpoint::Source => options.out_ends(),
                Endpoint::Destination => options.in_ends(),
            };
            ends.iter().try_for_each(|&end| {
                let limit = lists.limit().view_of(0..1);
                let listed = Listed { edges: &updates.edges, limit, whole: true };
                let changed = if deletes { lists.deleted() } else { lists.inserted() };
                queue(adjacency, &listed, end, mirrored, changed)
            })
        })
    }
}

impl<W: Weight> Adjacency<W> {
    fn queue_listed_insertions(
        &self,
        listed: &Listed<'_, W>,
        end: Endpoint,
        mirrored: bool,
        new: Frontier<Edge<W>>,
    ) -> Result<(), Error> {
        let (threads, per_tile) = spread(self.device(), listed.edges.len());
        let &Listed { edges, limit, whole } = listed;
        insert_and_list::launch_with(
            Schedule::Auto.max_occupancy(),
            self.device(),
            threads,
            self,
            edges,
            limit,
            whole,
            per_tile,
            end.is_reversed(),
            mirrored,
            new,
        )
    }

    fn queue_listed_deletions(
        &self,
        listed: &Listed<'_, W>,
        end: Endpoint,
        mirrored: bool,
        gone: Frontier<Edge<W>>,
    ) -> Result<(), Error> {
        let (threads, per_tile) = spread(self.device(), listed.edges.len());
        let &Listed { edges, limit, whole } = listed;
        let (device, reversed) = (self.device(), end.is_reversed());
        delete_and_list::launch(
            device, threads, self, edges, limit, whole, per_tile, reversed, mirrored, gone,
        )
    }
}
