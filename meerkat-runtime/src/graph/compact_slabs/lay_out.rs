//! Lists laid out again, each for its degree of today: those that insertions found long, and hubs
//! whose buckets are full. Tombstones go; slabs and buckets go back to the pool.

use super::build::{Needs, needs_of, pairs_of, places_of_quad};
use super::edges::CompactEdges;
use super::give_back::Left;
use super::layout::*;
use super::outgrown::{Outgrown, count_coming, describe_lists, empty_outgrown, forget_hubs};
use super::pool::CLASSES;
use super::take::MOST_NOTED;
use crate::device::{DeviceBuffer, read_together};
use crate::graph::convert::{OF_HUBS, collect, items_of};
use crate::graph::insertion::NO_LIMIT;
use crate::graph::layout::Edge;
use crate::graph::lists::{InsertOutcome, Internal, ListOperations, Tombstones};
use crate::graph::options::Endpoint;
use crate::launch::VertexItems;
use crate::schedule::Schedule;
use crate::view::Atomic;
use crate::{Error, Vertex, Weight};
use meerkat_macros::device;

/// Sixteenths of buckets that are full when a list is laid out again: it is growing.
pub(super) const LOAD_AGAIN: u32 = 11;
/// A list of more slabs, whose neighbours are few, is mostly tombstones.
const MANY_SLABS: u32 = 8;

/// No list is laid out for more neighbours than this, unless it has them.
const MOST_WANTED: u32 = 1 << 29;

/// The slabs of a class that a list takes whose neighbours come one after another.
#[device]
pub(super) fn slabs_grown<W: Weight>(degree: u32, record: u32, class: u32) -> u32 {
    let per_quad: u32 = places_of_quad::<W>();
    let mut left = degree;
    let mut places = record * per_quad;
    let mut next = 0u32;
    let mut slabs = 0u32;
    while left > places {
        // The link takes the place of a key.
        left -= places - 1;
        places = per_quad << next;
        slabs += (next == class) as u32;
        next = (next + 1).min(LARGEST);
    }
    slabs
}

/// Whether a hub keeps its row of pairs, which is a little longer than it asks for, or just as long.
fn stays(list: &Outgrown, pairs: u32) -> bool {
    pairs != 0 && pairs <= list.pairs && list.pairs - pairs <= pairs / 16
}

/// The rows of pairs that are taken for lists that are to have so many: none for those that stay.
pub(super) fn rows_to_take(lists: &[Outgrown], rows: &[u32]) -> Vec<u32> {
    let other = |(list, &pairs): (&Outgrown, &u32)| if stays(list, pairs) { 0 } else { pairs };
    lists.iter().zip(rows).map(other).collect()
}

/// How many keys, of neighbours and tombstones, a hub of so many pairs holds before it is laid out
/// again: above, probes get long.
fn most_in_hub<W: Weight>(pairs: u32) -> u64 {
    places_of_hub::<W>(pairs * 2) * 27 / 32
}

/// For how many neighbours a list is laid out that has `degree` and grows fast: seven for each four, so
/// that the next batches do not find it full again. With twice as many it would seem wasteful to a sweep
/// once a seventeenth has left.
fn with_room_to_grow(degree: u32) -> u64 {
    u64::from(degree) * 7 / 4
}

/// The degree that a list is laid out for. A hub that has a 32nd and some more neighbours than it was to
/// hold got them in one batch, most often: of a large one a lane in 16 looks how full it is.
fn expected_degree<W: Weight>(list: &Outgrown) -> u32 {
    let grows_fast = u64::from(list.degree) > most_in_hub::<W>(list.pairs) * 33 / 32 + 16;
    match list.pairs != 0 && grows_fast && list.degree < MOST_WANTED {
        true => with_room_to_grow(list.degree) as u32,
        false => list.degree,
    }
}

/// The degree that a list is laid out for that has `degree` neighbours, some of them of a batch that
/// inserts `inserted` there and has `others` to take back: all of them, as if all were new; more where
/// more than one for 32 is inserted.
fn degree_to_come(degree: u32, inserted: u32, others: u32) -> u32 {
    degree_with_room(degree, inserted, others, with_room_to_grow)
}

/// The same with four times as many where more than a half is inserted: a hub that begins is as full again in
/// the next batches.
fn degree_of_beginning(degree: u32, inserted: u32, others: u32) -> u32 {
    match inserted > degree / 2 {
        true => degree_with_room(degree, inserted, others, |known| u64::from(known) * 4),
        false => degree_to_come(degree, inserted, others),
    }
}

