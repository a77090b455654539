//! Components under insertions, by each of the paper's ways to find the new edges.
//!
//! Source: Meerkat, sections 4.4 and 6.4.2 with the four schemes that it measures.

use super::operators::{copy_roots, flatten, isolate, unite_neighbors, unite_updated};
use super::saved::read_parents;
use meerkat_runtime::ErrorKind;
use meerkat_runtime::dynamic::{SavedState, VertexAnswers, check_fits};
use meerkat_runtime::prelude::*;
use meerkat_runtime::saved::{StateReader, StateWriter};

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

/// Weakly connected components of a graph that grows: see [`DynamicGraph::track`]. After
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
#[derive(Clone, Copy, Debug)]
pub struct IncrementalComponents {
    scheme: Scheme,
}

/// The components of a graph.
#[derive(Debug)]
pub struct IncrementalState {
    /// As in the static form.
    parent: DeviceBuffer<Atomic<u32>>,
    /// Whether the batch asks for a computation from scratch.
    is_stale: bool,
}

impl IncrementalComponents {
    /// Components that look for a batch as `scheme` says.
    pub fn new(scheme: Scheme) -> Self {
        IncrementalComponents { scheme }
    }
}

impl IgnoresWeights for IncrementalComponents {}

impl<L: EdgeLists> DynamicAlgorithm<DynamicGraph<L>> for IncrementalComponents {
    type State = IncrementalState;
    type Output = Vec<u32>;

    fn check_graph(&self, graph: &DynamicGraph<L>) -> Result<(), Error> {
        if self.scheme == Scheme::UpdateIterator && !graph.options().track_updates {
            return Err(ErrorKind::UpdatesNotTracked.into());
        }
        graph.out_edges().map(drop)
    }

    fn compute(&self, graph: &DynamicGraph<L>) -> Result<IncrementalState, Error> {
        let (device, vertices) = (graph.device(), graph.vertex_count());
        let parent = DeviceBuffer::zeroed(device, vertices as usize)?;
        isolate::launch(device, 0..vertices, &parent)?;
        unite_neighbors::launch(device, 0..vertices, graph.out_edges()?.arg(), &parent)?;
        flatten::launch(device, 0..vertices, &parent)?;
        Ok(IncrementalState { parent, is_stale: false })
    }

    fn on_delete(
        &self,
        state: &mut IncrementalState,
        _graph: &DynamicGraph<L>,
        _deleted: &DeviceBuffer<Edge<L::Carried>>,
    ) -> Result<(), Error> {
        state.is_stale = true;
        Ok(())
    }

    fn on_insert(
        &self,
        state: &mut IncrementalState,
        graph: &DynamicGraph<L>,
        _inserted: &DeviceBuffer<Edge<L::Carried>>,
    ) -> Result<(), Error> {
        check_fits(state.parent.len(), graph)?;
        let (device, all) = (graph.device(), 0..graph.vertex_count());
        let parent = &state.parent;
        match self.scheme {
            Scheme::Naive => state.is_stale = true,
            Scheme::SlabIterator => {
                unite_neighbors::launch(device, all, graph.out_edges()?.arg(), parent)?;
            }
            Scheme::UpdateIterator => {
                unite_updated::launch(device, all, graph.out_edges()?.arg(), parent)?;
            }
        }
        Ok(())
    }

    fn finish_batch(
        &self,
        state: &mut IncrementalState,
        graph: &DynamicGraph<L>,
    ) -> Result<(), Error> {
        if state.is_stale {
            return self.recompute(state, graph);
        }
        check_fits(state.parent.len(), graph)?;
        flatten::launch(graph.device(), 0..graph.vertex_count(), &state.parent)
    }

    fn output(&self, state: &IncrementalState) -> Result<Vec<u32>, Error> {
        state.parent.to_vec()
    }
}

impl<L: EdgeLists> SavedState<DynamicGraph<L>> for IncrementalComponents {
    fn description(&self) -> String {
        format!("components by {:?}", self.scheme)
    }

    fn save_state(&self, state: &IncrementalState, to: &mut StateWriter) -> Result<(), Error> {
        to.array("parents", &state.parent.to_vec()?)
    }

    fn load_state(
        &self,
        graph: &DynamicGraph<L>,
        from: &mut StateReader,
    ) -> Result<IncrementalState, Error> {
        let parents = read_parents(graph.vertex_count(), from)?;
        let parent = DeviceBuffer::from_slice(graph.device(), &parents)?;
        Ok(IncrementalState { parent, is_stale: false })
    }
}

impl<L: EdgeLists> VertexAnswers<DynamicGraph<L>> for IncrementalComponents {
    /// The smallest vertex of the component.
    type Value = u32;

    fn write_answers(
        &self,
        state: &IncrementalState,
        vertices: &DeviceBuffer<Vertex>,
        answers: &mut DeviceBuffer<u32>,
    ) -> Result<(), Error> {
        let (parent, all) = (&state.parent, 0..answers.len() as u32);
        copy_roots::launch(parent.device(), all, vertices, parent, answers)
    }
}
