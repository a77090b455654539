//! Epochs: the graph and an answer of one moment, for threads that read while batches are applied.
//!
//! ```text
//! Tracked --epoch--> Epoch --publish--> Epochs --latest--> readers, who hold it as long as they like
//! ```

use super::answers::VertexAnswers;
use super::{DynamicAlgorithm, Tracked};
use crate::device::{Device, DeviceBuffer};
use crate::graph::{DynamicGraph, EdgeLists};
use crate::rows::RowGraph;
use crate::{Error, Weight};
use std::sync::{Arc, Mutex, PoisonError};

/// A graph and an answer of one moment, in memory of their own: batches leave them alone. Its memory goes
/// back when the last who holds it is done.
#[derive(Debug)]
pub struct Epoch<W: Weight, T> {
    batches: u64,
    graph: RowGraph<W>,
    answer: T,
}

impl<W: Weight, T> Epoch<W, T> {
    /// How many batches the graph had taken.
    pub fn batches(&self) -> u64 {
        self.batches
    }

    /// The graph as it was, for any operator and any algorithm from scratch.
    pub fn graph(&self) -> &RowGraph<W> {
        &self.graph
    }

    /// The answer as it was.
    pub fn answer(&self) -> &T {
        &self.answer
    }
}

impl<L: EdgeLists, A: DynamicAlgorithm<DynamicGraph<L>>> Tracked<DynamicGraph<L>, A> {
    /// The graph and its answers as they are, for others to read while the next batches are applied.
    /// They are on the [device for readers](crate::Device::for_readers), so what readers launch and copy
    /// does not make batches wait, but for the memory and the multiprocessors that both use.
    /// Synchronises.
    ///
    /// Cost: a copy of the graph in rows, 4 bytes an arc and vertex (8 an arc with weights) for each
    /// orientation, and of the answers; so take one after some batches, as old as readers may be. Who needs
    /// the answers alone copies these: [`Answers::to_buffer`](super::Answers::to_buffer).
    ///
    /// # Errors
    /// As [`answers`](Self::answers); no memory; the device fails.
    pub fn epoch(&self) -> Result<Epoch<L::Carried, DeviceBuffer<A::Value>>, Error>
    where
        A: VertexAnswers<DynamicGraph<L>>,
    {
        self.epoch_of(|tracked, readers| tracked.answers()?.to_buffer()?.moved_to(readers))
    }

    /// The same with what `answer` makes of them, such as copies of the answers of several algorithms.
    /// It gets the device for readers, to [move](DeviceBuffer::moved_to) there what it made on the
    /// graph's: what stays is read in turn with the batches.
    ///
    /// # Errors
    /// Those of `answer`; no memory; the device fails.
    pub fn epoch_of<T>(
        &self,
        answer: impl FnOnce(&Self, &Device) -> Result<T, Error>,
    ) -> Result<Epoch<L::Carried, T>, Error> {
        let readers = self.graph().device().for_readers()?;
        let (batches, answer) = (self.graph().counters().batches, answer(self, &readers)?);
        let graph = RowGraph::of(self.graph())?.moved_to(&readers)?;
        self.graph().device().synchronize()?;
        Ok(Epoch { batches, graph, answer })
    }
}

/// Where the last epoch is: one thread publishes, others look. A clone is the same place.
///
/// ```
/// use meerkat_runtime::dynamic::Epochs;
///
/// let epochs = Epochs::new();
/// let readers = epochs.clone();
/// assert!(readers.latest().is_none());
/// epochs.publish("after 1 batch");
/// let held = readers.latest().expect("an epoch");
/// epochs.publish("after 2 batches");
/// assert_eq!((*held, *readers.latest().expect("an epoch")), ("after 1 batch", "after 2 batches"));
/// ```
#[derive(Debug)]
pub struct Epochs<E>(Arc<Mutex<Option<Arc<E>>>>);

impl<E> Epochs<E> {
    /// A place without an epoch.
    pub fn new() -> Self {
        Epochs(Arc::new(Mutex::new(None)))
    }

    /// Shows an epoch to who looks from now on. The one before stays for those who hold it.
    pub fn publish(&self, epoch: E) {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner).replace(Arc::new(epoch));
        // Its memory may go here; nobody is to wait for that.
        drop(last);
    }

    /// The last epoch, if there is one: it stays as long as it is held.
    pub fn latest(&self) -> Option<Arc<E>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl<E> Clone for Epochs<E> {
    fn clone(&self) -> Self {
        Epochs(Arc::clone(&self.0))
    }
}

impl<E> Default for Epochs<E> {
    fn default() -> Self {
        Self::new()
    }
}
