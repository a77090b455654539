//! Several algorithms on one graph: a tuple of them.

use super::saved_state::{SavedState, load_if_any, save_if_any};
use super::{DynamicAlgorithm, IgnoresWeights};
use crate::device::DeviceBuffer;
use crate::graph::{Change, Edge};
use crate::saved::{StateReader, StateWriter};
use crate::{Container, Error, ErrorKind};

/// The state of one of several algorithms that track a graph together. What one of them cannot
/// compute, for want of memory, costs the others nothing: they go on, and with each batch it is
/// tried again.
#[derive(Debug)]
pub struct Kept<S>(Option<S>);

impl<S> Kept<S> {
    /// The state.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfStep`] while it could not be computed.
    pub fn get(&self) -> Result<&S, Error> {
        self.0.as_ref().ok_or_else(|| ErrorKind::OutOfStep.into())
    }

    /// Does something to the state, if there is one; without it after a failure.
    fn with(&mut self, act: impl FnOnce(&mut S) -> Result<(), Error>) -> Result<(), Error> {
        let Some(mut state) = self.0.take() else { return Ok(()) };
        act(&mut state)?;
        self.0 = Some(state);
        Ok(())
    }

    /// The state from scratch, where the one before was if there is one.
    fn renew<G: Container, A: DynamicAlgorithm<G, State = S>>(
        &mut self,
        algorithm: &A,
        graph: &G,
    ) -> Result<(), Error> {
        match self.0.is_some() {
            true => self.with(|state| algorithm.recompute(state, graph)),
            false => {
                self.0 = Some(algorithm.compute(graph)?);
                Ok(())
            }
        }
    }
}

/// The first error, if none of them came to anything.
fn unless_all_failed(outcomes: &mut [Result<(), Error>]) -> Result<(), Error> {
    match outcomes {
        [first, rest @ ..] if first.is_err() && rest.iter().all(Result::is_err) => {
            std::mem::replace(first, Ok(()))
        }
        _ => Ok(()),
    }
}

macro_rules! several {
    ($($name:ident $at:tt),*) => {
        impl<$($name: IgnoresWeights),*> IgnoresWeights for ($($name,)*) {}

        /// All of them, in turn; the output is the tuple of their outputs. They follow a batch
        /// together or not at all. What is computed from scratch, each computes for itself: one
        /// that fails does not cost the others their answers.
        impl<G: Container, $($name: DynamicAlgorithm<G>),*> DynamicAlgorithm<G> for ($($name,)*) {
            type State = ($(Kept<$name::State>,)*);
            type Output = ($($name::Output,)*);

            fn check_graph(&self, graph: &G) -> Result<(), Error> {
                $(self.$at.check_graph(graph)?;)*
                Ok(())
            }

            fn check_change(&self, change: &Change<G::Carried>) -> Result<(), Error> {
                $(self.$at.check_change(change)?;)*
                Ok(())
            }

            fn compute(&self, graph: &G) -> Result<Self::State, Error> {
                Ok(($(Kept(Some(self.$at.compute(graph)?)),)*))
            }

            fn recompute(
                &self,
                state: &mut Self::State,
                graph: &G,
            ) -> Result<(), Error> {
                unless_all_failed(&mut [$(state.$at.renew(&self.$at, graph)),*])
            }

            fn on_grow(
                &self,
                state: &mut Self::State,
                graph: &G,
                before: u32,
            ) -> Result<(), Error> {
                unless_all_failed(&mut [$({
                    let kept = &mut state.$at;
                    let grown = kept.with(|own| self.$at.on_grow(own, graph, before));
                    grown.or_else(|_| kept.renew(&self.$at, graph))
                }),*])
            }

            fn looks_before_deletions(&self) -> bool {
                $(self.$at.looks_before_deletions())||*
            }

            fn before_delete(
                &self,
                state: &mut Self::State,
                graph: &G,
                deleted: &DeviceBuffer<Edge<G::Carried>>,
            ) -> Result<(), Error> {
                $(if self.$at.looks_before_deletions() {
                    state.$at.with(|own| self.$at.before_delete(own, graph, deleted))?;
                })*
                Ok(())
            }

            fn on_delete(
                &self,
                state: &mut Self::State,
                graph: &G,
                deleted: &DeviceBuffer<Edge<G::Carried>>,
            ) -> Result<(), Error> {
                $(state.$at.with(|own| self.$at.on_delete(own, graph, deleted))?;)*
                Ok(())
            }

            fn on_insert(
                &self,
                state: &mut Self::State,
                graph: &G,
                inserted: &DeviceBuffer<Edge<G::Carried>>,
            ) -> Result<(), Error> {
                $(state.$at.with(|own| self.$at.on_insert(own, graph, inserted))?;)*
                Ok(())
            }

            fn finish_batch(
                &self,
                state: &mut Self::State,
                graph: &G,
            ) -> Result<(), Error> {
                $(if state.$at.0.is_some() {
                    state.$at.with(|own| self.$at.finish_batch(own, graph))?;
                })*
                // Those that are out of step try again, and are no reason to refuse a batch.
                $(if state.$at.0.is_none() {
                    let _ = state.$at.renew(&self.$at, graph);
                })*
                Ok(())
            }

            fn output(&self, state: &Self::State) -> Result<Self::Output, Error> {
                Ok(($(self.$at.output(state.$at.get()?)?,)*))
            }
        }

        /// All of them. One that is out of step is saved as such, and computed again when the others
        /// are read.
        impl<G: Container, $($name: SavedState<G>),*> SavedState<G> for ($($name,)*) {
            fn description(&self) -> String {
                [$(self.$at.description()),*].join("; ")
            }

            fn save_state(&self, state: &Self::State, to: &mut StateWriter) -> Result<(), Error> {
                $(to.within(stringify!($at), |to| {
                    save_if_any(&self.$at, state.$at.0.as_ref(), to)
                })?;)*
                Ok(())
            }

            fn load_state(&self, graph: &G, from: &mut StateReader) -> Result<Self::State, Error> {
                Ok(($(from.within(stringify!($at), |from| {
                    let state = load_if_any(&self.$at, graph, from)?;
                    Ok(Kept(state.or_else(|| self.$at.compute(graph).ok())))
                })?,)*))
            }
        }
    };
}

several!(A 0, B 1);
several!(A 0, B 1, C 2);
several!(A 0, B 1, C 2, D 3);
several!(A 0, B 1, C 2, D 3, E 4);
