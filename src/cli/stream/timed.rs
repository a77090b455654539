//! An algorithm and how long it takes.

use meerkat::runtime::graph::Change;
use meerkat::runtime::{DeviceBuffer, DynamicAlgorithm, Edge, Error, SlabGraph, Weight};

use crate::cli::timing::timed;

/// A dynamic algorithm that notes how long its part of a batch takes, without
/// compiling kernels. It waits for the device after every step.
pub(in crate::cli) struct Timed<A> {
    algorithm: A,
    milliseconds: f64,
}

impl<A> Timed<A> {
    pub(in crate::cli) fn new(algorithm: A) -> Self {
        Self { algorithm, milliseconds: 0.0 }
    }

    /// Milliseconds in all steps so far.
    pub(in crate::cli) fn milliseconds(&self) -> f64 {
        self.milliseconds
    }

    fn time<W: Weight>(
        &mut self,
        graph: &SlabGraph<W>,
        step: impl FnOnce(&mut A) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let ((), span) = timed(graph.device(), || step(&mut self.algorithm))?;
        self.milliseconds += span.work_ms;
        Ok(())
    }
}

impl<W: Weight, A: DynamicAlgorithm<W>> DynamicAlgorithm<W> for Timed<A> {
    type Output = A::Output;

    fn check_graph(&self, graph: &SlabGraph<W>) -> Result<(), Error> {
        self.algorithm.check_graph(graph)
    }

    fn check_change(&self, change: &Change<W>) -> Result<(), Error> {
        self.algorithm.check_change(change)
    }

    fn compute(&mut self, graph: &SlabGraph<W>) -> Result<(), Error> {
        self.time(graph, |algorithm| algorithm.compute(graph))
    }

    fn on_delete(
        &mut self,
        graph: &SlabGraph<W>,
        deleted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        self.time(graph, |algorithm| algorithm.on_delete(graph, deleted))
    }

    fn on_insert(
        &mut self,
        graph: &SlabGraph<W>,
        inserted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        self.time(graph, |algorithm| algorithm.on_insert(graph, inserted))
    }

    fn finish_batch(&mut self, graph: &SlabGraph<W>) -> Result<(), Error> {
        self.time(graph, |algorithm| algorithm.finish_batch(graph))
    }

    fn output(&self) -> Result<A::Output, Error> {
        self.algorithm.output()
    }
}