fn degree_with_room(degree: u32, inserted: u32, others: u32, room: fn(u32) -> u64) -> u32 {
    let most = u64::from(degree) + u64::from(inserted) + u64::from(others);
    let ample = room(degree.max(inserted));
    let wanted = if inserted > degree / 32 { most.max(ample) } else { most };
    (wanted.min(MOST_WANTED.into()) as u32).max(degree)
}

/// How neighbours come back into lists that are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refill {
    /// As a batch inserts: lists that are hubs have room to spare.
    Roomy,
    /// Into hubs of as many places as before, by walks that end at the last of them.
    Exact,
}

/// What a layout of some lists needs: the first `count` that are listed.
pub(super) struct Layout<W: Weight> {
    lists: DeviceBuffer<Outgrown>,
    count: usize,
    arcs: DeviceBuffer<Edge<W>>,
    left: Left,
}

impl<W: Weight> CompactEdges<W> {
    /// Lays out the noted lists that are outgrown, and for which there is memory; whether there are any.
    /// Memory is taken first; if there is none for any of them, the lists stay noted. Synchronises.
    pub(super) fn lay_out_noted(&mut self) -> Result<bool, Error> {
        self.has_long_lists = false;
        let vertices = DeviceBuffer::from_slice(&self.device, &self.pool.noted()?)?;
        let mut lists = self.described(&vertices)?.to_vec()?;
        lists.retain(|list| self.is_outgrown(list));
        let is_any = !lists.is_empty();
        if is_any {
            let rows = self.pairs_for(&lists);
            self.pack_for(&mut lists, &rows)?;
            self.lay_out_outgrown(lists, &rows)?;
        }
        self.forget_noted().map(|()| is_any)
    }

    /// Lays out all of these lists or, if there is no room for that, what fits of as many pairs as their
    /// neighbours of now ask for.
    fn lay_out_outgrown(&mut self, lists: Vec<Outgrown>, rows: &[u32]) -> Result<(), Error> {
        let of_now = |list: &Outgrown| needs_of::<W>(list.degree, self.record, LOAD_AGAIN).pairs;
        let fewer: Vec<_> = lists.iter().map(of_now).collect();
        self.lay_out_amply(lists, rows, &fewer)
    }

    /// Lays out all of these lists in many pairs or, if there is no room for that, what fits in fewer.
    fn lay_out_amply(
        &mut self,
        lists: Vec<Outgrown>,
        many: &[u32],
        fewer: &[u32],
    ) -> Result<(), Error> {
        if many == fewer {
            return self.lay_out_what_fits(lists, fewer);
        }
        match self.lay_out(lists.clone(), many) {
            Err(error) if error.is_about_room() => self.lay_out_what_fits(lists, fewer),
            other => other,
        }
    }

    /// No list is noted from now on, nor those that a layout has noted: the ones that were packed are
    /// no fuller than they were. Queued on CUDA.
    fn forget_noted(&mut self) -> Result<(), Error> {
        forget_hubs::launch(&self.device, MOST_NOTED, &*self)?;
        self.pool.forget_noted()
    }

    /// Lays out the noted lists in buckets, with a place for each edge that has its end there: those
    /// that are to be inserted, and those whose deletion may be taken back. Memory is taken first; if
    /// that fails, the lists stay noted. Synchronises.
    pub(super) fn lay_out_for(
        &mut self,
        inserted: &DeviceBuffer<Edge<W>>,
        deleted: Option<&DeviceBuffer<Edge<W>>>,
        ends: &[Endpoint],
    ) -> Result<(), Error> {
        self.has_long_lists = false;
        let vertices = DeviceBuffer::from_slice(&self.device, &self.pool.noted()?)?;
        let inserted = self.count_ends_at(&vertices, inserted, ends)?;
        let deleted = match deleted {
            Some(deleted) => self.count_ends_at(&vertices, deleted, ends)?,
            None => vec![0; vertices.len()],
        };
        let lists = self.described(&vertices)?.to_vec()?;
        // Who gave up is one of many, perhaps: all of them get room. In slabs, what comes back might
        // need another one.
        let pairs_for = |degree: fn(u32, u32, u32) -> u32| {
            let of_list = |(list, (&inserted, &deleted)): (&Outgrown, (&u32, &u32))| {
                pairs_of::<W>(degree(list.degree, inserted, deleted), LOAD_AGAIN).max(1)
            };
            lists.iter().zip(inserted.iter().zip(&deleted)).map(of_list).collect::<Vec<_>>()
        };
        let least = |degree: u32, inserted: u32, deleted: u32| {
            degree_to_come(degree, 0, inserted.saturating_add(deleted))
        };
        let (mut many, fewer) = (pairs_for(degree_of_beginning), pairs_for(least));
        if many.iter().map(|&pairs| u64::from(pairs)).sum::<u64>() > self.pool.ample_pairs() {
            many = pairs_for(degree_to_come);
        }
        self.lay_out_amply(lists, &many, &fewer)?;
        self.forget_noted()
    }

