//! Several ways to follow the same batches, each timed.

use std::cell::Cell;

use meerkat::runtime::graph::Change;
use meerkat::runtime::{Container, DeviceBuffer, DynamicAlgorithm, Edge, Error};

use crate::cli::stream::Timed;

/// Algorithms of one type that follow a graph in turn, each batch in another order: the first finds less in
/// the caches. The graph is built and updated once for all of them.
pub(super) struct Together<A> {
    algorithms: Vec<Timed<A>>,
    batches: Cell<usize>,
}

impl<A> Together<A> {
    pub(super) fn new(algorithms: Vec<A>) -> Self {
        Self { algorithms: algorithms.into_iter().map(Timed::new).collect(), batches: Cell::new(0) }
    }

    /// Milliseconds of each in all steps so far.
    pub(super) fn milliseconds(&self) -> Vec<f64> {
        self.algorithms.iter().map(Timed::milliseconds).collect()
    }

    fn each<S>(
        &self,
        states: &mut [S],
        step: impl Fn(&Timed<A>, &mut S) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let count = self.algorithms.len();
        (0..count)
            .map(|turn| (turn + self.batches.get()) % count)
            .try_for_each(|at| step(&self.algorithms[at], &mut states[at]))
    }
}

impl<C: Container, A: DynamicAlgorithm<C>> DynamicAlgorithm<C> for Together<A> {
    type State = Vec<A::State>;
    type Output = Vec<A::Output>;

    fn check_graph(&self, graph: &C) -> Result<(), Error> {
        self.algorithms.iter().try_for_each(|algorithm| algorithm.check_graph(graph))
    }

    fn check_change(&self, change: &Change<C::Carried>) -> Result<(), Error> {
        self.algorithms.iter().try_for_each(|algorithm| {
            <Timed<A> as DynamicAlgorithm<C>>::check_change(algorithm, change)
        })
    }

    fn compute(&self, graph: &C) -> Result<Self::State, Error> {
        self.algorithms.iter().map(|algorithm| algorithm.compute(graph)).collect()
    }

    fn recompute(&self, states: &mut Self::State, graph: &C) -> Result<(), Error> {
        self.each(states, |algorithm, state| algorithm.recompute(state, graph))
    }

    fn on_delete(
        &self,
        states: &mut Self::State,
        graph: &C,
        deleted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        self.each(states, |algorithm, state| algorithm.on_delete(state, graph, deleted))
    }

    fn on_insert(
        &self,
        states: &mut Self::State,
        graph: &C,
        inserted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        self.each(states, |algorithm, state| algorithm.on_insert(state, graph, inserted))
    }

    fn finish_batch(&self, states: &mut Self::State, graph: &C) -> Result<(), Error> {
        let finished = self.each(states, |algorithm, state| algorithm.finish_batch(state, graph));
        self.batches.set(self.batches.get() + 1);
        finished
    }

    fn output(&self, states: &Self::State) -> Result<Self::Output, Error> {
        let outputs = self.algorithms.iter().zip(states);
        let output =
            |(algorithm, state)| <Timed<A> as DynamicAlgorithm<C>>::output(algorithm, state);
        outputs.map(output).collect()
    }
}
