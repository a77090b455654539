//! What each rank of a stream does: it applies its part of each batch that it is told of.

use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use meerkat::runtime::communicator::{Communicator, HostCommunicator, communicator_on};
use meerkat::runtime::distributed::{DistributedGraph, Ownership};
use meerkat::runtime::{Batch, Device, EdgeLists, Error, SlabOptions, Weight};

use super::followers::{Followed, Follower};
use crate::cli::algorithms::{RankFollower, TrackedAlgorithm};
use crate::cli::failure::Failure;
use crate::cli::timing::timed;

/// What the ranks of a stream follow, and how.
pub(super) struct RankTask<'a, A> {
    pub(super) algorithm: &'a A,
    pub(super) vertices: u32,
    pub(super) options: SlabOptions,
    pub(super) ownership: Ownership,
    /// Whether answers are computed from scratch as well.
    pub(super) compares: bool,
}

/// A rank: the graph and the answer as it has them.
pub(super) struct Rank<'a, W: Weight, T> {
    communicator: Rc<dyn Communicator>,
    follower: Box<dyn RankFollower<W, T>>,
    device: &'a Device,
    compares: bool,
}

impl<'a, W: Weight, T> Rank<'a, W, T> {
    /// Begins without edges. None if the algorithm does not run over ranks.
    pub(super) fn begin<L: EdgeLists<Carried = W> + 'static, A: TrackedAlgorithm<W, Answer = T>>(
        own: HostCommunicator,
        device: &'a Device,
        task: &RankTask<'_, A>,
    ) -> Result<Option<Self>, Error> {
        let communicator = communicator_on(own, device)?;
        let (vertices, compares) = (task.vertices, task.compares);
        let graph = DistributedGraph::<L>::from_edges(
            Rc::clone(&communicator),
            device,
            vertices,
            &[],
            &task.options,
            task.ownership,
        )?;
        let follower = task.algorithm.track_over_ranks(graph).transpose()?;
        Ok(follower.map(|follower| Rank { communicator, follower, device, compares }))
    }

    /// Applies its part of a batch.
    fn apply(&mut self, batch: &Batch<W>) -> Result<Followed<T>, Error> {
        self.communicator.barrier()?;
        let part = part_of(batch, self.communicator.rank(), self.communicator.size());
        let follower = &mut self.follower;
        let before = follower.algorithm_ms();
        let ([deleted, inserted], whole) = timed(self.device, || follower.apply(&part))?;
        let algorithm_ms = follower.algorithm_ms() - before;
        let from_scratch_ms = if self.compares { Some(follower.scratch_ms()?) } else { None };
        Ok(Followed {
            answer: follower.answer()?,
            deleted: deleted as usize,
            inserted: inserted as usize,
            graph_ms: (whole.work_ms - algorithm_ms).max(0.0),
            algorithm_ms,
            from_scratch_ms,
        })
    }
}

/// Of a process that is the rank: it reads the batches itself.
impl<W: Weight, T> Follower<W, T> for Rank<'_, W, T> {
    fn follow(&mut self, batch: Batch<W>) -> Result<Followed<T>, Failure> {
        Ok(self.apply(&batch)?)
    }
}

/// What ranks that are threads share.
pub(super) struct RankStream<'a, W: Weight, A: TrackedAlgorithm<W>> {
    pub(super) task: RankTask<'a, A>,
    /// For each rank.
    pub(super) batches: Vec<Mutex<Receiver<Arc<Batch<W>>>>>,
    /// What rank 0 says; the others say nothing.
    pub(super) followed: Mutex<Option<Sender<Followed<A::Answer>>>>,
}

impl<W: Weight, A: TrackedAlgorithm<W>> RankStream<'_, W, A> {
    /// Follows batches on one rank until there are no more; whether the algorithm does.
    pub(super) fn run<L: EdgeLists<Carried = W> + 'static>(
        &self,
        own: HostCommunicator,
        device: &Device,
    ) -> Result<bool, Error> {
        let number = own.rank();
        // First: whatever fails then, rank 0 does not keep others waiting for an answer.
        let followed = match number {
            0 => self.followed.lock().unwrap_or_else(PoisonError::into_inner).take(),
            _ => None,
        };
        let Some(mut rank) = Rank::begin::<L, A>(own, device, &self.task)? else {
            return Ok(false);
        };
        let batches = self.batches[number].lock().unwrap_or_else(PoisonError::into_inner);
        while let Ok(batch) = batches.recv() {
            let done = rank.apply(&batch)?;
            if let Some(followed) = &followed {
                // Where nobody asks any more there is no next batch.
                let _ = followed.send(done);
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
