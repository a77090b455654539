//! What the owner of a graph asks of slab lists.

use super::MAX_VERTICES;
use super::adjacency::{Adjacency, spread};
use super::delete::delete_and_list;
use super::delete_vertices::TakenLists;
use super::insert::insert_and_list;
use super::layout::Edge;
use super::lists::{
    ChangeSearch, InsertOutcome, Internal, ListOperations, Listed, RawArc, Tombstones,
};
use super::options::{Endpoint, SlabOptions};
use super::statistics::Statistics;
use crate::device::{Device, DeviceBuffer, Words};
use crate::frontier::Frontier;
use crate::schedule::Schedule;
use crate::slab::Graph;
use crate::view::{Atomic, DeviceSlice};
use crate::{Error, ErrorKind, Vertex, Weight};
use std::ops::Range;

impl<W: Weight> ListOperations for Adjacency<W> {
    type Carried = W;
    type View = Graph<W>;
    type Arg<'a> = &'a Adjacency<W>;
    type Taken = TakenLists;

    fn arg(&self) -> &Adjacency<W> {
        self
    }
    fn device(&self) -> &Device {
        self.device()
    }
    fn vertex_count(&self) -> u32 {
        self.vertex_count()
    }
    fn has_endless_lists(&self) -> bool {
        !self.lays_out_again
    }

    fn check_vertices(count: u64) -> Result<(), Error> {
        match count > MAX_VERTICES {
            true => Err(ErrorKind::TooManyVertices { count }.into()),
            false => Ok(()),
        }
    }
    fn planned(
        degrees: DeviceBuffer<Atomic<u32>>,
        arcs: u64,
        options: &SlabOptions,
        _: Internal,
    ) -> Result<Self, Error> {
        Adjacency::planned(degrees, arcs, options)
    }
    fn fill(&mut self, edges: &DeviceBuffer<Edge<W>>, ends: &[Endpoint]) -> Result<(), Error> {
        self.fill(edges, ends)
    }
    fn finish_filling(&mut self) -> Result<(), Error> {
        self.finish_filling()
    }

    fn queue_insertions(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
        _: Internal,
    ) -> Result<(), Error> {
        self.queue_insertions(edges, end)
    }
    fn queue_deletions(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
        _: Internal,
    ) -> Result<(), Error> {
        self.queue_deletions(edges, end)
    }
    fn queue_searches(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
        found: &DeviceBuffer<Atomic<u32>>,
        _: Internal,
    ) -> Result<(), Error> {
        self.queue_searches(edges, end, found)
    }
    fn queue_restorations(
        &self,
        edges: DeviceSlice<Edge<W>>,
        end: Endpoint,
        _inserts: bool,
        _: Internal,
    ) -> Result<(), Error> {
        self.queue_restorations(edges, end)
    }
    fn queue_change_search(&self, search: ChangeSearch<'_, W>, _: Internal) -> Result<(), Error> {
        self.queue_change_search(search)
    }
    fn queue_listed_insertions(
        &self,
        listed: &Listed<W>,
        patience: u32,
        new: Frontier<Edge<W>>,
        _: Internal,
    ) -> Result<(), Error> {
        let &Listed { edges, limit, whole, reversed, mirrored } = listed;
        let (threads, per_tile) = spread(self.device(), edges.len() as usize);
        let (full, device) = (Schedule::Auto.registers(32), self.device());
        insert_and_list::launch_with(
            full, device, threads, self, edges, limit, whole, per_tile, reversed, mirrored,
            patience, new,
        )
    }
    fn queue_listed_deletions(
        &self,
        listed: &Listed<W>,
        gone: Frontier<Edge<W>>,
        _: Internal,
    ) -> Result<(), Error> {
        let &Listed { edges, limit, whole, reversed, mirrored } = listed;
        let (threads, per_tile) = spread(self.device(), edges.len() as usize);
        let device = self.device();
        delete_and_list::launch(
            device, threads, self, edges, limit, whole, per_tile, reversed, mirrored, gone,
        )
    }

