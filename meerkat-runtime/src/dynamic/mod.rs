//! Dynamic algorithms: answers that stay right while edges come and go.
//!
//! ```text
//! Batch --DynamicGraph::change_of--> Change --check_change-->
//!   deletions leave the graph --on_delete--> insertions enter it --on_insert--> finish_batch
//! vertices that come: on_grow; vertices that go: first their edges, as a batch
//! ```
//!
//! [`DynamicGraph::track`](crate::DynamicGraph::track) joins a graph and an algorithm, which makes
//! its state: from then on graph and state move together, so that no batch can be applied
//! without the answer following. What is built in and what a user writes go the same way;
//! `examples/colouring.rs` is one from scratch.

mod answers;
mod checkpoint;
mod epoch;
mod fits;
mod saved_state;
mod several;
mod tracked;

pub(crate) use answers::kernels;
pub use answers::{Answer, Answers, Changed, VertexAnswers, Watch, asked_vertex};
pub use epoch::{Epoch, Epochs};
pub use fits::{check_fits, vertices_to_come};
pub use saved_state::SavedState;
pub use several::Kept;
pub use tracked::Tracked;

use crate::device::DeviceBuffer;
use crate::graph::{Change, Edge};
use crate::{Container, Error};

/// An algorithm whose answer does not depend on what edges carry. So it can track a
/// [`PropertyGraph`](crate::properties::PropertyGraph), whose edges carry ids.
#[diagnostic::on_unimplemented(
    message = "`{Self}` may read what edges carry, which in a `PropertyGraph` is their id",
    note = "for lengths of shortest paths, keep a weighted `SlabGraph` beside it, or instead",
    note = "for an algorithm of your own that reads no weight write `impl IgnoresWeights for {Self}`"
)]
pub trait IgnoresWeights {}

/// A graph algorithm that can follow updates of a `C`: of a [`SlabGraph`](crate::SlabGraph), of
/// another [`DynamicGraph`](crate::DynamicGraph), or with a type parameter of any container. A tuple of algorithms is one, too:
/// all of them then track the same graph.
///
/// The algorithm itself is what is asked: a source, options. What it keeps of a graph is its
/// [`State`](Self::State), which [`compute`](Self::compute) makes and [`Tracked`] holds. Each
/// method sees the graph exactly as the step before it left it. A method that fails may leave
/// the state anywhere: [`Tracked`] drops it then, and computes anew before it gives an answer
/// again.
pub trait DynamicAlgorithm<C: Container> {
    /// The answer and all else that it keeps of a graph, on the device as a rule.
    type State;
    /// What it answers.
    type Output;

    /// Whether it can track this graph: the orientation, the direction and the
    /// weights that it needs. Asked once, before [`compute`](Self::compute).
    ///
    /// # Errors
    /// What it misses, as an [`ErrorKind`](crate::ErrorKind).
    fn check_graph(&self, graph: &C) -> Result<(), Error> {
        let _ = graph;
        Ok(())
    }

    /// Whether it can follow this change. Asked before its other methods; the graph may have
    /// changed already, and goes back if it cannot.
    ///
    /// # Errors
    /// Why not; graph and answer are then as they were.
    fn check_change(&self, change: &Change<C::Carried>) -> Result<(), Error> {
        let _ = change;
        Ok(())
    }

    /// The state for a graph, from scratch.
    ///
    /// # Errors
    /// No memory; the device fails.
    fn compute(&self, graph: &C) -> Result<Self::State, Error>;

    /// The same in the place of a state that is no longer needed. To use its memory again
    /// is the only reason to write this method; the state may be that of another graph.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    fn recompute(&self, state: &mut Self::State, graph: &C) -> Result<(), Error> {
        *state = self.compute(graph)?;
        Ok(())
    }

    /// Vertices without edges have just come: those from `before` on. (An id that is used again
    /// was a vertex without edges all the time.) Unless it is written, the state is
    /// [`recompute`](Self::recompute)d.
    ///
    /// # Errors
    /// No memory; the device fails.
    fn on_grow(&self, state: &mut Self::State, graph: &C, before: u32) -> Result<(), Error> {
        let _ = before;
        self.recompute(state, graph)
    }

    /// Whether [`before_delete`](Self::before_delete) is to be asked. Deletions are searched for
    /// before they are applied then, which costs more where a batch has nothing else.
    fn looks_before_deletions(&self) -> bool {
        false
    }

    /// These edges are about to leave the graph, which still has them; asked where the algorithm
    /// [looks before deletions](Self::looks_before_deletions).
    ///
    /// # Errors
    /// The device fails.
    fn before_delete(
        &self,
        state: &mut Self::State,
        graph: &C,
        deleted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        let _ = (state, graph, deleted);
        Ok(())
    }

    /// These edges have just left the graph: each was there, with this weight,
    /// and is named once. An edge whose weight changes leaves with the old one and
    /// enters with the new one.
    ///
    /// # Errors
    /// The device fails.
    fn on_delete(
        &self,
        state: &mut Self::State,
        graph: &C,
        deleted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error>;

    /// These edges have just entered the graph: each is new, and named once.
    ///
    /// # Errors
    /// The device fails.
    fn on_insert(
        &self,
        state: &mut Self::State,
        graph: &C,
        inserted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error>;

    /// The batch is complete: the work that deletions and insertions share, such as one
    /// wave of relaxations for both.
    ///
    /// # Errors
    /// The device fails.
    fn finish_batch(&self, state: &mut Self::State, graph: &C) -> Result<(), Error> {
        let _ = (state, graph);
        Ok(())
    }

    /// The answer for the graph that the state is of. Synchronises.
    ///
    /// # Errors
    /// The device fails.
    fn output(&self, state: &Self::State) -> Result<Self::Output, Error>;
}
