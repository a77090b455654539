//! A graph and an algorithm's state that move together.

use super::DynamicAlgorithm;
use super::answers::{Answers, VertexAnswers};
use crate::graph::{BatchSource, Change, DynamicGraph, EdgeLists, Follower};
use crate::{Container, Error, ErrorKind, Vertex};

/// A graph with an algorithm that tracks it; made by [`DynamicGraph::track`]. `G` is the graph, as
/// in `Tracked<SlabGraph, Bfs>`.
#[derive(Debug)]
pub struct Tracked<G: Container, A: DynamicAlgorithm<G>> {
    pub(super) graph: G,
    pub(super) algorithm: A,
    /// That of the graph as it is; none after a failure.
    pub(super) state: Option<A::State>,
}

impl<L: EdgeLists> DynamicGraph<L> {
    /// Computes an algorithm's answer and keeps it right from here on, through
    /// [`Tracked::apply`]. A tuple of algorithms tracks the graph together.
    ///
    /// # Errors
    /// What [`DynamicAlgorithm::check_graph`] misses; the device fails.
    pub fn track<A: DynamicAlgorithm<Self>>(self, algorithm: A) -> Result<Tracked<Self, A>, Error> {
        algorithm.check_graph(&self)?;
        let state = Some(algorithm.compute(&self)?);
        Ok(Tracked { graph: self, algorithm, state })
    }
}

/// An algorithm that follows a batch.
struct Follow<'a, G: Container, A: DynamicAlgorithm<G>> {
    algorithm: &'a A,
    state: Option<A::State>,
    /// Whether the state is on its way to the new graph.
    has_begun: bool,
}

impl<L: EdgeLists, A: DynamicAlgorithm<DynamicGraph<L>>> Follower<L>
    for Follow<'_, DynamicGraph<L>, A>
{
    fn looks_first(&self, graph: &DynamicGraph<L>) -> bool {
        // The updates that are tracked are not forgotten for one that cannot be followed.
        graph.options().track_updates || self.algorithm.looks_before_deletions()
    }

    fn check(
        &mut self,
        graph: &mut DynamicGraph<L>,
        change: &Change<L::Carried>,
    ) -> Result<(), Error> {
        self.algorithm.check_change(change)?;
        if graph.options().track_updates { graph.update_slab_pointers() } else { Ok(()) }
    }

    fn before_deletions(
        &mut self,
        graph: &DynamicGraph<L>,
        change: &Change<L::Carried>,
    ) -> Result<(), Error> {
        match &mut self.state {
            Some(state)
                if !change.deleted().is_empty() && self.algorithm.looks_before_deletions() =>
            {
                self.has_begun = true;
                self.algorithm.before_delete(state, graph, change.deleted())
            }
            _ => Ok(()),
        }
    }

    fn after_deletions(
        &mut self,
        graph: &DynamicGraph<L>,
        change: &Change<L::Carried>,
    ) -> Result<(), Error> {
        match &mut self.state {
            Some(state) if !change.deleted().is_empty() => {
                self.has_begun = true;
                self.algorithm.on_delete(state, graph, change.deleted())
            }
            _ => Ok(()),
        }
    }

    fn after_insertions(
        &mut self,
        graph: &DynamicGraph<L>,
        change: &Change<L::Carried>,
    ) -> Result<(), Error> {
        let Some(state) = &mut self.state else {
            self.state = Some(self.algorithm.compute(graph)?);
            return Ok(());
        };
        if change.is_empty() {
            return Ok(());
        }
        self.has_begun = true;
        if !change.inserted().is_empty() {
            self.algorithm.on_insert(state, graph, change.inserted())?;
        }
        self.algorithm.finish_batch(state, graph)
    }
}

impl<L: EdgeLists, A: DynamicAlgorithm<DynamicGraph<L>>> Tracked<DynamicGraph<L>, A> {
    /// Applies a batch to the graph and brings the answer up to date, or refuses it. Returns
    /// what the batch changed. Synchronises.
    ///
    /// Where the graph tracks updates, they are then those of this batch.
    ///
    /// # Errors
    /// A batch that graph or algorithm cannot take, no memory, an algorithm that fails: graph
    /// and answer are as they were. (Where the algorithm had begun to follow, its state is
    /// computed again. If that fails, too, [`output`](Self::output) computes the answer.) If
    /// the device fails, neither can be relied on.
    pub fn apply(
        &mut self,
        batch: &impl BatchSource<L::Carried>,
    ) -> Result<Change<L::Carried>, Error> {
        let Tracked { graph, algorithm, state } = self;
        Self::apply_to(graph, algorithm, state, batch)
    }

    fn apply_to(
        graph: &mut DynamicGraph<L>,
        algorithm: &A,
        state: &mut Option<A::State>,
        batch: &impl BatchSource<L::Carried>,
    ) -> Result<Change<L::Carried>, Error> {
        // Taken out meanwhile: if the algorithm panics there is no state that is not the graph's.
        let mut follow = Follow { algorithm, state: state.take(), has_begun: false };
        let applied = graph.transact(batch, &mut follow);
        *state = follow.state;
        if applied.is_err() && follow.has_begun {
            // What went wrong is the error of the batch.
            match Self::recompute_in_place(graph, algorithm, state) {
                Ok(()) => tracing::warn!("a batch was taken back, and the answer computed again"),
                Err(error) => tracing::error!(%error, "the answer could not be computed again"),
            }
        }
        applied
    }

