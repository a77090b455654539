//! An algorithm and how long it takes.

use meerkat::runtime::distributed::{DistributedAlgorithm, Part, PendingChange};
use meerkat::runtime::graph::Change;
use meerkat::runtime::{Container, DeviceBuffer, DynamicAlgorithm, Edge, EdgeLists, Error};

use crate::cli::timing::timed;
use std::cell::Cell;

/// A dynamic algorithm that notes how long its part of a batch takes, without
/// compiling kernels. It waits for the device before and after every step.
pub(in crate::cli) struct Timed<A> {
    algorithm: A,
    milliseconds: Cell<f64>,
}

impl<A> Timed<A> {
    pub(in crate::cli) fn new(algorithm: A) -> Self {
        Self { algorithm, milliseconds: Cell::new(0.0) }
    }

    /// Milliseconds in all steps so far.
    pub(in crate::cli) fn milliseconds(&self) -> f64 {
        self.milliseconds.get()
    }

    /// The algorithm, whose time does not count.
    pub(in crate::cli) fn untimed(&self) -> &A {
        &self.algorithm
    }

    fn time<T>(
        &self,
        graph: &impl Container,
        step: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        // What was queued before is no part of it.
        graph.device().synchronize()?;
        let (made, span) = timed(graph.device(), step)?;
        self.milliseconds.set(self.milliseconds.get() + span.work_ms);
        Ok(made)
    }
}

impl<C: Container, A: DynamicAlgorithm<C>> DynamicAlgorithm<C> for Timed<A> {
    type State = A::State;
    type Output = A::Output;

    fn check_graph(&self, graph: &C) -> Result<(), Error> {
        self.algorithm.check_graph(graph)
    }

    fn check_change(&self, change: &Change<C::Carried>) -> Result<(), Error> {
        self.algorithm.check_change(change)
    }

    fn compute(&self, graph: &C) -> Result<A::State, Error> {
        self.time(graph, || self.algorithm.compute(graph))
    }

    fn recompute(&self, state: &mut A::State, graph: &C) -> Result<(), Error> {
        self.time(graph, || self.algorithm.recompute(state, graph))
    }

    fn on_delete(
        &self,
        state: &mut A::State,
        graph: &C,
        deleted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        self.time(graph, || self.algorithm.on_delete(state, graph, deleted))
    }

    fn on_insert(
        &self,
        state: &mut A::State,
        graph: &C,
        inserted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        self.time(graph, || self.algorithm.on_insert(state, graph, inserted))
    }

    fn finish_batch(&self, state: &mut A::State, graph: &C) -> Result<(), Error> {
        self.time(graph, || self.algorithm.finish_batch(state, graph))
    }

    fn output(&self, state: &A::State) -> Result<A::Output, Error> {
        self.algorithm.output(state)
    }
}

impl<L: EdgeLists, A: DistributedAlgorithm<L>> DistributedAlgorithm<L> for Timed<A> {
    type State = A::State;
    type Output = A::Output;

    fn compute(&self, part: &Part<'_, L>) -> Result<A::State, Error> {
        self.time(part.edges(), || self.algorithm.compute(part))
    }

    fn follow(
        &self,
        state: &mut A::State,
        part: &Part<'_, L>,
        change: PendingChange<'_, L::Carried>,
    ) -> Result<(), Error> {
        self.time(part.edges(), || self.algorithm.follow(state, part, change))
    }

    fn output(&self, state: &A::State, part: &Part<'_, L>) -> Result<A::Output, Error> {
        self.algorithm.output(state, part)
    }
}
