//! Several algorithms on one graph: a tuple of them.

use super::DynamicAlgorithm;
use crate::device::DeviceBuffer;
use crate::graph::{Change, Edge, SlabGraph};
use crate::{Error, Weight};

macro_rules! several {
    ($($name:ident $at:tt),*) => {
        /// All of them, in turn; the output is the tuple of their outputs.
        impl<W: Weight, $($name: DynamicAlgorithm<W>),*> DynamicAlgorithm<W> for ($($name,)*) {
            type Output = ($($name::Output,)*);

            fn check_graph(&self, graph: &SlabGraph<W>) -> Result<(), Error> {
                $(self.$at.check_graph(graph)?;)*
                Ok(())
            }

            fn check_change(&self, change: &Change<W>) -> Result<(), Error> {
                $(self.$at.check_change(change)?;)*
                Ok(())
            }

            fn compute(&mut self, graph: &SlabGraph<W>) -> Result<(), Error> {
                $(self.$at.compute(graph)?;)*
                Ok(())
            }

            fn on_delete(
                &mut self,
                graph: &SlabGraph<W>,
                deleted: &DeviceBuffer<Edge<W>>,
            ) -> Result<(), Error> {
                $(self.$at.on_delete(graph, deleted)?;)*
                Ok(())
            }

            fn on_insert(
                &mut self,
                graph: &SlabGraph<W>,
                inserted: &DeviceBuffer<Edge<W>>,
            ) -> Result<(), Error> {
                $(self.$at.on_insert(graph, inserted)?;)*
                Ok(())
            }

            fn finish_batch(&mut self, graph: &SlabGraph<W>) -> Result<(), Error> {
                $(self.$at.finish_batch(graph)?;)*
                Ok(())
            }

            fn output(&self) -> Result<Self::Output, Error> {
                Ok(($(self.$at.output()?,)*))
            }
        }
    };
}

several!(A 0, B 1);
several!(A 0, B 1, C 2);
several!(A 0, B 1, C 2, D 3);
several!(A 0, B 1, C 2, D 3, E 4);