    /// Adds vertices without edges and returns their ids, as
    /// [`insert_vertices`](DynamicGraph::insert_vertices) does: ids that are used again, then new
    /// ones, of which the algorithm is told ([`DynamicAlgorithm::on_grow`]). Synchronises.
    ///
    /// # Errors
    /// As [`insert_vertices`](DynamicGraph::insert_vertices); graph and answer are as they were.
    /// If the algorithm has no memory for them, the vertices are there all the same, and
    /// [`output`](Self::output) computes the answer or says why not.
    pub fn insert_vertices(&mut self, count: u32) -> Result<Vec<Vertex>, Error> {
        let before = self.graph.vertex_count();
        let inserted = self.graph.insert_vertices(count)?;
        let Tracked { graph, algorithm, state } = self;
        if graph.vertex_count() > before
            && let Some(mut grown) = state.take()
        {
            *state = match algorithm.on_grow(&mut grown, graph, before) {
                Ok(()) => Some(grown),
                Err(_) => {
                    drop(grown);
                    algorithm.compute(graph).ok()
                }
            };
        }
        Ok(inserted)
    }

    /// Deletes vertices with all their edges, and brings the answer up to date: that of a graph in
    /// which they are vertices without edges. Their ids are used again by
    /// [`insert_vertices`](Self::insert_vertices). Returns what they lost. Naming one twice does not
    /// matter. Synchronises.
    ///
    /// Cost: a batch of the deletions of these edges; in a directed graph that keeps one orientation
    /// only, a pass over all edges as well.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchVertex`] for one that is not there; as [`apply`](Self::apply). Graph and
    /// answer are as they were.
    pub fn delete_vertices(&mut self, vertices: &[Vertex]) -> Result<Change<L::Carried>, Error> {
        let Tracked { graph, algorithm, state } = self;
        graph.delete_vertices_after(vertices, |graph, deletions| {
            Self::apply_to(graph, algorithm, state, deletions)
        })
    }

    /// Lays the graph out anew, as [`compact`](DynamicGraph::compact) does; the answer stays.
    /// Synchronises.
    ///
    /// # Errors
    /// As [`compact`](DynamicGraph::compact).
    pub fn compact(&mut self) -> Result<(), Error> {
        self.graph.compact()
    }

    /// Makes room for so many more edges, as [`reserve`](DynamicGraph::reserve) does. Synchronises.
    ///
    /// # Errors
    /// As [`reserve`](DynamicGraph::reserve).
    pub fn reserve(&mut self, edges: u64) -> Result<(), Error> {
        self.graph.reserve(edges)
    }

    /// Computes the answer from scratch.
    ///
    /// # Errors
    /// The device fails.
    pub fn recompute(&mut self) -> Result<(), Error> {
        let Tracked { graph, algorithm, state } = self;
        Self::recompute_in_place(graph, algorithm, state)
    }

    /// The state from scratch, where the one before was if there is one.
    fn recompute_in_place(
        graph: &DynamicGraph<L>,
        algorithm: &A,
        state: &mut Option<A::State>,
    ) -> Result<(), Error> {
        *state = Some(match state.take() {
            Some(mut state) => {
                algorithm.recompute(&mut state, graph)?;
                state
            }
            None => algorithm.compute(graph)?,
        });
        Ok(())
    }

    /// The answer for the graph as it is. Synchronises. After a batch that was refused, and
    /// whose former state could not be computed again, it is computed from scratch.
    ///
    /// # Errors
    /// The device fails.
    pub fn output(&self) -> Result<A::Output, Error> {
        if let Some(state) = &self.state {
            match self.algorithm.output(state) {
                // One of several is.
                Err(error) if matches!(error.kind(), ErrorKind::OutOfStep) => {}
                answered => return answered,
            }
        }
        self.algorithm.output(&self.algorithm.compute(&self.graph)?)
    }

    /// What the algorithm keeps of the graph as it is.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfStep`] after a batch that was refused, and whose former state could
    /// not be computed again: [`recompute`](Self::recompute) tries once more.
    pub fn state(&self) -> Result<&A::State, Error> {
        self.state.as_ref().ok_or_else(|| ErrorKind::OutOfStep.into())
    }

    /// The answers as they are, on the device: see [`Answers`].
    ///
    /// # Errors
    /// As [`state`](Self::state).
    pub fn answers(&self) -> Result<Answers<'_, DynamicGraph<L>, A>, Error>
    where
        A: VertexAnswers<DynamicGraph<L>>,
    {
        Ok(Answers::of(&self.graph, &self.algorithm, self.state()?))
    }

    /// The graph as it is.
    pub fn graph(&self) -> &DynamicGraph<L> {
        &self.graph
    }

    /// The algorithm: what is asked of the graph.
    pub fn algorithm(&self) -> &A {
        &self.algorithm
    }

    /// Parts the graph and the algorithm again; the state is dropped.
    pub fn into_parts(self) -> (DynamicGraph<L>, A) {
        (self.graph, self.algorithm)
    }
}
