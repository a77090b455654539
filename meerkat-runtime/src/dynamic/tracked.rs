//! A graph and an algorithm that move together.

use super::DynamicAlgorithm;
use crate::graph::{Batch, Change, SlabGraph};
use crate::{Error, ErrorKind, Weight};

/// A graph with an algorithm that tracks it; made by [`SlabGraph::track`].
#[derive(Debug)]
pub struct Tracked<W: Weight, A> {
    graph: SlabGraph<W>,
    algorithm: A,
    /// Whether the answer is that of the graph.
    in_step: bool,
}

impl<W: Weight> SlabGraph<W> {
    /// Computes an algorithm's answer and keeps it right from here on, through
    /// [`Tracked::apply`]. A tuple of algorithms tracks the graph together.
    ///
    /// # Errors
    /// What [`DynamicAlgorithm::check_graph`] misses; the device fails.
    pub fn track<A: DynamicAlgorithm<W>>(self, algorithm: A) -> Result<Tracked<W, A>, Error> {
        algorithm.check_graph(&self)?;
        let mut tracked = Tracked { graph: self, algorithm, in_step: false };
        tracked.recompute()?;
        Ok(tracked)
    }
}

impl<W: Weight, A: DynamicAlgorithm<W>> Tracked<W, A> {
    /// Applies a batch to the graph and brings the answer up to date. Returns
    /// what the batch changed. Synchronises.
    ///
    /// After a batch that failed half-way the next one computes from scratch. Where the
    /// graph tracks updates, they are then those of this batch.
    ///
    /// # Errors
    /// A batch that graph or algorithm cannot take, and then both are as they were. No
    /// memory, or the algorithm fails on the deletions: the graph is as it was. The
    /// algorithm fails later: the batch is applied. Either way there is no answer before
    /// [`recompute`](Self::recompute).
    pub fn apply(&mut self, batch: &Batch<W>) -> Result<Change<W>, Error> {
        let change = self.graph.change_of(batch)?;
        self.algorithm.check_change(&change)?;
        let follow = std::mem::replace(&mut self.in_step, false);
        if self.graph.options().track_updates {
            self.graph.update_slab_pointers()?;
        }
        let (algorithm, deleted) = (&mut self.algorithm, &change.deleted);
        self.graph.transact(&change, |graph| match follow && !deleted.is_empty() {
            true => algorithm.on_delete(graph, deleted),
            false => Ok(()),
        })?;
        if follow && !change.inserted.is_empty() {
            self.algorithm.on_insert(&self.graph, &change.inserted)?;
        }
        if !follow {
            self.recompute()?;
        } else if !change.is_empty() {
            self.algorithm.finish_batch(&self.graph)?;
        }
        self.in_step = true;
        Ok(change)
    }

    /// Computes the answer from scratch.
    ///
    /// # Errors
    /// The device fails.
    pub fn recompute(&mut self) -> Result<(), Error> {
        self.in_step = false;
        self.algorithm.compute(&self.graph)?;
        self.in_step = true;
        Ok(())
    }

    /// The answer for the graph as it is. Synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfStep`] after a batch that failed half-way; the device
    /// fails.
    pub fn output(&self) -> Result<A::Output, Error> {
        if self.in_step { self.algorithm.output() } else { Err(ErrorKind::OutOfStep.into()) }
    }

    /// The graph as it is.
    pub fn graph(&self) -> &SlabGraph<W> {
        &self.graph
    }

    /// The algorithm, with what it knows besides its output.
    pub fn algorithm(&self) -> &A {
        &self.algorithm
    }

    /// Parts them again.
    pub fn into_parts(self) -> (SlabGraph<W>, A) {
        (self.graph, self.algorithm)
    }
}