    /// How many of some edges have their end at each of some vertices, which ascend. Synchronises.
    fn count_ends_at(
        &self,
        vertices: &DeviceBuffer<Vertex>,
        edges: &DeviceBuffer<Edge<W>>,
        ends: &[Endpoint],
    ) -> Result<Vec<u32>, Error> {
        let coming = DeviceBuffer::<Atomic<u32>>::zeroed(&self.device, vertices.len())?;
        for end in ends {
            let (threads, reversed) = (edges.len() as u32, end.is_reversed());
            count_coming::launch(&self.device, threads, edges, reversed, vertices, &coming)?;
        }
        coming.to_vec()
    }

    /// Lays out all of some lists or, if there is no room for that, each that wants more pairs than it has
    /// and for which there is room.
    ///
    /// # Errors
    /// There is room for none that wants more: who tries again would not find more than now.
    fn lay_out_what_fits(&mut self, lists: Vec<Outgrown>, rows: &[u32]) -> Result<(), Error> {
        let Err(error) = self.lay_out(lists.clone(), rows) else { return Ok(()) };
        if !error.is_about_room() || lists.len() == 1 {
            return Err(error);
        }
        let mut fits = false;
        let wants_more = |(list, row): &(Outgrown, &u32)| **row > list.pairs;
        for (list, row) in lists.into_iter().zip(rows).filter(wants_more) {
            match self.lay_out(vec![list], &[*row]) {
                Ok(()) => fits = true,
                Err(error) if error.is_about_room() => {}
                Err(error) => return Err(error),
            }
        }
        if fits { Ok(()) } else { Err(error) }
    }

    /// What the lists of some vertices are. Queued on CUDA.
    pub(super) fn described(
        &self,
        vertices: &DeviceBuffer<Vertex>,
    ) -> Result<DeviceBuffer<Outgrown>, Error> {
        let mut lists = DeviceBuffer::zeroed(&self.device, vertices.len())?;
        let threads = vertices.len() as u32;
        describe_lists::launch(&self.device, threads, self, vertices, &mut lists)?;
        Ok(lists)
    }

    /// Whether a list that was noted is to be laid out again: a hub whose buckets are full, of
    /// neighbours or tombstones, or that wants fewer; or a list that is as long as a hub's, or mostly
    /// tombstones.
    fn is_outgrown(&self, list: &Outgrown) -> bool {
        let Needs { pairs, .. } = needs_of::<W>(list.degree, self.record, LOAD_AGAIN);
        match list.pairs {
            0 => pairs != 0 || list.slabs > MANY_SLABS,
            // Below half, keys alone do not fill buckets one after another.
            there => {
                let taken = u64::from(list.degree) + u64::from(list.tombstones);
                // Some more neighbours are no reason, nor is a long walk: a large hub would be laid out
                // again and again.
                taken >= most_in_hub::<W>(there) || 2 * pairs < there
            }
        }
    }

    /// The pairs of buckets that lists of these degrees ask for, or none.
    pub(super) fn pairs_for(&self, lists: &[Outgrown]) -> Vec<u32> {
        let wanted = |list: &Outgrown| {
            needs_of::<W>(expected_degree::<W>(list), self.record, LOAD_AGAIN).pairs
        };
        lists.iter().map(wanted).collect()
    }

    /// Lays lists out in these numbers of pairs of buckets, or in slabs.
    pub(super) fn lay_out(&mut self, mut lists: Vec<Outgrown>, rows: &[u32]) -> Result<(), Error> {
        self.pool.check_limit(&rows_to_take(&lists, rows))?;
        let layout = self.prepare(&lists)?;
        self.take_pairs_for(&mut lists, rows)?;
        let left = |list: &Outgrown| match list.new_pair == list.pair {
            true => (list.pair + list.new_pairs, list.pairs - list.new_pairs),
            false => (list.pair, list.pairs),
        };
        let rows: Vec<_> = lists.iter().filter(|list| list.pairs != 0).map(left).collect();
        self.lay_out_in(layout, &lists, &rows, Refill::Roomy)
    }

