//! Algorithms over ranks, as commands see them.

use meerkat::runtime::communicator::Reduction;
use meerkat::runtime::distributed::{
    DistributedAlgorithm, DistributedGraph, DistributedTracked, Part,
};
use meerkat::runtime::graph::{Batch, Change};
use meerkat::runtime::{EdgeLists, Error, Weight};

use crate::cli::stream::Timed;
use crate::cli::timing::timed;

/// The answer of an algorithm over ranks, from scratch. Collective.
pub(super) fn computed_over_ranks<L: EdgeLists, A: DistributedAlgorithm<L>>(
    algorithm: &A,
    part: &Part<'_, L>,
) -> Result<A::Output, Error> {
    let state = algorithm.compute(part)?;
    algorithm.output(&state, part)
}

/// A graph over ranks whose answer follows batches, as one rank has it. Its methods are collective.
pub(in crate::cli) trait RankFollower<W: Weight, T> {
    /// Applies a batch, of which this rank brings a part: how many arcs of all ranks it deleted and
    /// inserted.
    fn apply(&mut self, part: &Batch<W>) -> Result<[u64; 2], Error>;

    /// Milliseconds in the algorithm so far, on this rank.
    fn algorithm_ms(&self) -> f64;

    /// How long the answer takes without the one before, in milliseconds.
    fn scratch_ms(&self) -> Result<f64, Error>;

    /// The answer for the whole graph.
    fn answer(&mut self) -> Result<T, Error>;
}

/// A graph, followed by an algorithm that is timed.
pub(super) fn follower<L: EdgeLists + 'static, A, T>(
    graph: DistributedGraph<L>,
    algorithm: A,
) -> Result<Box<dyn RankFollower<L::Carried, T>>, Error>
where
    A: DistributedAlgorithm<L, Output: Into<T>> + 'static,
    A::State: 'static,
{
    Ok(Box::new(graph.track(Timed::new(algorithm))?))
}

impl<L: EdgeLists, A, T> RankFollower<L::Carried, T> for DistributedTracked<L, Timed<A>>
where
    A: DistributedAlgorithm<L, Output: Into<T>>,
{
    fn apply(&mut self, part: &Batch<L::Carried>) -> Result<[u64; 2], Error> {
        let change = DistributedTracked::apply(self, part)?;
        // An arc is with one rank in each orientation.
        let of_rank = |change: &Change<_>| [change.deleted().len(), change.inserted().len()];
        let of_rank = change.out.as_ref().or(change.into.as_ref()).map_or([0, 0], of_rank);
        let mut arcs = of_rank.map(|arcs| arcs as u64);
        self.graph().communicator().all_reduce(&mut arcs, Reduction::Sum)?;
        Ok(arcs)
    }

    fn algorithm_ms(&self) -> f64 {
        self.algorithm().milliseconds()
    }

    fn scratch_ms(&self) -> Result<f64, Error> {
        let part = self.graph().part()?;
        let compute = || self.algorithm().untimed().compute(&part).map(drop);
        Ok(timed(self.graph().device(), compute)?.1.work_ms)
    }

    fn answer(&mut self) -> Result<T, Error> {
        self.output().map(Into::into)
    }
}
