//! One orientation of a graph of block arrays, as the host owns it.

use super::alone::insert_alone;
use super::build;
use super::insert::*;
use super::long::{end_long, move_pieces, prepare_long};
use super::merge::{merge_medium, merge_short, merge_tiny};
use super::pool::Pool;
use super::round::Rounds;
use super::view::Blocks;
use crate::device::{Device, DeviceBuffer};
use crate::frontier::Frontier;
use crate::graph::convert::{degrees_of, neighbors_of};
use crate::graph::layout::Edge;
use crate::graph::lists::Listed;
use crate::graph::options::SlabOptions;
use crate::graph::statistics::largest_of;
use crate::launch::HostArg;
use crate::view::{Atomic, Slab};
use crate::{Error, Vertex, Weight};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering};

/// The neighbours of every vertex in one direction, in block arrays: what `&Blocks<W>` of an
/// operator takes.
#[derive(Debug)]
pub struct BlockEdges<W: Weight = ()> {
    pub(super) device: Device,
    pub(super) records: DeviceBuffer<Slab>,
    pub(super) pool: Pool,
    pub(super) rounds: Rounds,
    /// For how many edges rounds are wanted.
    wanted: AtomicU32,
    pub(super) vertices: u32,
    /// The exponent of the places of the least block.
    pub(super) least: u32,
    /// Places of a block array, at least.
    pub(super) array: u64,
    pub(super) average_degree: u32,
    pub(super) most_lists: u32,
    /// Whether a deletion noted a list, as was last read.
    pub(super) has_long_lists: bool,
    /// What came since a moment, if that is tracked.
    pub(super) updates: Option<Box<BlockEdges<W>>>,
    weight: PhantomData<W>,
}

/// How many edges a round takes, at least and at most.
const FEW_EDGES: u32 = 1 << 10;
const MOST_EDGES: u32 = 1 << 20;

impl<W: Weight> BlockEdges<W> {
    /// Empty lists for vertices of these degrees, which count `arcs` arcs. Synchronises.
    pub(super) fn planned(
        degrees: &DeviceBuffer<Atomic<u32>>,
        arcs: u64,
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        let device = degrees.device();
        let vertices = degrees.len() as u32;
        let least = options.block.least.max(4).ilog2();
        let (needs, most) = build::needs_of(degrees, least)?;
        let mut edges = BlockEdges {
            device: device.clone(),
            records: DeviceBuffer::zeroed(device, (vertices as usize).div_ceil(8))?,
            pool: Pool::new(device, vertices, options.max_slabs)?,
            rounds: Rounds::new(device, FEW_EDGES, 0)?,
            wanted: AtomicU32::new(FEW_EDGES),
            vertices,
            least,
            array: options.block.array.into(),
            average_degree: arcs.div_ceil(u64::from(vertices.max(1))) as u32,
            most_lists: lists_of(most),
            has_long_lists: false,
            updates: None,
            weight: PhantomData,
        };
        edges.map_built(needs)?;
        edges.place(degrees, 0)?;
        let keys = edges.keys();
        edges.rounds = Rounds::new(device, FEW_EDGES, keys)?;
        Ok(edges)
    }

    /// Places of all blocks: there are no more keys.
    pub(super) fn keys(&self) -> u64 {
        let counts = self.pool.counts.iter().enumerate();
        counts.map(|(class, count)| count * self.places(class)).sum()
    }

    /// For how many edges rounds are wanted.
    pub(super) fn wanted(&self) -> u32 {
        self.wanted.load(Ordering::Relaxed)
    }

    /// Makes the rounds serve so many edges, as far as there is use in it, and the keys that there
    /// are.
    pub(super) fn rounds_for(&mut self, edges: u32) -> Result<(), Error> {
        let edges = edges.clamp(FEW_EDGES, MOST_EDGES).next_power_of_two().max(self.rounds.edges);
        let keys = self.keys();
        if !self.rounds.serves(edges, keys) {
            // An eighth more, so that a growing graph does not ask each time.
            self.rounds = Rounds::new(&self.device, edges, keys + keys / 8)?;
        }
        Ok(())
    }

    /// Takes note of the most keys of a list.
    pub(super) fn note_longest(&mut self, longest: u32) {
        self.most_lists = self.most_lists.max(lists_of(longest));
    }

