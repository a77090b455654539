//! The host's side of insertion: launches, again and again where slabs ran out or lists got long.

use super::adjacency::{Adjacency, spread};
use super::insert::insert_edges;
use super::layout::Edge;
use super::lists::InsertOutcome;
use super::options::Endpoint;
use crate::device::{DeviceBuffer, read_together};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::schedule::Schedule;
use crate::slab::Graph;
use crate::view::Atomic;
use crate::{Error, Vertex, Weight};
use meerkat_macros::vertex_operator;

/// After this number of slabs of a list, an insertion gives up, if the list can be laid out again:
/// a vertex that gets a million neighbours in one batch is laid out twice meanwhile.
const DEEPEST: u32 = 32;
/// An insertion walks a list to its end.
pub(super) const NO_LIMIT: u32 = u32::MAX;

/// What the degrees of the vertices have counted before an insertion.
#[derive(Clone, Copy, PartialEq)]
enum Degrees {
    /// What was there before.
    Counted,
    /// That, and all edges to be inserted, the repeated ones again.
    Planned,
}

/// Makes the degree of `v` the number of its neighbours. Not for a schedule by which a walk ends
/// at the degree.
#[vertex_operator]
fn count_keys<W: Weight>(v: Vertex, graph: &Graph<W>, degrees: &[Atomic<u32>]) {
    let mut keys = 0u32;
    for_each_neighbor(graph, v, true, |_dst| keys += 1);
    degrees[v].store(keys);
}

impl<W: Weight> Adjacency<W> {
    /// Inserts edges that the degrees have counted; with weights no edge is repeated, unless
    /// with the same weight. Synchronises. [`finish_filling`](Self::finish_filling) follows the
    /// last.
    pub(super) fn fill(
        &mut self,
        edges: &DeviceBuffer<Edge<W>>,
        ends: &[Endpoint],
    ) -> Result<(), Error> {
        ends.iter().try_for_each(|&end| self.queue(edges, end, Degrees::Planned, NO_LIMIT))?;
        let found = read_together(&[self.found()])?;
        if self.note_found(&found, NO_LIMIT) != InsertOutcome::NoSlab {
            return Ok(());
        }
        // Hashes were not as spread as they are elsewhere. Which edges were there before the
        // slabs ran out, and which are repeated, nobody knows.
        self.recounts = true;
        self.insert(edges, ends)
    }

    /// Ends a build: the degrees are right from now on. Queued on CUDA.
    pub(super) fn finish_filling(&mut self) -> Result<(), Error> {
        match std::mem::take(&mut self.recounts) {
            true => {
                let (device, all) = (self.device(), self.vertex_count());
                count_keys::launch_with(Schedule::SlabList, device, 0..all, &*self, self.degrees())
            }
            false => Ok(()),
        }
    }

    /// Inserts edges into the lists of these ends of theirs, and grows the pool
    /// as they need. Tombstones stay where they are.
    pub(super) fn insert(
        &mut self,
        edges: &DeviceBuffer<Edge<W>>,
        ends: &[Endpoint],
    ) -> Result<(), Error> {
        self.insert_by(edges, ends, NO_LIMIT)
    }

    /// [`insert`](Self::insert), where tombstones are not wanted any more: lists that get long
    /// are laid out again.
    pub(super) fn insert_and_lay_out(
        &mut self,
        edges: &DeviceBuffer<Edge<W>>,
        ends: &[Endpoint],
    ) -> Result<(), Error> {
        self.insert_by(edges, ends, self.deepest())
    }

    /// After how many slabs of a list an insertion gives up, for the list to be laid out again.
    pub(super) fn deepest(&self) -> u32 {
        if self.lays_out_again { DEEPEST } else { NO_LIMIT }
    }

    fn insert_by(
        &mut self,
        edges: &DeviceBuffer<Edge<W>>,
        ends: &[Endpoint],
        mut deepest: u32,
    ) -> Result<(), Error> {
        // The first time it may have been an insertion before, which nobody waited for.
        let mut is_own = false;
        while !edges.is_empty() {
            // Inserting an edge twice is inserting it once.
            for &end in ends {
                self.queue(edges, end, Degrees::Counted, deepest)?;
            }
            let found = read_together(&[self.found()])?;
            match self.note_found(&found, deepest) {
                InsertOutcome::Done => break,
                InsertOutcome::NoSlab => {
                    if let Err(error) = self.grow_pool() {
                        self.forget_exhaustion()?;
                        if std::mem::replace(&mut is_own, true) {
                            return Err(error);
                        }
                    }
                }
                InsertOutcome::NoPlace => deepest = self.lay_out_or_walk(deepest)?,
            }
        }
        Ok(())
    }

    pub(super) fn queue_insertions(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
    ) -> Result<(), Error> {
        self.queue(edges, end, Degrees::Counted, NO_LIMIT)
    }

    fn queue(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
        degrees: Degrees,
        deepest: u32,
    ) -> Result<(), Error> {
        let (threads, per_tile) = spread(self.device(), edges.len());
        let (reversed, planned) = (end.is_reversed(), degrees == Degrees::Planned);
        let (full, device) = (Schedule::Auto.registers(32), self.device());
        insert_edges::launch_with(
            full, device, threads, self, edges, per_tile, reversed, planned, deepest,
        )
    }

    /// Has the kernel of insertions loaded, by a launch that does nothing: a kernel takes memory when it
    /// is launched first.
    pub(super) fn load_insertion(&self) -> Result<(), Error> {
        let (full, device) = (Schedule::Auto.registers(32), self.device());
        let none = DeviceBuffer::<Edge<W>>::empty(device);
        insert_edges::launch_with(full, device, 32, self, &none, 1, false, true, NO_LIMIT)
    }

    /// Takes note of the words of what insertions [`found`](Self::found) that gave up after
    /// `deepest` slabs.
    pub(super) fn note_found(&mut self, words: &[u32], deepest: u32) -> InsertOutcome {
        self.has_long_lists = words[2] != 0;
        match (words[0], words[1]) {
            (0, 1..) if deepest != NO_LIMIT => InsertOutcome::NoPlace,
            (0, _) => InsertOutcome::Done,
            _ => InsertOutcome::NoSlab,
        }
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![count_keys::info::<()>()]
}
