//! Batches of one kind, without weights, applied as they come: which lane finds the place of an
//! edge empty, or deletes its key, knows that the edge is new, or was there, and lists it. So
//! what a batch changed is known without a search before it, and without a table of its edges.
//!
//! ```text
//! DeviceBatch --find_refused--> limit --insert_and_list or delete_and_list--> Change
//! ```
//!
//! A large batch in host memory goes that way in parts, while the next is copied.

use std::cell::OnceCell;

use super::adjacency::{Adjacency, spread};
use super::batch::{Batch, UpdateKind, check_length};
use super::change::{COUNTS, Change, ChangeLists, no_change};
use super::delete::delete_and_list;
use super::device_batch::DeviceBatch;
use super::insert::insert_and_list;
use super::insertion::{Found, NO_LIMIT};
use super::layout::Edge;
use super::options::Endpoint;
use super::slab_graph::SlabGraph;
use super::validate::queue_check_of_part;
use crate::device::{DeviceBuffer, read_together};
use crate::frontier::Frontier;
use crate::schedule::Schedule;
use crate::view::{Atomic, DeviceSlice};
use crate::{Direction, Error, Weight};

/// A list of edges for a kernel that takes as many of them as a word on the device says.
struct Listed<W: Weight> {
    edges: DeviceSlice<Edge<W>>,
    limit: DeviceSlice<Atomic<u32>>,
    /// Unless the word says all, none.
    whole: bool,
}

/// How many updates of a batch in host memory are applied at a time: while these are, the next
/// are on their way.
const PART: usize = 1 << 18;

/// What the kernels of a batch of one kind do, and where they list it.
struct Task<W: Weight> {
    deletes: bool,
    lists: ChangeLists<W>,
    /// After how many slabs of a list an insertion gives up.
    deepest: u32,
}

impl<W: Weight> SlabGraph<W> {
    /// Whether a batch can be applied as it comes: no update takes an earlier one back, and
    /// no edge gets another weight.
    pub(super) fn takes_directly(&self, updates: &DeviceBatch<W>) -> bool {
        !W::IS_WEIGHTED && updates.kind != UpdateKind::Mixed
    }

    /// Whether a batch in host memory is worth applying while it is on its way.
    pub(super) fn takes_in_parts(&self, batch: &Batch<W>) -> bool {
        !W::IS_WEIGHTED && batch.kind() != UpdateKind::Mixed && batch.len() > PART
    }

    /// Applies a batch that the graph [takes directly](Self::takes_directly), and returns what
    /// it changed. Synchronises once, unless slabs do not suffice.
    ///
    /// # Errors
    /// An edge that the graph cannot take, no memory; the graph is as it was. The device fails.
    pub(super) fn apply_directly(&mut self, updates: &DeviceBatch<W>) -> Result<Change<W>, Error> {
        let task = self.task(updates.kind, updates.len())?;
        self.queue_part(&task, 0, updates.edges.view())?;
        self.finish_task(task, &updates.edges)
    }

    /// [`apply_directly`](Self::apply_directly) of a batch that the graph
    /// [takes in parts](Self::takes_in_parts), from host memory. What came before an update that
    /// is refused is taken back.
    pub(super) fn apply_in_parts(&mut self, batch: &Batch<W>) -> Result<Change<W>, Error> {
        self.apply_parts_of(batch, PART)
    }

    fn apply_parts_of(&mut self, batch: &Batch<W>, part: usize) -> Result<Change<W>, Error> {
        check_length(batch.len())?;
        let (device, task, mut first) = (self.device().clone(), OnceCell::new(), 0);
        let begin = || {
            let begun = self.task(batch.kind(), batch.len())?;
            // The first launch after a pause takes the driver longest; there is time for it now.
            self.queue_part(&begun, 0, begun.lists.nowhere().items)?;
            let _ = task.set(begun);
            Ok(())
        };
        let each = |part: DeviceSlice<Edge<W>>| {
            let Some(task) = task.get() else { return Ok(()) };
            let place = first;
            first += part.len();
            self.queue_part(task, place, part)
        };
        let edges = DeviceBuffer::from_slice_in_parts(&device, batch.edges(), part, begin, each);
        let Some(task) = task.into_inner() else {
            return edges.map(|_| no_change(&device, self.version.clone()));
        };
        match edges {
            Ok(edges) => self.finish_task(task, &edges),
            Err(error) => {
                self.take_back(&task)?;
                Err(error)
            }
        }
    }

    /// A task for this number of updates of one kind, which begins at the graph as it is.
    fn task(&self, kind: UpdateKind, updates: usize) -> Result<Task<W>, Error> {
        let arcs = updates * self.options().out_ends().len().max(1);
        let deletes = kind == UpdateKind::Deletions;
        let room = if deletes { [arcs, 0] } else { [0, arcs] };
        let lists = ChangeLists::new(self.device(), room, self.version.clone())?;
        let deepest = self.orientations().map(Adjacency::deepest).max().unwrap_or(NO_LIMIT);
        Ok(Task { deletes, lists, deepest })
    }

