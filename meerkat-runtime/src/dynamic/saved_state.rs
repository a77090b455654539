//! Algorithms whose state can be written to a file and read back.

use super::DynamicAlgorithm;
use crate::saved::{StateReader, StateWriter};
use crate::{Container, Error};

/// An algorithm whose state goes into checkpoints:
/// [`Tracked::save_checkpoint`](super::Tracked::save_checkpoint). A tuple of such algorithms is
/// one, too.
///
/// What is written is the answer, and what else cannot be made from the graph at little cost; memory
/// for work is made anew by [`load_state`](Self::load_state). A state that was read goes on as the
/// one that was written would have: the same answers, bounds of errors included.
///
/// `examples/colouring.rs` is an algorithm of one's own with this trait.
pub trait SavedState<C: Container>: DynamicAlgorithm<C> {
    /// What is asked, with all options, in words: `bfs from 3`. A state is only read back by an
    /// algorithm with the same words.
    fn description(&self) -> String;

    /// Writes a state, as it is between two batches. Synchronises.
    ///
    /// # Errors
    /// Those of the writer; no memory; the device fails.
    fn save_state(&self, state: &Self::State, to: &mut StateWriter) -> Result<(), Error>;

    /// Reads the state of a graph. Everything is to be checked on which an access to memory or the
    /// end of a loop depends: lengths, and that vertices are of the graph. The file may have been
    /// written by anyone.
    ///
    /// # Errors
    /// Those of the reader; [`StateReader::refuse`] for what does not fit; no memory; the device
    /// fails.
    fn load_state(&self, graph: &C, from: &mut StateReader) -> Result<Self::State, Error>;
}

/// Writes a state, or that there is none.
pub(super) fn save_if_any<C: Container, A: SavedState<C>>(
    algorithm: &A,
    state: Option<&A::State>,
    to: &mut StateWriter,
) -> Result<(), Error> {
    to.number("is_there", u32::from(state.is_some()))?;
    state.map_or(Ok(()), |state| algorithm.save_state(state, to))
}

/// Reads a state, if there is one.
pub(super) fn load_if_any<C: Container, A: SavedState<C>>(
    algorithm: &A,
    graph: &C,
    from: &mut StateReader,
) -> Result<Option<A::State>, Error> {
    match from.number::<u32>("is_there")? {
        0 => Ok(None),
        _ => algorithm.load_state(graph, from).map(Some),
    }
}
