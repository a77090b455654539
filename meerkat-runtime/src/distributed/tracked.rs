//! Algorithms whose answers follow the batches of a distributed graph.

use super::apply::{DistributedChange, PendingChange};
use super::graph::DistributedGraph;
use super::part::Part;
use crate::Error;
use crate::graph::{BatchSource, EdgeLists};

/// An algorithm over the ranks of a distributed graph. All methods are collective: each rank calls
/// them for its [`Part`], and they exchange what they need. A method that cannot go on fails on all
/// ranks: it asks [`Part::agree`] before the others would wait for it.
pub trait DistributedAlgorithm<L: EdgeLists> {
    /// What a rank keeps: the answer for its own vertices, and all else that it needs.
    type State;
    /// The answer for the whole graph.
    type Output;

    /// The state for a graph, from scratch.
    ///
    /// # Errors
    /// A graph that it cannot take; no memory on any rank; as
    /// [`Communicator`](crate::communicator::Communicator).
    fn compute(&self, part: &Part<'_, L>) -> Result<Self::State, Error>;

    /// Brings the state up to date after a batch. Unless it is written, the state is
    /// [`compute`](Self::compute)d. If it fails, the batch is taken back, and the state computed.
    ///
    /// # Errors
    /// A change that it cannot follow; as [`compute`](Self::compute).
    fn follow(
        &self,
        state: &mut Self::State,
        part: &Part<'_, L>,
        change: PendingChange<'_, L::Carried>,
    ) -> Result<(), Error> {
        let _ = change;
        *state = self.compute(part)?;
        Ok(())
    }

    /// The answer for all vertices, on every rank. Synchronises.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    fn output(&self, state: &Self::State, part: &Part<'_, L>) -> Result<Self::Output, Error>;
}

/// A distributed graph with an algorithm that follows it, as one rank has them: made by
/// [`DistributedGraph::track`].
#[derive(Debug)]
pub struct DistributedTracked<L: EdgeLists, A: DistributedAlgorithm<L>> {
    graph: DistributedGraph<L>,
    algorithm: A,
    /// None after a failure.
    state: Option<A::State>,
}

impl<L: EdgeLists> DistributedGraph<L> {
    /// Computes an algorithm's answer and keeps it right from here on. Collective.
    ///
    /// # Errors
    /// As [`DistributedAlgorithm::compute`].
    pub fn track<A: DistributedAlgorithm<L>>(
        self,
        algorithm: A,
    ) -> Result<DistributedTracked<L, A>, Error> {
        let state = Some(algorithm.compute(&self.part()?)?);
        Ok(DistributedTracked { graph: self, algorithm, state })
    }
}

impl<L: EdgeLists, A: DistributedAlgorithm<L>> DistributedTracked<L, A> {
    /// Applies a batch, of which each rank brings a part, and brings the answer up to date, or refuses
    /// it on all ranks. Collective; synchronises.
    ///
    /// # Errors
    /// As [`DistributedGraph::apply`] and [`DistributedAlgorithm::follow`]: graph and answer are as
    /// they were. (Where the algorithm had begun to follow, its state is computed again. If that
    /// fails, too, [`output`](Self::output) computes the answer.)
    pub fn apply(
        &mut self,
        batch: &impl BatchSource<L::Carried>,
    ) -> Result<DistributedChange<L::Carried>, Error> {
        let DistributedTracked { graph, algorithm, state } = self;
        // Taken out meanwhile: if the algorithm panics there is no state that is not the graph's.
        let (mut own, mut has_begun) = (state.take(), false);
        let applied = graph.transact(
            batch,
            Some(&mut |part: &Part<'_, L>, change: PendingChange<'_, L::Carried>| {
                has_begun = true;
                match &mut own {
                    Some(own) => algorithm.follow(own, part, change),
                    None => {
                        own = Some(algorithm.compute(part)?);
                        Ok(())
                    }
                }
            }),
        );
        *state = own;
        if applied.is_err() && has_begun {
            // What went wrong is the error of the batch.
            *state = None;
            *state = graph.part().and_then(|part| algorithm.compute(&part)).ok();
        }
        applied
    }

    /// The answer for the whole graph as it is, on every rank. Collective; synchronises.
    ///
    /// # Errors
    /// As [`DistributedAlgorithm::output`] and [`DistributedAlgorithm::compute`].
    pub fn output(&mut self) -> Result<A::Output, Error> {
        let part = self.graph.part()?;
        if self.state.is_none() {
            self.state = Some(self.algorithm.compute(&part)?);
        }
        match &self.state {
            Some(state) => self.algorithm.output(state, &part),
            None => Err(crate::ErrorKind::OutOfStep.into()),
        }
    }

    /// The algorithm. Not collective.
    pub fn algorithm(&self) -> &A {
        &self.algorithm
    }

    /// The graph. Not collective.
    pub fn graph(&self) -> &DistributedGraph<L> {
        &self.graph
    }

    /// The graph alone. Not collective.
    pub fn into_graph(self) -> DistributedGraph<L> {
        self.graph
    }
}