    /// Completes what was queued of all `edges` of a batch, or takes it back.
    fn finish_task(
        &mut self,
        mut task: Task<W>,
        edges: &DeviceBuffer<Edge<W>>,
    ) -> Result<Change<W>, Error> {
        // The first time it may have been an insertion before, which nobody waited for.
        let mut is_own = false;
        loop {
            self.queue_other_orientation(&task)?;
            let mut words = vec![task.lists.words()];
            words.extend(self.orientations().map(Adjacency::found));
            let read = read_together(&words)?;
            let (counts, mut found) = read.split_at(COUNTS);
            let mut missed = Vec::new();
            self.each_orientation(|adjacency, _| {
                let own = found.split_off(..3).unwrap_or(&[0; 3]);
                missed.push(adjacency.note_found(own, task.deepest));
                Ok(())
            })?;
            if let Err(error) = ChangeLists::check(&self.ids, edges, counts) {
                if ChangeLists::<W>::count(counts) > 0 {
                    self.take_back(&task)?;
                }
                return Err(error);
            }
            if task.deletes || missed.iter().all(|&found| found == Found::Places) {
                let change = task.lists.finish(counts);
                self.advance_version();
                self.counts.deleted += change.deleted().len() as u64;
                self.counts.inserted += change.inserted().len() as u64;
                return Ok(change);
            }
            let (mut missed, before) = (missed.into_iter(), task.deepest);
            let made_room = self.each_orientation(|adjacency, _| {
                match missed.next() {
                    Some(Found::NoSlab) => adjacency.grow_pool()?,
                    Some(Found::LongList) => {
                        task.deepest = task.deepest.max(adjacency.lay_out_or_walk(before)?);
                    }
                    _ => {}
                }
                Ok(())
            });
            if let Err(error) = made_room {
                if std::mem::replace(&mut is_own, true) {
                    self.take_back(&task)?;
                    return Err(error);
                }
                self.each_orientation(|adjacency, _| adjacency.forget_exhaustion())?;
            }
            // Inserting an edge twice is inserting it once, so the list goes on.
            self.queue_part(&task, 0, edges.view())?;
        }
    }

    /// Takes what was listed out of the graph again, or puts it back. Takes no memory.
    fn take_back(&mut self, task: &Task<W>) -> Result<(), Error> {
        let Task { deletes, lists, .. } = task;
        if *deletes {
            // In each orientation they have to be gone.
            self.queue_other_orientation(task)?;
            let read = read_together(&[lists.words()])?;
            let count = ChangeLists::<W>::count(&read) as usize;
            let edges = lists.all_deleted().0.view_of(0..count);
            return self
                .each_orientation(|adjacency, end| adjacency.queue_restorations(edges, end));
        }
        let (edges, limit) = lists.all_inserted();
        let listed = Listed { edges: edges.view(), limit, whole: false };
        self.each_orientation(|adjacency, end| {
            adjacency.queue_listed_deletions(&listed, end, false, lists.nowhere())?;
            adjacency.forget_exhaustion()
        })?;
        let read = read_together(&[lists.words()])?;
        // Their places are tombstones.
        self.counts.deleted += u64::from(ChangeLists::<W>::count(&read));
        Ok(())
    }

    /// Queues a part of the updates, which begins at the `first`, for the lists of one
    /// orientation. After an update that is refused it may do nothing; what it does, too, is to
    /// be taken back then.
    fn queue_part(
        &self,
        task: &Task<W>,
        first: u32,
        edges: DeviceSlice<Edge<W>>,
    ) -> Result<(), Error> {
        let (Task { deletes, lists, .. }, options) = (task, self.options());
        queue_check_of_part(&self.ids, (first, edges), !deletes, lists.limit())?;
        let Some((adjacency, end)) = self.any_orientation() else { return Ok(()) };
        let ends = match end {
            Endpoint::Source => options.out_ends(),
            Endpoint::Destination => options.in_ends(),
        };
        let mirrored = options.direction == Direction::Undirected;
        let changed = if *deletes { lists.deleted() } else { lists.inserted() };
        let listed = Listed { edges, limit: lists.limit(), whole: true };
        ends.iter()
            .try_for_each(|&end| adjacency.queue_listed(task, &listed, end, mirrored, changed))
    }

    /// Queues what was changed in the lists of one orientation for those of the other.
    fn queue_other_orientation(&self, task: &Task<W>) -> Result<(), Error> {
        let Some(into) = self.orientations().nth(1) else { return Ok(()) };
        let Task { deletes, lists, .. } = task;
        let (edges, limit) = if *deletes { lists.all_deleted() } else { lists.all_inserted() };
        let listed = Listed { edges: edges.view(), limit, whole: false };
        into.queue_listed(task, &listed, Endpoint::Destination, false, lists.nowhere())
    }
}

impl<W: Weight> Adjacency<W> {
    fn queue_listed(
        &self,
        task: &Task<W>,
        listed: &Listed<W>,
        end: Endpoint,
        mirrored: bool,
        changed: Frontier<Edge<W>>,
    ) -> Result<(), Error> {
        match task.deletes {
            true => self.queue_listed_deletions(listed, end, mirrored, changed),
            false => self.queue_listed_insertions(listed, end, mirrored, task.deepest, changed),
        }
    }

    fn queue_listed_insertions(
        &self,
        listed: &Listed<W>,
        end: Endpoint,
        mirrored: bool,
        deepest: u32,
        new: Frontier<Edge<W>>,
    ) -> Result<(), Error> {
        let (threads, per_tile) = spread(self.device(), listed.edges.len() as usize);
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
            deepest,
            new,
        )
    }

    fn queue_listed_deletions(
        &self,
        listed: &Listed<W>,
        end: Endpoint,
        mirrored: bool,
        gone: Frontier<Edge<W>>,
    ) -> Result<(), Error> {
        let (threads, per_tile) = spread(self.device(), listed.edges.len() as usize);
        let &Listed { edges, limit, whole } = listed;
        let (device, reversed) = (self.device(), end.is_reversed());
        delete_and_list::launch(
            device, threads, self, edges, limit, whole, per_tile, reversed, mirrored, gone,
        )
    }
}

#[cfg(test)]
mod tests;
