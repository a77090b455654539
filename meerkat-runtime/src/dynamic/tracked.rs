//! A graph and an algorithm's state that move together.

use super::DynamicAlgorithm;
use crate::graph::{Batch, Change, SlabGraph};
use crate::{Error, ErrorKind, Weight};

/// A graph with an algorithm that tracks it; made by [`SlabGraph::track`].
#[derive(Debug)]
pub struct Tracked<W: Weight, A: DynamicAlgorithm<W>> {
    graph: SlabGraph<W>,
    algorithm: A,
    /// That of the graph as it is; none after a failure.
    state: Option<A::State>,
}

impl<W: Weight> SlabGraph<W> {
    /// Computes an algorithm's answer and keeps it right from here on, through
    /// [`Tracked::apply`]. A tuple of algorithms tracks the graph together.
    ///
    /// # Errors
    /// What [`DynamicAlgorithm::check_graph`] misses; the device fails.
    pub fn track<A: DynamicAlgorithm<W>>(self, algorithm: A) -> Result<Tracked<W, A>, Error> {
        algorithm.check_graph(&self)?;
        let state = Some(algorithm.compute(&self)?);
        Ok(Tracked { graph: self, algorithm, state })
    }
}

impl<W: Weight, A: DynamicAlgorithm<W>> Tracked<W, A> {
    /// Applies a batch to the graph and brings the answer up to date. Returns
    /// what the batch changed. Synchronises.
    ///
    /// Where the graph tracks updates, they are then those of this batch.
    ///
    /// # Errors
    /// A batch that graph or algorithm cannot take, and then both are as they were. No
    /// memory, or the algorithm fails on the deletions: the graph is as it was. The
    /// algorithm fails later: the batch is applied. Either way there is no answer until the
    /// next `apply`, which then computes from scratch, or [`recompute`](Self::recompute).
    pub fn apply(&mut self, batch: &Batch<W>) -> Result<Change<W>, Error> {
        let Tracked { graph, algorithm, state } = self;
        let change = graph.change_of(batch)?;
        algorithm.check_change(&change)?;
        // It is put back once all has gone well.
        let mut former = state.take();
        if graph.options().track_updates {
            graph.update_slab_pointers()?;
        }
        graph.transact(&change, |graph| match &mut former {
            Some(state) if !change.deleted().is_empty() => {
                algorithm.on_delete(state, graph, change.deleted())
            }
            _ => Ok(()),
        })?;
        *state = Some(match former {
            Some(mut state) => {
                if !change.inserted().is_empty() {
                    algorithm.on_insert(&mut state, graph, change.inserted())?;
                }
                if !change.is_empty() {
                    algorithm.finish_batch(&mut state, graph)?;
                }
                state
            }
            None => algorithm.compute(graph)?,
        });
        Ok(change)
    }

    /// Computes the answer from scratch.
    ///
    /// # Errors
    /// The device fails.
    pub fn recompute(&mut self) -> Result<(), Error> {
        let state = match self.state.take() {
            Some(mut state) => {
                self.algorithm.recompute(&mut state, &self.graph)?;
                state
            }
            None => self.algorithm.compute(&self.graph)?,
        };
        self.state = Some(state);
        Ok(())
    }

    /// The answer for the graph as it is. Synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfStep`] after a batch that failed half-way; the device
    /// fails.
    pub fn output(&self) -> Result<A::Output, Error> {
        self.algorithm.output(self.state()?)
    }

    /// What the algorithm keeps of the graph as it is.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfStep`] after a batch that failed half-way.
    pub fn state(&self) -> Result<&A::State, Error> {
        self.state.as_ref().ok_or_else(|| ErrorKind::OutOfStep.into())
    }

    /// The graph as it is.
    pub fn graph(&self) -> &SlabGraph<W> {
        &self.graph
    }

    /// The algorithm: what is asked of the graph.
    pub fn algorithm(&self) -> &A {
        &self.algorithm
    }

    /// Parts the graph and the algorithm again; the state is dropped.
    pub fn into_parts(self) -> (SlabGraph<W>, A) {
        (self.graph, self.algorithm)
    }
}
