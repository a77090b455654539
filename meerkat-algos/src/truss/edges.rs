//! The edges of an undirected simple graph by number.

use super::operators::{
    EdgeBuffers, STAYS, list_truss, note_ends, number_edges, remove_edge, take_support,
};
use meerkat_runtime::prelude::*;

/// The largest number of an edge that frontiers can list.
const MOST_EDGES: u32 = u32::MAX - (1 << 28);

/// The edges of a list with their numbers, from `first`, as weights.
pub(super) fn numbered(
    edges: &DeviceBuffer<Edge>,
    first: u32,
) -> Result<DeviceBuffer<Edge<u32>>, Error> {
    let mut numbered = DeviceBuffer::zeroed(edges.device(), edges.len())?;
    number_edges::launch(edges.device(), edges, first, &mut numbered)?;
    Ok(numbered)
}

/// What is known of each edge.
#[derive(Debug)]
pub(super) struct Edges {
    /// The ends of each; the first has the lower degree, as long as degrees do not change.
    ends: DeviceBuffer<Edge>,
    support: DeviceBuffer<Atomic<u32>>,
    removed: DeviceBuffer<Atomic<u32>>,
    /// How many numbers are given to edges.
    count: u32,
}

impl Edges {
    /// Takes the triangles of the edges of a list, which weigh their number from then on: their
    /// place. All of them stay. There is room for `more` edges, if so many can have a number.
    pub(super) fn take(listed: &mut DeviceBuffer<Edge<u32>>, more: u32) -> Result<Self, Error> {
        let (device, count) = (listed.device().clone(), listed.len() as u32);
        let capacity = count.saturating_add(more).min(MOST_EDGES).max(count) as usize;
        let mut ends = DeviceBuffer::zeroed(&device, capacity)?;
        let support = DeviceBuffer::zeroed(&device, capacity)?;
        let removed = DeviceBuffer::filled(&device, capacity, STAYS)?;
        take_support::launch(&device, 0..count, listed, &mut ends, &support)?;
        Ok(Edges { ends, support, removed, count })
    }

    /// The edges of a list, whose place is their number, none of them in the truss: of no triangles,
    /// and removed in round 0. There is room for `more` edges.
    pub(super) fn outside(listed: &DeviceBuffer<Edge>, more: u32) -> Result<Self, Error> {
        let (device, count) = (listed.device(), listed.len() as u32);
        let capacity = count.saturating_add(more).min(MOST_EDGES).max(count) as usize;
        let mut ends = DeviceBuffer::zeroed(device, capacity)?;
        let support = DeviceBuffer::zeroed(device, capacity)?;
        let removed = DeviceBuffer::zeroed(device, capacity)?;
        note_ends::launch(device, 0..count, listed, 0, &mut ends)?;
        Ok(Edges { ends, support, removed, count })
    }

    /// Gives numbers to edges, for which there is room.
    pub(super) fn append(&mut self, edges: &DeviceBuffer<Edge>) -> Result<(), Error> {
        let (first, count) = (self.count, edges.len() as u32);
        self.count += count;
        note_ends::launch(edges.device(), first..self.count, edges, first, &mut self.ends)
    }

    pub(super) fn device(&self) -> &Device {
        self.ends.device()
    }

    /// How many edges have a number.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// How many can have one.
    pub(super) fn capacity(&self) -> u32 {
        self.ends.len() as u32
    }

    pub(super) fn ends(&self) -> &DeviceBuffer<Edge> {
        &self.ends
    }

    pub(super) fn removed(&self) -> &DeviceBuffer<Atomic<u32>> {
        &self.removed
    }

    /// What operators see.
    pub(super) fn buffers(&self) -> EdgeBuffers<'_> {
        EdgeBuffers { ends: &self.ends, support: &self.support, removed: &self.removed }
    }

    /// Removes the edges of the frontier, whose round is `first`, then those that this leaves
    /// less than `needed` triangles, and so on. Returns the number of rounds. Synchronises.
    pub(super) fn remove_in_rounds(
        &self,
        graph: &CompactGraph<u32>,
        frontiers: &mut Frontiers<Vertex>,
        needed: u32,
        first: u32,
    ) -> Result<u32, Error> {
        let (device, arcs) = (self.device(), graph.out_edges()?);
        frontiers.repeat(
            |_, _| true,
            |round, current, next| {
                let round = first + round;
                remove_edge::launch(device, current, arcs, self.buffers(), needed, round, next)
            },
        )
    }

    /// The edges that stay, with their support; not more than `most` may. Synchronises.
    pub(super) fn list_truss(&self, most: u32) -> Result<DeviceBuffer<Edge<u32>>, Error> {
        let (device, count) = (self.device(), self.count);
        let mut listed = LevelQueue::new(device, most)?;
        list_truss::launch(device, count, count, self.buffers(), listed.next())?;
        listed.advance()?;
        Ok(listed.into_buffer())
    }
}
