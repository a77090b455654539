//! What the owner of a graph asks of lists in compact slabs.

use super::edges::CompactEdges;
use super::insert::{PATIENCE, insert_arcs, insert_listed_arcs};
use super::layout::MOST_VERTICES;
use super::restore::restore_arcs;
use super::search::{delete_arcs, delete_listed_arcs, search_arcs};
use super::vertices::Taken;
use super::view::Compact;
use crate::device::{Device, DeviceBuffer, Words, read_together};
use crate::frontier::Frontier;
use crate::graph::Statistics;
use crate::graph::change::search_alone;
use crate::graph::convert::sum_of;
use crate::graph::insertion::NO_LIMIT;
use crate::graph::layout::Edge;
use crate::graph::lists::{
    ChangeSearch, InsertOutcome, Internal, ListOperations, Listed, RawArc, Tombstones,
};
use crate::graph::options::{Endpoint, SlabOptions};
use crate::launch::HostArg;
use crate::neighbors::Neighbors;
use crate::schedule::{LaunchOptions, Schedule};
use crate::view::{Atomic, DeviceSlice};
use crate::{Error, ErrorKind, Vertex, Weight};
use std::ops::Range;

/// Insertions wait for memory: more warps do them, 48 of a multiprocessor's 64. (One H200, 2^20 into
/// the uniform graph: 9 % more a second than with 64 registers; with 32 fewer.)
fn few_registers() -> LaunchOptions {
    Schedule::Auto.registers(40)
}

impl<W: Weight> CompactEdges<W> {
    /// Has the kernel of insertions loaded, by a launch that does nothing: a kernel takes memory when it
    /// is launched first.
    pub(super) fn load_insertion(&self) -> Result<(), Error> {
        let none = DeviceBuffer::<Edge<W>>::empty(&self.device);
        self.queue(&none, Endpoint::Source, NO_LIMIT)
    }

    /// The same of restorations.
    pub(super) fn load_restoration(&self) -> Result<(), Error> {
        let none = DeviceBuffer::<Edge<W>>::empty(&self.device);
        restore_arcs::launch(&self.device, 32, self, &none, false, false)
    }

    /// Queues insertions that give up after `patience`. Of no edges, too: that loads the kernel.
    pub(super) fn queue(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
        patience: u32,
    ) -> Result<(), Error> {
        let threads = (edges.len() as u32).max(1);
        let (device, reversed, options) = (&self.device, end.is_reversed(), few_registers());
        insert_arcs::launch_with(options, device, threads, self, edges, reversed, patience)
    }

    /// Inserts edges, and makes the room that they need: see [`ListOperations::insert`]. Where there is no
    /// room for a list that was given up, it is walked to its end.
    pub(super) fn insert_by(
        &mut self,
        edges: &DeviceBuffer<Edge<W>>,
        ends: &[Endpoint],
        tombstones: Tombstones<'_, W>,
        mut patience: u32,
    ) -> Result<(), Error> {
        // The first time it may have been an insertion before, which nobody waited for.
        let mut is_own = false;
        while !edges.is_empty() {
            // Inserting an edge twice is inserting it once.
            ends.iter().try_for_each(|&end| self.queue(edges, end, patience))?;
            let found = read_together(&[self.found(Internal::TOKEN)])?;
            let outcome = self.note_found(&found, 0);
            let room = match (outcome, tombstones) {
                (InsertOutcome::Done, _) => break,
                (InsertOutcome::NoPlace, Tombstones::Kept(deleted)) => {
                    self.lay_out_for(edges, Some(deleted), ends)
                }
                (outcome, _) => self.make_room(outcome, 0, edges, ends).map(drop),
            };
            let is_first = !std::mem::replace(&mut is_own, true);
            if let Err(error) = room {
                let was_patient = std::mem::replace(&mut patience, NO_LIMIT) == NO_LIMIT;
                let can_walk = outcome == InsertOutcome::NoPlace && !was_patient;
                if !(is_first || can_walk) || !error.is_about_room() {
                    return Err(error);
                }
                self.forget_exhaustion()?;
            }
        }
        Ok(())
    }
}

impl<W: Weight> ListOperations for CompactEdges<W> {
    type Carried = W;
    type View = Compact<W>;
    type Arg<'a> = &'a CompactEdges<W>;
    type Taken = Taken<W>;

    fn arg(&self) -> &CompactEdges<W> {
        self
    }
    fn device(&self) -> &Device {
        &self.device
    }
    fn vertex_count(&self) -> u32 {
        self.vertices
    }

    fn check_vertices(count: u64) -> Result<(), Error> {
        match count > MOST_VERTICES.into() {
            true => Err(ErrorKind::TooManyCompactVertices { count }.into()),
            false => Ok(()),
        }
    }
    fn planned(
        degrees: DeviceBuffer<Atomic<u32>>,
        arcs: u64,
        options: &SlabOptions,
        _: Internal,
    ) -> Result<Self, Error> {
        CompactEdges::planned(&degrees, arcs, options.max_slabs)
    }
    fn fill(&mut self, edges: &DeviceBuffer<Edge<W>>, ends: &[Endpoint]) -> Result<(), Error> {
        self.insert_by(edges, ends, Tombstones::Swept, NO_LIMIT)
    }
    fn finish_filling(&mut self) -> Result<(), Error> {
        Ok(())
    }
    fn copy<G: Neighbors<Carried = W>>(
        &mut self,
        source: impl HostArg<G> + Copy,
        _: Internal,
    ) -> Result<bool, Error> {
        self.copy_from(source).map(|()| true)
    }

