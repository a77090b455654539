//! A graph with an answer that follows batches: on one device, or over ranks.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use meerkat::runtime::{
    Batch, Container, Device, DynamicAlgorithm, DynamicGraph, EdgeLists, Error, Tracked, Weight,
};

use super::Timed;
use crate::cli::failure::Failure;
use crate::cli::timing::timed;

/// What came of a batch.
pub(super) struct Followed<T> {
    pub(super) answer: T,
    /// Arcs that the batch changed.
    pub(super) deleted: usize,
    pub(super) inserted: usize,
    /// Milliseconds for the graph, for the algorithm, and for a computation from scratch.
    pub(super) graph_ms: f64,
    pub(super) algorithm_ms: f64,
    pub(super) from_scratch_ms: Option<f64>,
}

/// A graph with an answer that follows batches.
pub(super) trait Follower<W: Weight, T> {
    /// Applies the next batch.
    fn follow(&mut self, batch: Batch<W>) -> Result<Followed<T>, Failure>;
}

/// On one device.
pub(super) struct OnDevice<'a, L: EdgeLists, A: DynamicAlgorithm<DynamicGraph<L>>> {
    pub(super) device: &'a Device,
    pub(super) tracked: Tracked<DynamicGraph<L>, Timed<A>>,
    /// Whether answers are computed from scratch as well.
    pub(super) compares: bool,
}

impl<L: EdgeLists, A, T> Follower<L::Carried, T> for OnDevice<'_, L, A>
where
    A: DynamicAlgorithm<DynamicGraph<L>, Output: Into<T>>,
{
    fn follow(&mut self, batch: Batch<L::Carried>) -> Result<Followed<T>, Failure> {
        let tracked = &mut self.tracked;
        let before = tracked.algorithm().milliseconds();
        let (change, whole) = timed(self.device, || tracked.apply(&batch))?;
        let algorithm_ms = tracked.algorithm().milliseconds() - before;
        let from_scratch_ms = match self.compares {
            true => Some(from_scratch(tracked.algorithm().untimed(), tracked.graph())?),
            false => None,
        };
        Ok(Followed {
            answer: tracked.output()?.into(),
            deleted: change.deleted().len(),
            inserted: change.inserted().len(),
            graph_ms: (whole.work_ms - algorithm_ms).max(0.0),
            algorithm_ms,
            from_scratch_ms,
        })
    }
}

/// How long an answer takes without the one before.
fn from_scratch<C: Container, A: DynamicAlgorithm<C>>(
    algorithm: &A,
    graph: &C,
) -> Result<f64, Error> {
    let (_, span) = timed(graph.device(), || algorithm.compute(graph))?;
    Ok(span.work_ms)
}

/// Over ranks, which are threads: each is told of the batch, and the first says what came of it.
pub(super) struct OverRanks<'a, W: Weight, T> {
    pub(super) batches: Vec<Sender<Arc<Batch<W>>>>,
    pub(super) followed: &'a Receiver<Followed<T>>,
}

impl<W: Weight, T> Follower<W, T> for OverRanks<'_, W, T> {
    fn follow(&mut self, batch: Batch<W>) -> Result<Followed<T>, Failure> {
        let batch = Arc::new(batch);
        // A rank that has gone says why itself.
        self.batches.iter().for_each(|rank| drop(rank.send(Arc::clone(&batch))));
        self.followed.recv().map_err(|_| Failure::RanksAreGone)
    }
}
