//! Several algorithms on one graph: a tuple of them.

use super::DynamicAlgorithm;
use crate::device::DeviceBuffer;
use crate::graph::{Change, Edge};
use crate::{Container, Error};

macro_rules! several {
    ($($name:ident $at:tt),*) => {
        /// All of them, in turn; the output is the tuple of their outputs.
        impl<G: Container, $($name: DynamicAlgorithm<G>),*> DynamicAlgorithm<G> for ($($name,)*) {
            type State = ($($name::State,)*);
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
                Ok(($(self.$at.compute(graph)?,)*))
            }

            fn recompute(
                &self,
                state: &mut Self::State,
                graph: &G,
            ) -> Result<(), Error> {
                $(self.$at.recompute(&mut state.$at, graph)?;)*
                Ok(())
            }

            fn on_delete(
                &self,
                state: &mut Self::State,
                graph: &G,
                deleted: &DeviceBuffer<Edge<G::Carried>>,
            ) -> Result<(), Error> {
                $(self.$at.on_delete(&mut state.$at, graph, deleted)?;)*
                Ok(())
            }

            fn on_insert(
                &self,
                state: &mut Self::State,
                graph: &G,
                inserted: &DeviceBuffer<Edge<G::Carried>>,
            ) -> Result<(), Error> {
                $(self.$at.on_insert(&mut state.$at, graph, inserted)?;)*
                Ok(())
            }

            fn finish_batch(
                &self,
                state: &mut Self::State,
                graph: &G,
            ) -> Result<(), Error> {
                $(self.$at.finish_batch(&mut state.$at, graph)?;)*
                Ok(())
            }

            fn output(&self, state: &Self::State) -> Result<Self::Output, Error> {
                Ok(($(self.$at.output(&state.$at)?,)*))
            }
        }
    };
}

several!(A 0, B 1);
several!(A 0, B 1, C 2);
several!(A 0, B 1, C 2, D 3);
several!(A 0, B 1, C 2, D 3, E 4);
