//! Which edges and updates a rank brings, and what batches have.

use std::ops::Range;

use meerkat::runtime::device::profile;
use meerkat::runtime::generate::Generator;
use meerkat::runtime::{Device, DeviceBatch, DeviceBuffer, Edge, Error};

use super::measure::Plan;
use crate::cli::failure::Failure;

/// What each batch of a phase has.
#[derive(Clone, Copy)]
pub(super) struct Phase {
    insertions: u32,
    deletions: u32,
    seed: u64,
    /// The number of the first edge that goes.
    from: u64,
}

/// Insertions, deletions, and the two that are followed: no edge goes twice.
pub(super) fn phases(
    graph: &Generator,
    (batch, followed): (u32, u32),
    rounds: u32,
) -> Result<[Phase; 4], Failure> {
    let (half, turns) = (followed / 2, u64::from(turns(rounds)));
    let (gone, more) = (turns * u64::from(batch), turns * u64::from(half));
    let (needed, there) = (gone + 2 * more, graph.edge_numbers());
    if needed > there {
        return Err(Failure::TooFewEdges { graph: graph.to_string(), needed, there });
    }
    let phase = |insertions, deletions, seed, from| Phase { insertions, deletions, seed, from };
    Ok([
        phase(batch, 0, 1000, 0),
        phase(0, batch, 0, 0),
        phase(half, half, 2000, gone),
        phase(half, half, 3000, gone + more),
    ])
}

/// One batch to begin with, one for each round, and one to be shown.
fn turns(rounds: u32) -> u32 {
    rounds.saturating_add(1 + u32::from(profile::is_asked_for()))
}

/// Which of the parts of all edges and updates somebody brings.
pub(super) struct Share {
    pub(super) of: u32,
    pub(super) ranks: Range<u32>,
}

impl Share {
    pub(super) fn edges(
        &self,
        graph: &Generator,
        device: &Device,
    ) -> Result<DeviceBuffer<Edge>, Error> {
        let (all, of) = (graph.edge_numbers(), u64::from(self.of));
        let at = |rank: u32| all * u64::from(rank) / of;
        graph.edges_numbered(device, 0, at(self.ranks.start)..at(self.ranks.end))
    }

    /// The batches of a phase: new pairs come, or edges of the graph go, or both.
    pub(super) fn batches(
        &self,
        plan: &Plan,
        device: &Device,
        phase: Phase,
    ) -> Result<Vec<DeviceBatch>, Error> {
        (0..turns(plan.rounds)).map(|turn| self.batch(&plan.graph, device, phase, turn)).collect()
    }

    fn batch(
        &self,
        graph: &Generator,
        device: &Device,
        phase: Phase,
        turn: u32,
    ) -> Result<DeviceBatch, Error> {
        let Phase { insertions, deletions, seed, from } = phase;
        let part = |all: u32, rank: u32| u64::from(all) * u64::from(rank) / u64::from(self.of);
        let (mut edges, mut deletes) = (Vec::new(), Vec::new());
        let first = from + u64::from(turn) * u64::from(deletions);
        let seed = seed + u64::from(turn) * u64::from(self.of);
        for rank in self.ranks.clone() {
            let come = (part(insertions, rank + 1) - part(insertions, rank)) as u32;
            let sample = graph.sample::<()>(device, seed + u64::from(rank), come)?;
            edges.extend(sample.to_vec()?);
            deletes.resize(edges.len(), 0);
            let go = first + part(deletions, rank)..first + part(deletions, rank + 1);
            edges.extend(graph.edges_numbered::<()>(device, 0, go)?.to_vec()?);
            deletes.resize(edges.len(), 1);
        }
        let edges = DeviceBuffer::from_slice(device, &edges)?;
        match (insertions, deletions) {
            (_, 0) => Ok(DeviceBatch::insertions(edges)),
            (0, _) => Ok(DeviceBatch::deletions(edges)),
            _ => DeviceBatch::mixed(edges, DeviceBuffer::from_slice(device, &deletes)?),
        }
    }
}