    /// Queues the insertion of edges, and lists the arcs that are new in `new`, if that has room.
    pub(super) fn queue_insertion(
        &self,
        listed: &Listed<W>,
        new: Frontier<Edge<W>>,
    ) -> Result<(), Error> {
        let (edges, device, round) = (listed.edges, &self.device, &self.rounds);
        self.wanted.fetch_max(edges.len().min(MOST_EDGES), Ordering::Relaxed);
        let most = (device.threads_at_once() as u32).max(32);
        for from in (0..edges.len()).step_by(round.edges as usize) {
            let done = self.queue_round(listed, from, most, new);
            if done.is_err() {
                // What the round had counted is not to be taken up by the next.
                clear_turns::launch(device, 32, round)?;
            }
            round.next();
            done?;
        }
        Ok(())
    }

    /// Queues the round of the edges from `from` on.
    fn queue_round(
        &self,
        listed: &Listed<W>,
        from: u32,
        most: u32,
        new: Frontier<Edge<W>>,
    ) -> Result<(), Error> {
        let &Listed { edges, limit, whole, reversed, mirrored } = listed;
        let (device, round) = (&self.device, &self.rounds);
        let threads = (edges.len() - from).clamp(32, round.edges.max(32));
        let (few, warps) = (threads.min(most), threads.saturating_mul(32).min(most));
        insert_alone::launch(device, threads, self, edges, limit, whole, reversed, from, round)?;
        claim_places::launch(device, few, self, edges, reversed, from, round)?;
        part_arrivals::launch(device, few, self, edges, reversed, from, round)?;
        gather_arrivals::launch(device, few, self, edges, reversed, from, round)?;
        merge_tiny::launch(device, few, self, edges, from, round)?;
        merge_short::launch(device, warps, self, edges, from, round)?;
        merge_medium::launch(device, warps, self, edges, from, round)?;
        prepare_long::launch(device, warps, self, round)?;
        move_pieces::launch(device, most, self, edges, from, round)?;
        end_long::launch(device, few, self, round)?;
        self.put_back(round.released(), threads)?;
        if new.items.len() != 0 {
            list_new::launch(device, threads, self, edges, reversed, mirrored, from, round, new)?;
        }
        Ok(())
    }

    /// How many neighbours each vertex has. Queued on CUDA.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn degrees(&self) -> Result<DeviceBuffer<Atomic<u32>>, Error> {
        degrees_of(&self.device, self.vertices, self)
    }

    /// The neighbours of a vertex and the weights of their edges, ascending. Synchronises.
    ///
    /// # Errors
    /// No such vertex; the device fails.
    pub fn neighbors(&self, vertex: Vertex) -> Result<Vec<(Vertex, W)>, Error> {
        neighbors_of(self, vertex)
    }

    /// The vertex with the most neighbours, of equals the smallest; none in a graph without
    /// vertices. Synchronises.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn vertex_of_largest_degree(&self) -> Result<Option<Vertex>, Error> {
        largest_of(&self.degrees()?)
    }

    /// The device it is on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    pub(super) fn view(&self) -> Blocks<W> {
        let updates = self.updates.as_deref();
        let of_updates = updates.unwrap_or(self);
        Blocks {
            records: self.records.view(),
            blocks: self.pool.blocks.view(),
            shelves: self.pool.shelves.view(),
            stock: self.pool.shelves.plain_view(0..self.pool.shelves.len()),
            free: self.pool.free.view(),
            noted: self.pool.noted(),
            vertices: self.vertices,
            least: self.least,
            average_degree: self.average_degree,
            most_lists: self.most_lists,
            updated_records: of_updates.records.view(),
            updated_blocks: of_updates.pool.blocks.view(),
            tracks_updates: updates.is_some().into(),
            weight: PhantomData,
        }
    }
}

/// In how many parts a list of so many keys is read.
fn lists_of(keys: u32) -> u32 {
    keys.div_ceil(32).max(1)
}

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl<W: Weight> HostArg<Blocks<W>> for &BlockEdges<W> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Blocks<W>, Error> {
        self.records.check_device(device)?;
        Ok(self.view())
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::Batch;
    use crate::{BlockGraph, Device, Edge, Error, SlabOptions};

    /// Only lists that grew by more than 32 keys at once, or beyond 2048, were noticed.
    #[test]
    fn a_list_that_grows_by_30_keys_a_batch_is_read_in_more_parts() -> Result<(), Error> {
        let mut graph =
            BlockGraph::<()>::from_edges(&Device::cpu(), 1000, &[], &SlabOptions::DEFAULT)?;
        for batch in 0..20u32 {
            let edge = |at| Edge { src: 0, dst: batch * 30 + at, weight: () };
            graph.apply(&Batch::new().insert((0..30).map(edge).collect::<Vec<_>>()))?;
        }
        assert!(graph.out_edges()?.most_lists >= 600 / 32, "{}", graph.out_edges()?.most_lists);
        Ok(())
    }
}
