//! A tracked graph in a file, with the states of its algorithms.
//!
//! | array | what |
//! | --- | --- |
//! | `algorithm` | what is asked, in words |
//! | `position` | a number of the user |
//! | `graph/..` | the graph |
//! | `state/..` | what the algorithm writes; of several, `state/0/..` and so on |
//! | `more/..` | what the user writes |

use super::saved_state::{SavedState, load_if_any, save_if_any};
use super::tracked::Tracked;
use crate::error::SnapshotFault;
use crate::graph::{DynamicGraph, EdgeLists};
use crate::saved::{StateReader, StateWriter, write_file};
use crate::{Device, Error};
use std::path::Path;

impl<L: EdgeLists, A: SavedState<DynamicGraph<L>>> Tracked<DynamicGraph<L>, A> {
    /// Writes graph and answer to a file, which appears whole or not at all: a process that is
    /// killed meanwhile leaves the file that was there before. `position` is yours: how far the
    /// stream has come. Synchronises.
    ///
    /// Cost: the graph and the state once through the host's memory, an array at a time, and to the
    /// disk; graphs larger than 2^26 arcs are listed again for each column. Batches wait.
    ///
    /// # Errors
    /// [`ErrorKind::Snapshot`](crate::ErrorKind::Snapshot) if the file cannot be written, as where
    /// the disk is full; no memory; the device fails. Graph and answer are as they were.
    pub fn save_checkpoint(&self, path: &Path, position: u64) -> Result<(), Error> {
        self.save_checkpoint_with(path, position, |_| Ok(()))
    }

    /// [`save_checkpoint`](Self::save_checkpoint) with what else belongs to this moment, such as a
    /// [`Window`](crate::window::Window::write_to).
    ///
    /// # Errors
    /// As [`save_checkpoint`](Self::save_checkpoint); those of `more`.
    pub fn save_checkpoint_with(
        &self,
        path: &Path,
        position: u64,
        more: impl FnOnce(&mut StateWriter) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (algorithm, state) = (&self.algorithm, self.state.as_ref());
        write_file(path, |to| {
            to.text("algorithm", &algorithm.description())?;
            to.number("position", position)?;
            self.graph.write_to(to)?;
            to.within("state", |to| save_if_any(algorithm, state, to))?;
            to.within("more", more)
        })
    }

    /// Reads graph, answer and position back, on any device and into any container that has room
    /// for the graph. They go on as those that were saved would have. Synchronises.
    ///
    /// Cost: the file is read twice, to compare its checksum; a build of the graph.
    ///
    /// # Errors
    /// [`ErrorKind::Snapshot`](crate::ErrorKind::Snapshot) says what is wrong with the file: it is
    /// damaged, or of another algorithm; as [`DynamicGraph::load`] and
    /// [`track`](DynamicGraph::track).
    pub fn load_checkpoint(
        device: &Device,
        algorithm: A,
        path: &Path,
    ) -> Result<(Self, u64), Error> {
        let (tracked, position, ()) =
            Self::load_checkpoint_with(device, algorithm, path, |_, _| Ok(()))?;
        Ok((tracked, position))
    }

    /// [`load_checkpoint`](Self::load_checkpoint) with what else was saved.
    ///
    /// # Errors
    /// As [`load_checkpoint`](Self::load_checkpoint); those of `more`.
    pub fn load_checkpoint_with<T>(
        device: &Device,
        algorithm: A,
        path: &Path,
        more: impl FnOnce(&DynamicGraph<L>, &mut StateReader) -> Result<T, Error>,
    ) -> Result<(Self, u64, T), Error> {
        let mut from = StateReader::open(path)?;
        if !from.has("algorithm") {
            return Err(from.fault(SnapshotFault::NoState));
        }
        let (found, wanted) = (from.text("algorithm")?, algorithm.description());
        if found != wanted {
            return Err(from.fault(SnapshotFault::Algorithm { found, wanted }));
        }
        let position = from.number("position")?;
        let graph = DynamicGraph::read_from(device, &mut from)?;
        algorithm.check_graph(&graph)?;
        let state = from.within("state", |from| load_if_any(&algorithm, &graph, from))?;
        let state = state.map_or_else(|| algorithm.compute(&graph), Ok)?;
        let more = from.within("more", |from| more(&graph, from))?;
        Ok((Tracked { graph, algorithm, state: Some(state) }, position, more))
    }
}