    fn queue_insertions(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
        _: Internal,
    ) -> Result<(), Error> {
        self.queue(edges, end, NO_LIMIT)
    }
    fn queue_deletions(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
        _: Internal,
    ) -> Result<(), Error> {
        let threads = edges.len() as u32;
        delete_arcs::launch(&self.device, threads, self, edges, end.is_reversed())
    }
    fn queue_searches(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
        found: &DeviceBuffer<Atomic<u32>>,
        _: Internal,
    ) -> Result<(), Error> {
        let threads = edges.len() as u32;
        search_arcs::launch(&self.device, threads, self, edges, end.is_reversed(), found)
    }
    const REUSES_TOMBSTONES: bool = true;
    fn queue_restorations(
        &self,
        edges: DeviceSlice<Edge<W>>,
        end: Endpoint,
        inserts: bool,
        _: Internal,
    ) -> Result<(), Error> {
        let (device, reversed) = (&self.device, end.is_reversed());
        restore_arcs::launch(device, edges.len(), self, edges, reversed, inserts)
    }
    fn queue_change_search(&self, search: ChangeSearch<'_, W>, _: Internal) -> Result<(), Error> {
        search_alone(self, search)
    }
    fn queue_listed_insertions(
        &self,
        listed: &Listed<W>,
        patience: u32,
        new: Frontier<Edge<W>>,
        _: Internal,
    ) -> Result<(), Error> {
        let &Listed { edges, limit, whole, reversed, mirrored } = listed;
        let (device, threads) = (&self.device, edges.len());
        insert_listed_arcs::launch_with(
            few_registers(),
            device,
            threads,
            self,
            edges,
            limit,
            whole,
            reversed,
            mirrored,
            patience,
            new,
        )
    }
    fn queue_listed_deletions(
        &self,
        listed: &Listed<W>,
        gone: Frontier<Edge<W>>,
        _: Internal,
    ) -> Result<(), Error> {
        let &Listed { edges, limit, whole, reversed, mirrored } = listed;
        let (device, threads) = (&self.device, edges.len());
        delete_listed_arcs::launch(
            device, threads, self, edges, limit, whole, reversed, mirrored, gone,
        )
    }

    fn patience(&self) -> u32 {
        PATIENCE
    }
    fn found(&self, _: Internal) -> Words<'_> {
        self.pool.found()
    }
    fn note_found(&mut self, words: &[u32], _patience: u32) -> InsertOutcome {
        self.has_long_lists = words[2] != 0;
        match (words[0], words[1]) {
            (0, 0) => InsertOutcome::Done,
            (0, _) => InsertOutcome::NoPlace,
            _ => InsertOutcome::NoSlab,
        }
    }
    fn make_room(
        &mut self,
        outcome: InsertOutcome,
        patience: u32,
        edges: &DeviceBuffer<Edge<W>>,
        ends: &[Endpoint],
    ) -> Result<u32, Error> {
        match outcome {
            InsertOutcome::NoPlace => self.lay_out_for(edges, None, ends)?,
            _ => self.pool.grow()?,
        }
        Ok(patience)
    }
    fn forget_exhaustion(&mut self) -> Result<(), Error> {
        self.pool.forget_exhaustion()
    }
    fn insert(
        &mut self,
        edges: &DeviceBuffer<Edge<W>>,
        ends: &[Endpoint],
        tombstones: Tombstones<'_, W>,
    ) -> Result<(), Error> {
        self.insert_by(edges, ends, tombstones, PATIENCE)
    }
    fn reserve(&mut self, edges: u64) -> Result<(), Error> {
        // A list that goes on takes a slab for two keys of its own, and then larger ones.
        self.pool.reserve([edges / 2, edges / 4, edges / 8, edges / 16])
    }

    fn has_long_lists(&self) -> bool {
        self.has_long_lists
    }
    fn lay_out_long_lists(&mut self) -> Result<bool, Error> {
        self.lay_out_noted()
    }

    fn sweep(&mut self, vertices: Range<Vertex>, _: Internal) -> Result<usize, Error> {
        self.sweep_vertices(vertices)
    }

    const KEEPS_UPDATES_APART: bool = true;
    fn updates_apart(&mut self) -> Option<&mut Option<Box<Self>>> {
        Some(&mut self.updates)
    }

    fn copied_degrees(&self) -> Result<DeviceBuffer<Atomic<u32>>, Error> {
        self.degrees()
    }
    fn arc_count(&self) -> Result<u64, Error> {
        sum_of(&self.degrees()?)
    }
    fn bytes(&self) -> u64 {
        let updates = self.updates.as_ref().map_or(0, |updates| updates.bytes());
        self.records.bytes() + self.pool.bytes() + updates
    }
    fn statistics(&self) -> Result<Statistics, Error> {
        self.statistics()
    }
    fn checked_arcs(&self) -> Result<Vec<RawArc>, Error> {
        self.checked_arcs()
    }

    fn reserve_vertices(&mut self, vertices: u32) -> Result<(), Error> {
        self.records.reserve(self.slabs_of_records(vertices))
    }
    fn add_vertices(&mut self, vertices: u32) -> Result<(), Error> {
        self.add_records(vertices)
    }
    fn take_lists(
        &self,
        vertices: &DeviceBuffer<Vertex>,
        _: Internal,
    ) -> Result<(Taken<W>, u64), Error> {
        self.take_lists(vertices)
    }
    fn empty_lists(
        &self,
        back: &Self,
        mirrored: bool,
        taken: &Taken<W>,
        _: Internal,
    ) -> Result<(), Error> {
        self.empty_lists(back, mirrored, taken)
    }
    fn reuse_lists(&mut self, _: &DeviceBuffer<Vertex>, taken: Taken<W>) -> Result<(), Error> {
        self.reuse(taken)
    }
}
