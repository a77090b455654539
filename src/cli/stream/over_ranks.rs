//! What each rank of a stream does: it applies its part of each batch that it is told of.

use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use meerkat::runtime::communicator::{Communicator, HostCommunicator, communicator_on};
use meerkat::runtime::distributed::DistributedGraph;
use meerkat::runtime::{Batch, EdgeLists, Error, SlabOptions, Weight};

use super::followers::Followed;
use crate::cli::algorithms::TrackedAlgorithm;
use crate::cli::args::Ranks;
use crate::cli::timing::timed;

/// What the ranks of a stream share.
pub(super) struct RankStream<'a, W: Weight, A: TrackedAlgorithm<W>> {
    pub(super) algorithm: &'a A,
    pub(super) ranks: &'a Ranks,
    pub(super) vertices: u32,
    pub(super) options: SlabOptions,
    /// Whether answers are computed from scratch as well.
    pub(super) compares: bool,
    /// For each rank.
    pub(super) batches: Vec<Mutex<Receiver<Arc<Batch<W>>>>>,
    /// What rank 0 says; the others say nothing.
    pub(super) followed: Mutex<Option<Sender<Followed<A::Answer>>>>,
}

impl<W: Weight, A: TrackedAlgorithm<W>> RankStream<'_, W, A> {
    /// Follows batches on one rank until there are no more; whether the algorithm does.
    pub(super) fn run<L: EdgeLists<Carried = W> + 'static>(
        &self,
        threads: HostCommunicator,
    ) -> Result<bool, Error> {
        let rank = threads.rank();
        // First: whatever fails then, rank 0 does not keep others waiting for an answer.
        let followed = match rank {
            0 => self.followed.lock().unwrap_or_else(PoisonError::into_inner).take(),
            _ => None,
        };
        let device = &self.ranks.devices[rank];
        let communicator = communicator_on(threads, device)?;
        let graph = DistributedGraph::<L>::from_edges(
            communicator.clone(),
            device,
            self.vertices,
            &[],
            &self.options,
            self.ranks.ownership,
        )?;
        let Some(follower) = self.algorithm.track_over_ranks(graph) else { return Ok(false) };
        let mut follower = follower?;
        let batches = self.batches[rank].lock().unwrap_or_else(PoisonError::into_inner);
        while let Ok(batch) = batches.recv() {
            communicator.barrier()?;
            let part = part_of(&batch, rank, self.ranks.devices.len());
            let before = follower.algorithm_ms();
            let ([deleted, inserted], whole) = timed(device, || follower.apply(&part))?;
            let algorithm_ms = follower.algorithm_ms() - before;
            let from_scratch_ms = if self.compares { Some(follower.scratch_ms()?) } else { None };
            let answer = follower.answer()?;
            if let Some(followed) = &followed {
                // Where nobody asks any more there is no next batch.
                let _ = followed.send(Followed {
                    answer,
                    deleted: deleted as usize,
                    inserted: inserted as usize,
                    graph_ms: (whole.work_ms - algorithm_ms).max(0.0),
                    algorithm_ms,
                    from_scratch_ms,
                });
            }
        }
        Ok(true)
    }
}

/// The updates that a rank brings, in order: those of rank 0 first.
fn part_of<W: Weight>(batch: &Batch<W>, rank: usize, ranks: usize) -> Batch<W> {
    let first = |rank: usize| batch.len() * rank / ranks;
    batch.updates().skip(first(rank)).take(first(rank + 1) - first(rank)).collect()
}