    fn patience(&self) -> u32 {
        self.deepest()
    }
    fn found(&self, _: Internal) -> Words<'_> {
        self.found()
    }
    fn note_found(&mut self, words: &[u32], patience: u32) -> InsertOutcome {
        self.note_found(words, patience)
    }
    fn make_room(
        &mut self,
        outcome: InsertOutcome,
        patience: u32,
        _edges: &DeviceBuffer<Edge<W>>,
        _ends: &[Endpoint],
    ) -> Result<u32, Error> {
        match outcome {
            InsertOutcome::NoPlace => self.lay_out_or_walk(patience),
            _ => self.grow_pool().map(|()| patience),
        }
    }
    fn forget_exhaustion(&mut self) -> Result<(), Error> {
        self.forget_exhaustion()
    }
    fn insert(
        &mut self,
        edges: &DeviceBuffer<Edge<W>>,
        ends: &[Endpoint],
        tombstones: Tombstones<'_, W>,
    ) -> Result<(), Error> {
        // Without a limit, a list always has a place: at its end.
        match tombstones {
            Tombstones::Kept(_) => self.insert(edges, ends),
            Tombstones::Swept => self.insert_and_lay_out(edges, ends),
        }
    }
    fn reserve(&mut self, edges: u64) -> Result<(), Error> {
        // Half full, on average.
        let slabs = edges.div_ceil(u64::from(W::KEYS_PER_SLAB) / 2);
        let slabs = u32::try_from(slabs).map_err(|_| ErrorKind::TooManySlabs { slabs })?;
        self.reserve_slabs(slabs)
    }

    fn has_long_lists(&self) -> bool {
        // One list a vertex stays one.
        self.ratio != 0 && self.has_long_lists()
    }
    fn lay_out_long_lists(&mut self) -> Result<bool, Error> {
        self.lay_out_long_lists()
    }

    fn sweep(&mut self, vertices: Range<Vertex>, _: Internal) -> Result<usize, Error> {
        self.sweep_vertices(vertices)
    }

    fn track_updates(&mut self) -> Result<(), Error> {
        self.track_updates()
    }
    fn advance_updates(&mut self) -> Result<(), Error> {
        self.advance_updates()
    }

    fn copied_degrees(&self) -> Result<DeviceBuffer<Atomic<u32>>, Error> {
        self.degrees().first(self.degrees().len())
    }
    fn arc_count(&self) -> Result<u64, Error> {
        self.arc_count()
    }
    fn bytes(&self) -> u64 {
        self.bytes()
    }
    fn statistics(&self) -> Result<Statistics, Error> {
        self.statistics()
    }
    fn checked_arcs(&self) -> Result<Vec<RawArc>, Error> {
        self.checked_arcs()
    }

    fn reserve_vertices(&mut self, vertices: u32) -> Result<(), Error> {
        self.reserve_vertices(vertices)
    }
    fn add_vertices(&mut self, vertices: u32) -> Result<(), Error> {
        self.add_vertices(vertices)
    }
    fn take_lists(
        &self,
        vertices: &DeviceBuffer<Vertex>,
        _: Internal,
    ) -> Result<(TakenLists, u64), Error> {
        let taken = self.take_lists(vertices)?;
        let arcs = taken.arcs;
        Ok((taken, arcs))
    }
    fn empty_lists(
        &self,
        back: &Self,
        mirrored: bool,
        taken: &TakenLists,
        _: Internal,
    ) -> Result<(), Error> {
        self.empty_lists(back, mirrored, taken)
    }
    fn reuse_lists(
        &mut self,
        vertices: &DeviceBuffer<Vertex>,
        taken: TakenLists,
    ) -> Result<(), Error> {
        self.clear_degrees(vertices)?;
        self.reuse_slabs(taken)
    }
}