    /// Takes the memory that a layout of these lists needs, beside their new places. Synchronises.
    pub(super) fn prepare(&self, lists: &[Outgrown]) -> Result<Layout<W>, Error> {
        let vertices: Vec<_> = lists.iter().map(|list| list.vertex).collect();
        let vertices = DeviceBuffer::from_slice(&self.device, &vertices)?;
        let arcs = lists.iter().map(|list| u64::from(list.degree)).sum();
        let slabs = lists.iter().map(|list| list.slabs as usize).sum();
        let lists = DeviceBuffer::from_slice(&self.device, lists)?;
        self.layout_of(lists, (items_of(&vertices), OF_HUBS), arcs, slabs)
    }

    /// The same of lists that are on the device, the first of `lists`: those of `vertices`, which have so
    /// many arcs, walked by a schedule, and leave so many slabs. Synchronises.
    pub(super) fn layout_of(
        &self,
        lists: DeviceBuffer<Outgrown>,
        (vertices, schedule): (VertexItems, Schedule),
        arcs: u64,
        slabs: usize,
    ) -> Result<Layout<W>, Error> {
        let count = vertices.count as usize;
        let arcs = collect(&self.device, self, vertices, schedule, arcs)?;
        let left = Left::with_room(&self.device, slabs)?;
        self.load_insertion()?;
        Ok(Layout { lists, count, arcs, left })
    }

    /// Lays lists out where they are to be; these rows of pairs are in no list then. Synchronises.
    pub(super) fn lay_out_in(
        &mut self,
        mut layout: Layout<W>,
        lists: &[Outgrown],
        rows: &[(u32, u32)],
        refill: Refill,
    ) -> Result<(), Error> {
        layout.lists.write(0, lists)?;
        self.lay_out_there(layout, rows, refill)
    }

    /// The same of lists that say on the device where they are to be.
    pub(super) fn lay_out_there(
        &mut self,
        layout: Layout<W>,
        rows: &[(u32, u32)],
        refill: Refill,
    ) -> Result<(), Error> {
        let Layout { lists, count, arcs, left } = layout;
        self.pool.forget_exhaustion()?;
        let (threads, lists) = (count as u32 * 32, lists.view_of(0..count));
        empty_outgrown::launch(&self.device, threads, &*self, lists, left.view())?;
        match refill {
            Refill::Roomy => self.queue(&arcs, Endpoint::Source, NO_LIMIT)?,
            Refill::Exact => {
                let (end, token) = (Endpoint::Source, Internal::TOKEN);
                self.queue_restorations(arcs.view(), end, false, token)?;
            }
        }
        // While the device works.
        for &(first, pairs) in rows {
            self.pool.give_back_pairs(first, pairs);
        }
        let found = read_together(&[self.pool.found()])?;
        if self.note_found(&found, 0) != InsertOutcome::Done {
            // An insertion before, which nobody waited for, may have said so.
            self.insert_by(&arcs, &[Endpoint::Source], Tombstones::Swept, NO_LIMIT)?;
        }
        self.give_back(&left)
    }

    /// Room for the buckets that lists want, or for none.
    fn take_pairs_for(&mut self, lists: &mut [Outgrown], rows: &[u32]) -> Result<(), Error> {
        // Lists that are no hubs take slabs as they are filled.
        let mut slabs = [0; CLASSES];
        for (list, _) in lists.iter().zip(rows).filter(|(_, pairs)| **pairs == 0) {
            for (class, slabs) in (0..).zip(&mut slabs) {
                *slabs += u64::from(slabs_grown::<W>(list.degree, self.record, class));
            }
        }
        self.pool.reserve(slabs)?;
        let taken = rows_to_take(lists, rows);
        let first = self.pool.take_pairs(&taken)?;
        for (i, list) in lists.iter_mut().enumerate() {
            (list.new_pair, list.new_pairs) = match taken[i] == rows[i] {
                true => (first[i], rows[i]),
                false => (list.pair, list.pairs),
            };
            self.most_lists = self.most_lists.max(list.new_pairs);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
