//! Components under insertions, by each of the paper's ways to find the new edges.
//!
//! Source: Meerkat, sections 4.4 and 6.4.2 with the four schemes that it measures.

use super::operators::{flatten, isolate, unite_neighbors, unite_updated};
use meerkat_runtime::ErrorKind;
use meerkat_runtime::prelude::*;

/// Where a batch of insertions is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Nowhere: all is computed anew.
    Naive,
    /// In all slab lists; what was joined before stays.
    SlabIterator,
    /// In what was inserted since the batch before: the graph tracks updates
    /// ([`SlabOptions::track_updates`]). With one bucket a vertex (no
    /// [`SlabOptions::hashing`]) this is the paper's fourth scheme.
    UpdateIterator,
}

/// Weakly connected components of a graph that grows: see [`SlabGraph::track`]. After
/// deletions they are computed anew; [`Components`](super::Components) follows them, too,
/// and takes insertions from the batch itself.
///
/// ```
/// # use meerkat_algos::wcc::{IncrementalComponents, Scheme};
/// # use meerkat_runtime::prelude::*;
/// # let device = Device::cpu();
/// let edge = |src, dst| Edge { src, dst, weight: () };
/// let options = SlabOptions { track_updates: true, ..SlabOptions::default() };
/// let graph = SlabGraph::from_edges(&device, 4, &[edge(1, 0)], &options)?;
/// let mut wcc = graph.track(IncrementalComponents::new(Scheme::UpdateIterator))?;
/// wcc.apply(&Batch::new().insert([edge(3, 1)]))?;
/// assert_eq!(wcc.output()?, [0, 0, 2, 0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct IncrementalComponents {
    scheme: Scheme,
    /// As in the static form; none before the first computation.
    parent: Option<DeviceBuffer<Atomic<u32>>>,
    /// Whether the batch asks for a computation from scratch.
    is_stale: bool,
}

impl IncrementalComponents {
    /// Computes from scratch when it is given a graph.
    pub fn new(scheme: Scheme) -> Self {
        IncrementalComponents { scheme, parent: None, is_stale: false }
    }
}

impl<W: Weight> DynamicAlgorithm<W> for IncrementalComponents {
    type Output = Vec<u32>;

    fn check_graph(&self, graph: &SlabGraph<W>) -> Result<(), Error> {
        if self.scheme == Scheme::UpdateIterator && !graph.options().track_updates {
            return Err(ErrorKind::UpdatesNotTracked.into());
        }
        graph.out_edges().map(drop)
    }

    fn compute(&mut self, graph: &SlabGraph<W>) -> Result<(), Error> {
        let (device, vertices) = (graph.device(), graph.vertex_count());
        let parent = DeviceBuffer::zeroed(device, vertices as usize)?;
        isolate::launch(device, 0..vertices, &parent)?;
        unite_neighbors::launch(device, 0..vertices, graph.out_edges()?, &parent)?;
        flatten::launch(device, 0..vertices, &parent)?;
        (self.parent, self.is_stale) = (Some(parent), false);
        Ok(())
    }

    fn on_delete(
        &mut self,
        _graph: &SlabGraph<W>,
        _deleted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        self.is_stale = true;
        Ok(())
    }

    fn on_insert(
        &mut self,
        graph: &SlabGraph<W>,
        _inserted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        let (device, all) = (graph.device(), 0..graph.vertex_count());
        let Some(parent) = &self.parent else { return Ok(()) };
        match self.scheme {
            Scheme::Naive => self.is_stale = true,
            Scheme::SlabIterator => {
                unite_neighbors::launch(device, all, graph.out_edges()?, parent)?;
            }
            Scheme::UpdateIterator => {
                unite_updated::launch(device, all, graph.out_edges()?, parent)?;
            }
        }
        Ok(())
    }

    fn finish_batch(&mut self, graph: &SlabGraph<W>) -> Result<(), Error> {
        match &self.parent {
            Some(parent) if !self.is_stale => {
                flatten::launch(graph.device(), 0..graph.vertex_count(), parent)
            }
            _ => self.compute(graph),
        }
    }

    fn output(&self) -> Result<Vec<u32>, Error> {
        self.parent.as_ref().map_or(Ok(Vec::new()), DeviceBuffer::to_vec)
    }
}
