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

use super::batch::{Batch, UpdateKind, check_length};
use super::change::{COUNTS, Change, ChangeLists, no_change};
use super::device_batch::DeviceBatch;
use super::dynamic_graph::DynamicGraph;
use super::insertion::NO_LIMIT;
use super::layout::Edge;
use super::lists::{EdgeBuffer, EdgeLists, InsertOutcome, Internal, Listed};
use super::validate::queue_check_of_part;
use crate::device::{DeviceBuffer, read_together};
use crate::frontier::Frontier;
use crate::view::DeviceSlice;
use crate::{Direction, Error, Weight};

/// How many updates of a batch in host memory are applied at a time: while these are, the next
/// are on their way.
const PART: usize = 1 << 18;

/// What the kernels of a batch of one kind do, and where they list it.
struct Task<W: Weight> {
    deletes: bool,
    lists: ChangeLists<W>,
    /// With what patience an insertion walks long lists.
    patience: u32,
}

impl<L: EdgeLists> DynamicGraph<L> {
    /// Whether a batch can be applied as it comes: no update takes an earlier one back, and
    /// no edge gets another weight.
    pub(super) fn takes_directly(&self, updates: &DeviceBatch<L::Carried>) -> bool {
        !L::Carried::IS_WEIGHTED && updates.kind != UpdateKind::Mixed
    }

    /// Whether a batch in host memory is worth applying while it is on its way.
    pub(super) fn takes_in_parts(&self, batch: &Batch<L::Carried>) -> bool {
        !L::Carried::IS_WEIGHTED && batch.kind() != UpdateKind::Mixed && batch.len() > PART
    }

    /// Applies a batch that the graph [takes directly](Self::takes_directly), and returns what
    /// it changed. Synchronises once, unless slabs do not suffice.
    ///
    /// # Errors
    /// An edge that the graph cannot take, no memory; the graph is as it was. The device fails.
    pub(super) fn apply_directly(
        &mut self,
        updates: &DeviceBatch<L::Carried>,
    ) -> Result<Change<L::Carried>, Error> {
        let task = self.task(updates.kind, updates.len())?;
        self.queue_part(&task, 0, updates.edges.view())?;
        self.finish_task(task, &updates.edges)
    }

    /// [`apply_directly`](Self::apply_directly) of a batch that the graph
    /// [takes in parts](Self::takes_in_parts), from host memory. What came before an update that
    /// is refused is taken back.
    pub(super) fn apply_in_parts(
        &mut self,
        batch: &Batch<L::Carried>,
    ) -> Result<Change<L::Carried>, Error> {
        self.apply_parts_of(batch, PART)
    }

