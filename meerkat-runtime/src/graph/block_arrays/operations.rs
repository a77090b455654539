//! What the owner of a graph asks of lists in block arrays.

use super::edges::BlockEdges;
use super::layout::MOST_VERTICES;
use super::search::{
    delete_from_blocks, delete_listed_from_blocks, restore_to_blocks, search_blocks,
};
use super::vertices::Taken;
use super::view::Blocks;
use crate::device::{Device, DeviceBuffer, Words, read_together};
use crate::frontier::Frontier;
use crate::graph::Statistics;
use crate::graph::change::search_alone;
use crate::graph::convert::sum_of;
use crate::graph::layout::Edge;
use crate::graph::lists::{
    ChangeSearch, InsertOutcome, Internal, ListOperations, Listed, RawArc, Tombstones,
};
use crate::graph::options::{Endpoint, SlabOptions};
use crate::view::{Atomic, DeviceSlice};
use crate::{Error, ErrorKind, Vertex, Weight};
use std::ops::Range;

impl<W: Weight> ListOperations for BlockEdges<W> {
    type Carried = W;
    type View = Blocks<W>;
    type Arg<'a> = &'a BlockEdges<W>;
    type Taken = Taken<W>;

    fn arg(&self) -> &BlockEdges<W> {
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
        BlockEdges::planned(&degrees, arcs, options)
    }
    fn fill(&mut self, edges: &DeviceBuffer<Edge<W>>, ends: &[Endpoint]) -> Result<(), Error> {
        self.fill_in(edges, ends)?;
        // The edges may go when this returns.
        self.device.synchronize()
    }
    fn finish_filling(&mut self) -> Result<(), Error> {
        self.sort_lists()
    }

    fn queue_insertions(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
        _: Internal,
    ) -> Result<(), Error> {
        let (limit, whole, reversed) = (self.rounds.no_limit(), false, end.is_reversed());
        let listed = Listed { edges: edges.view(), limit, whole, reversed, mirrored: false };
        let nowhere = DeviceBuffer::empty(&self.device);
        self.queue_insertion(&listed, Frontier { items: nowhere.view(), length: limit })
    }
    fn queue_deletions(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
        _: Internal,
    ) -> Result<(), Error> {
        let threads = edges.len() as u32;
        delete_from_blocks::launch(&self.device, threads, self, edges, end.is_reversed())
    }
    fn queue_searches(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
        found: &DeviceBuffer<Atomic<u32>>,
        _: Internal,
    ) -> Result<(), Error> {
        let threads = edges.len() as u32;
        search_blocks::launch(&self.device, threads, self, edges, end.is_reversed(), found)
    }
    // A list that was merged with what came has lost what was deleted.
    const RESTORES_ALL: bool = false;
    fn queue_restorations(
        &self,
        edges: DeviceSlice<Edge<W>>,
        end: Endpoint,
        _inserts: bool,
        _: Internal,
    ) -> Result<(), Error> {
        restore_to_blocks::launch(&self.device, edges.len(), self, edges, end.is_reversed())
    }
    fn queue_change_search(&self, search: ChangeSearch<'_, W>, _: Internal) -> Result<(), Error> {
        search_alone(self, search)
    }
    fn queue_listed_insertions(
        &self,
        listed: &Listed<W>,
        _patience: u32,
        new: Frontier<Edge<W>>,
        _: Internal,
    ) -> Result<(), Error> {
        self.queue_insertion(listed, new)
    }
    fn queue_listed_deletions(
        &self,
        listed: &Listed<W>,
        gone: Frontier<Edge<W>>,
        _: Internal,
    ) -> Result<(), Error> {
        let &Listed { edges, limit, whole, reversed, mirrored } = listed;
        let (device, threads) = (&self.device, edges.len());
        delete_listed_from_blocks::launch(
            device, threads, self, edges, limit, whole, reversed, mirrored, gone,
        )
    }

    fn patience(&self) -> u32 {
        // Lists have no end that they must not pass.
        0
    }
    fn found(&self, _: Internal) -> Words<'_> {
        self.pool.found()
    }
    fn note_found(&mut self, words: &[u32], _patience: u32) -> InsertOutcome {
        self.has_long_lists = words[2] != 0;
        self.note_longest(words[1]);
        // Without memory for larger rounds there are more of them.
        let _ = self.rounds_for(self.wanted());
        if words[0] == 0 { InsertOutcome::Done } else { InsertOutcome::NoSlab }
    }
    fn make_room(
        &mut self,
        _outcome: InsertOutcome,
        patience: u32,
        _edges: &DeviceBuffer<Edge<W>>,
        _ends: &[Endpoint],
    ) -> Result<u32, Error> {
        self.grow(true).map(|()| patience)
    }
    fn forget_exhaustion(&mut self) -> Result<(), Error> {
        self.forget_exhaustion()
    }
    fn insert(
        &mut self,
        edges: &DeviceBuffer<Edge<W>>,
        ends: &[Endpoint],
        _tombstones: Tombstones<'_, W>,
    ) -> Result<(), Error> {
        // The first time it may have been an insertion before, which nobody waited for.
        let mut is_own = false;
        let _ = self.rounds_for(edges.len() as u32);
        while !edges.is_empty() {
            // Inserting an edge twice is inserting it once.
            ends.iter().try_for_each(|&end| self.queue_insertions(edges, end, Internal::TOKEN))?;
            let found = read_together(&[self.found(Internal::TOKEN)])?;
            if self.note_found(&found, 0) == InsertOutcome::Done {
                break;
            }
            match self.grow(true) {
                Err(error) if is_own || !error.is_about_room() => return Err(error),
                Err(_) => self.forget_exhaustion()?,
                Ok(()) => {}
            }
            is_own = true;
        }
        Ok(())
    }
    fn reserve(&mut self, edges: u64) -> Result<(), Error> {
        self.reserve_blocks(edges)?;
        self.rounds_for(u32::try_from(edges).unwrap_or(u32::MAX))
    }

    fn has_long_lists(&self) -> bool {
        self.has_long_lists
    }
    fn lay_out_long_lists(&mut self) -> Result<bool, Error> {
        self.tidy_noted().map(|()| true)
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
        self.records.bytes() + self.pool.bytes() + self.rounds.bytes() + updates
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
        self.empty(back, mirrored, taken)
    }
    fn reuse_lists(&mut self, _: &DeviceBuffer<Vertex>, taken: Taken<W>) -> Result<(), Error> {
        self.reuse(&taken)
    }
}