    fn apply_parts_of(
        &mut self,
        batch: &Batch<L::Carried>,
        part: usize,
    ) -> Result<Change<L::Carried>, Error> {
        check_length(batch.len())?;
        let (device, task, mut first) = (self.device().clone(), OnceCell::new(), 0);
        let begin = || {
            let begun = self.task(batch.kind(), batch.len())?;
            // The first launch after a pause takes the driver longest; there is time for it now.
            self.queue_part(&begun, 0, begun.lists.nowhere().items)?;
            let _ = task.set(begun);
            Ok(())
        };
        let each = |part: DeviceSlice<Edge<L::Carried>>| {
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
    fn task(&self, kind: UpdateKind, updates: usize) -> Result<Task<L::Carried>, Error> {
        let arcs = updates * self.options().out_ends().len().max(1);
        let deletes = kind == UpdateKind::Deletions;
        let room = if deletes { [arcs, 0] } else { [0, arcs] };
        let lists = ChangeLists::new(self.device(), room, self.version.clone())?;
        let patience = self.orientations().map(L::patience).max().unwrap_or(u32::MAX);
        Ok(Task { deletes, lists, patience })
    }

    /// Completes what was queued of all `edges` of a batch, or takes it back.
    fn finish_task(
        &mut self,
        mut task: Task<L::Carried>,
        edges: &EdgeBuffer<L>,
    ) -> Result<Change<L::Carried>, Error> {
        // The first time it may have been an insertion before, which nobody waited for.
        let mut is_own = false;
        loop {
            self.queue_other_orientation(&task)?;
            let mut words = vec![task.lists.words()];
            words.extend(self.orientations().map(|lists| lists.found(Internal::TOKEN)));
            let read = read_together(&words)?;
            let (counts, mut found) = read.split_at(COUNTS);
            let mut missed = Vec::new();
            self.each_orientation(|lists, _| {
                let own = found.split_off(..3).unwrap_or(&[0; 3]);
                missed.push(lists.note_found(own, task.patience));
                Ok(())
            })?;
            if let Err(error) = ChangeLists::check(&self.ids, edges, counts) {
                if ChangeLists::<L::Carried>::count(counts) > 0 {
                    self.take_back(&task)?;
                }
                return Err(error);
            }
            if task.deletes || missed.iter().all(|&outcome| outcome == InsertOutcome::Done) {
                let change = task.lists.finish(counts);
                self.advance_version();
                self.counts.deleted += change.deleted().len() as u64;
                self.counts.inserted += change.inserted().len() as u64;
                return Ok(change);
            }
            let has_no_place = missed.contains(&InsertOutcome::NoPlace);
            let (mut missed, before) = (missed.into_iter(), task.patience);
            let options = *self.options();
            let made_room = self.each_orientation(|lists, end| {
                match missed.next() {
                    None | Some(InsertOutcome::Done) => {}
                    Some(outcome) => {
                        let ends = options.ends_of(end);
                        let more = lists.make_room(outcome, before, edges, ends)?;
                        task.patience = task.patience.max(more);
                    }
                }
                Ok(())
            });
            if let Err(error) = made_room {
                let is_first = !std::mem::replace(&mut is_own, true);
                // Where there is no room for a list that was given up, it is walked to its end.
                let can_walk = has_no_place && task.patience != NO_LIMIT;
                if !(is_first || can_walk) || !error.is_about_room() {
                    self.take_back(&task)?;
                    return Err(error);
                }
                if can_walk {
                    task.patience = NO_LIMIT;
                }
                self.each_orientation(|lists, _| lists.forget_exhaustion())?;
            }
            // Inserting an edge twice is inserting it once, so the list goes on.
            self.queue_part(&task, 0, edges.view())?;
        }
    }

    /// Takes what was listed out of the graph again, or puts it back. Takes no memory.
    fn take_back(&mut self, task: &Task<L::Carried>) -> Result<(), Error> {
        let Task { deletes, lists, .. } = task;
        if *deletes {
            // In each orientation they have to be gone.
            self.queue_other_orientation(task)?;
            let read = read_together(&[lists.words()])?;
            let count = ChangeLists::<L::Carried>::count(&read) as usize;
            let edges = lists.all_deleted().0.view_of(0..count);
            return self.each_orientation(|lists, end| {
                lists.queue_restorations(edges, end, false, Internal::TOKEN)
            });
        }
        let (edges, limit) = lists.all_inserted();
        let edges = edges.view();
        self.each_orientation(|own, end| {
            let (reversed, mirrored) = (end.is_reversed(), false);
            let listed = Listed { edges, limit, whole: false, reversed, mirrored };
            own.queue_listed_deletions(&listed, lists.nowhere(), Internal::TOKEN)?;
            own.forget_exhaustion()
        })?;
        let read = read_together(&[lists.words()])?;
        // They came and went: their places are tombstones.
        let count = u64::from(ChangeLists::<L::Carried>::count(&read));
        self.counts.inserted += count;
        self.counts.deleted += count;
        Ok(())
    }

    /// Queues a part of the updates, which begins at the `first`, for the lists of one
    /// orientation. After an update that is refused it may do nothing; what it does, too, is to
    /// be taken back then.
    fn queue_part(
        &self,
        task: &Task<L::Carried>,
        first: u32,
        edges: DeviceSlice<Edge<L::Carried>>,
    ) -> Result<(), Error> {
        let (Task { deletes, lists, .. }, options) = (task, self.options());
        queue_check_of_part(&self.ids, (first, edges), !deletes, lists.limit())?;
        let Some((own, end)) = self.any_orientation() else { return Ok(()) };
        let ends = options.ends_of(end);
        let mirrored = options.direction == Direction::Undirected;
        let changed = if *deletes { lists.deleted() } else { lists.inserted() };
        let (limit, whole) = (lists.limit(), true);
        ends.iter().try_for_each(|end| {
            let listed = Listed { edges, limit, whole, reversed: end.is_reversed(), mirrored };
            queue_listed(own, task, &listed, changed)
        })
    }

    /// Queues what was changed in the lists of one orientation for those of the other.
    fn queue_other_orientation(&self, task: &Task<L::Carried>) -> Result<(), Error> {
        let Some(into) = self.orientations().nth(1) else { return Ok(()) };
        let Task { deletes, lists, .. } = task;
        let (edges, limit) = if *deletes { lists.all_deleted() } else { lists.all_inserted() };
        let (edges, reversed, mirrored) = (edges.view(), true, false);
        let listed = Listed { edges, limit, whole: false, reversed, mirrored };
        queue_listed(into, task, &listed, lists.nowhere())
    }
}

fn queue_listed<L: EdgeLists>(
    lists: &L,
    task: &Task<L::Carried>,
    listed: &Listed<L::Carried>,
    changed: Frontier<Edge<L::Carried>>,
) -> Result<(), Error> {
    match task.deletes {
        true => lists.queue_listed_deletions(listed, changed, Internal::TOKEN),
        false => lists.queue_listed_insertions(listed, task.patience, changed, Internal::TOKEN),
    }
}

#[cfg(test)]
mod tests;
