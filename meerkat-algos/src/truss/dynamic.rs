//! A k-truss that follows updates.
//!
//! Deletions: edges of the truss that go are the first to be removed, and what they leave too
//! few triangles goes in rounds, as from scratch.
//! Insertions: the new truss has all of the old one. Another edge of it is inserted, or shares a
//! triangle of the new truss with another such edge, and so on to an inserted one: without it, it
//! would have been in the old truss. So candidates are found breadth first from the inserted edges,
//! over triangles, as long as an edge has enough of them in the whole graph. Then candidates of too
//! few triangles with the truss and each other are removed in rounds; those that are left enter it.
//! Numbers: an edge that comes gets the next number, and one that goes gives none back. When they
//! run out, everything is computed again, after at least as many insertions as there were edges.

use super::batches::{
    accept_candidate, choose_candidate, discover_edges, give_triangles, list_ascending,
    reject_candidate, remove_from_truss,
};
use super::edges::{Edges, numbered};
use super::operators::CANDIDATE;
use super::peeling::Peeling;
use super::sorted;
use crate::simple::changed;
use meerkat_runtime::dynamic::{check_fits, vertices_to_come};
use meerkat_runtime::oriented::OrientedGraph;
use meerkat_runtime::prelude::*;

/// For so many edges more there is room, at least.
pub(super) const LEAST_ROOM: u32 = 1 << 10;

/// The k-truss for one `k`, following updates of any graph: see [`DynamicGraph::track`]. The answer
/// is that of [`k_truss`](super::k_truss).
///
/// It keeps the undirected simple graph for itself, in compact slabs, and 28 bytes for each of
/// about twice as many edges. A batch costs a walk over the neighbours of one end, and a search for
/// each, for every edge that leaves the truss, and several for each that may enter it. What may
/// enter reaches from an inserted edge as far as edges of `k - 2` triangles do; so `k` should be
/// one for which few edges have that many. Once more edges have been inserted than there were, the
/// truss is computed from scratch.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_algos::truss::KTruss;
/// use meerkat_runtime::prelude::*;
///
/// let device = Device::auto();
/// let edge = |src, dst| Edge { src, dst, weight: () };
/// let edges = [edge(0, 1), edge(0, 2), edge(1, 2), edge(1, 3), edge(2, 3)];
/// let graph = SlabGraph::from_edges(&device, 4, &edges, &SlabOptions::DEFAULT)?;
/// let mut truss = graph.track(KTruss::new(4))?;
/// assert!(truss.output()?.is_empty());
/// truss.apply(&Batch::new().insert([edge(3, 0)]))?;
/// assert_eq!(truss.output()?.len(), 6);
/// truss.apply(&Batch::new().delete([edge(0, 1)]))?;
/// assert!(truss.output()?.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KTruss {
    k: u32,
}

impl KTruss {
    /// The truss of which every edge is in at least `k - 2` triangles; up to a `k` of 2 it has all edges.
    pub fn new(k: u32) -> Self {
        KTruss { k }
    }

    /// Which truss it is.
    pub fn k(&self) -> u32 {
        self.k
    }
}

/// The k-truss of a graph, and its undirected simple form.
#[derive(Debug)]
pub struct KTrussState {
    /// Without loops and directions; edges weigh their number.
    pub(super) simple: CompactGraph<u32>,
    pub(super) edges: Edges,
    /// The triangles that an edge of the truss needs.
    pub(super) needed: u32,
    /// The next round: higher than that of every edge outside the truss.
    pub(super) round: u32,
    pub(super) frontiers: Frontiers<Vertex>,
    pub(super) candidates: LevelQueue<Vertex>,
}

impl KTrussState {
    fn new<C: Container>(k: u32, graph: &C) -> Result<Self, Error> {
        let (device, vertices) = (graph.device(), graph.vertex_count());
        let mut all = OrientedGraph::of(graph)?.edges_in_triangles(0)?;
        let more = (all.len() as u32).max(LEAST_ROOM);
        let edges = Edges::take(&mut all, more)?;
        let options = SlabOptions::DEFAULT.undirected();
        let simple = CompactGraph::from_buffer(device, vertices, &all, &options)?;
        let candidates = LevelQueue::new(device, edges.capacity())?;
        let needed = k.saturating_sub(2);
        let mut peeling = Peeling::new(vertices, edges, all)?;
        if needed > 0 {
            peeling.remove_below(needed)?;
        }
        let (edges, frontiers, round) = peeling.into_parts();
        Ok(KTrussState { simple, edges, needed, round, frontiers, candidates })
    }

    /// The edges of the truss, left on the device: in no order, and either end is first; the weight
    /// of each is the number of triangles of the truss that it is in. Synchronises.
    ///
    /// Cost: a look at every edge of the graph.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn edges(&self) -> Result<DeviceBuffer<Edge<u32>>, Error> {
        self.edges.list_truss(self.edges.count())
    }

    /// The undirected simple graph that it keeps; edges weigh their number.
    pub fn graph(&self) -> &CompactGraph<u32> {
        &self.simple
    }

    /// Whether there are numbers for this many edges more, and for the rounds of a batch.
    fn has_room(&self, more: u32) -> bool {
        let (edges, capacity) = (&self.edges, u64::from(self.edges.capacity()));
        // A round removes an edge, but for the last and the one in which candidates are found.
        let rounds = u64::from(self.round) + capacity + 2;
        u64::from(edges.count()) + u64::from(more) <= capacity && rounds < u64::from(CANDIDATE)
    }

    /// Takes edges, of which both arcs are given, out of the graph and the truss. Whether all of them were
    /// there; else nothing is left that could be followed. Synchronises.
    fn delete(&mut self, changed: &DeviceBuffer<Edge>) -> Result<bool, Error> {
        let KTrussState { simple, edges, needed, round, frontiers, .. } = self;
        let (device, arcs) = (edges.device(), simple.out_edges()?);
        let mut gone = LevelQueue::new(device, changed.len() as u32 / 2)?;
        let (state, next) = (edges.buffers(), frontiers.next());
        remove_from_truss::launch(device, changed, arcs, state, *round, gone.next(), next)?;
        if gone.advance()? as usize != changed.len() / 2 {
            return Ok(false);
        }
        frontiers.advance()?;
        *round += edges.remove_in_rounds(simple, frontiers, *needed, *round)?;
        simple.delete_buffer(&gone.into_buffer()).map(|()| true)
    }

    /// Puts edges, for which there are numbers, into the graph and the truss. Synchronises.
    fn insert(&mut self, new: &DeviceBuffer<Edge>) -> Result<(), Error> {
        let first = self.edges.count();
        self.simple.insert_buffer(&numbered(new, first)?)?;
        self.edges.append(new)?;
        if self.find_candidates(first)? {
            self.remove_candidates()?;
            let (device, edges) = (self.edges.device(), self.edges.buffers());
            accept_candidate::launch(device, self.candidates.all(), edges)?;
        }
        self.round += 1;
        Ok(())
    }

    /// Finds the edges that may enter the truss, from the inserted ones, whose numbers begin at
    /// `first`. Whether there are any. Synchronises, twice for each step away from those.
    fn find_candidates(&mut self, first: u32) -> Result<bool, Error> {
        let KTrussState { simple, edges, needed, round, frontiers, candidates } = self;
        let (device, arcs, state) = (edges.device(), simple.out_edges()?, edges.buffers());
        candidates.clear()?;
        let (inserted, next) = (first..edges.count(), candidates.next());
        choose_candidate::launch(device, inserted, arcs, state, *needed, *round, next)?;
        while candidates.advance()? > 0 {
            let (latest, next) = (candidates.current(), frontiers.next());
            discover_edges::launch(device, latest, arcs, state, *round, next)?;
            frontiers.advance()?;
            let (found, next) = (frontiers.current(), candidates.next());
            choose_candidate::launch(device, found, arcs, state, *needed, *round, next)?;
        }
        Ok(!candidates.all().is_empty())
    }

    /// Removes candidates of too few triangles until there are none. Synchronises.
    fn remove_candidates(&mut self) -> Result<(), Error> {
        let KTrussState { simple, edges, needed, round, frontiers, candidates } = self;
        let (device, arcs, state) = (edges.device(), simple.out_edges()?, edges.buffers());
        give_triangles::launch(device, candidates.all(), arcs, state)?;
        // What was found in this round, and is no candidate, is out before the next one.
        *round += 1;
        let next = frontiers.next();
        reject_candidate::launch(device, candidates.all(), state, *needed, *round, next)?;
        frontiers.advance()?;
        *round += edges.remove_in_rounds(simple, frontiers, *needed, *round)?;
        Ok(())
    }
}

/// Each edge once of which both arcs come. Synchronises.
fn once(changed: &DeviceBuffer<Edge>) -> Result<DeviceBuffer<Edge>, Error> {
    let mut listed = LevelQueue::new(changed.device(), changed.len() as u32 / 2)?;
    list_ascending::launch(changed.device(), changed, listed.next())?;
    listed.advance()?;
    Ok(listed.into_buffer())
}

impl IgnoresWeights for KTruss {}

impl<C: Container> DynamicAlgorithm<C> for KTruss {
    type State = KTrussState;
    type Output = Vec<Edge<u32>>;

    fn compute(&self, graph: &C) -> Result<KTrussState, Error> {
        KTrussState::new(self.k, graph)
    }

    fn on_grow(&self, state: &mut KTrussState, graph: &C, _before: u32) -> Result<(), Error> {
        let more = vertices_to_come(state.simple.vertex_count() as usize, graph)?;
        state.simple.insert_vertices(more).map(drop)
    }

    fn on_delete(
        &self,
        state: &mut KTrussState,
        graph: &C,
        deleted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        check_fits(state.simple.vertex_count() as usize, graph)?;
        // An edge stays as long as one of its arcs does.
        let deleted = changed(deleted, graph.vertex_count(), graph.out_edges()?)?;
        if deleted.is_empty() {
            return Ok(());
        }
        match state.has_room(0) && state.delete(&deleted)? {
            true => Ok(()),
            false => self.recompute(state, graph),
        }
    }

    fn on_insert(
        &self,
        state: &mut KTrussState,
        graph: &C,
        inserted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        check_fits(state.simple.vertex_count() as usize, graph)?;
        let inserted = changed(inserted, graph.vertex_count(), state.simple.out_edges()?)?;
        if inserted.is_empty() {
            return Ok(());
        }
        let inserted = once(&inserted)?;
        if !state.has_room(inserted.len() as u32) {
            return self.recompute(state, graph);
        }
        state.insert(&inserted)
    }

    fn output(&self, state: &KTrussState) -> Result<Vec<Edge<u32>>, Error> {
        sorted(&state.edges()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clique_of_4() -> [Edge; 6] {
        let arcs = [(0, 1), (0, 2), (1, 2), (3, 0), (3, 1), (3, 2)];
        arcs.map(|(src, dst)| Edge { src, dst, weight: () })
    }

    fn graph(edges: &[Edge]) -> SlabGraph {
        let device = Device::cpu();
        SlabGraph::from_edges(&device, 4, edges, &SlabOptions::DEFAULT).expect("a graph")
    }

    #[test]
    fn when_an_edge_that_goes_is_not_there_the_truss_is_computed_again() {
        let (device, edges) = (Device::cpu(), clique_of_4());
        let algorithm = KTruss::new(4);
        let mut state = algorithm.compute(&graph(&edges)).expect("a truss");
        state.simple.delete(&[Edge { src: 3, dst: 2, weight: 0 }]).expect("lost");
        let last = DeviceBuffer::from_slice(&device, &edges[5..]).expect("an edge");
        algorithm.on_delete(&mut state, &graph(&edges[..5]), &last).expect("a deletion");
        assert_eq!(state.edges.count(), 5);
        let found: Vec<_> =
            DynamicAlgorithm::<SlabGraph>::output(&algorithm, &state).expect("a truss");
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn when_rounds_run_out_the_truss_is_computed_again() {
        let (device, edges) = (Device::cpu(), clique_of_4());
        let (before, after, algorithm) = (graph(&edges[..5]), graph(&edges), KTruss::new(4));
        let mut state = algorithm.compute(&before).expect("a truss");
        state.round = CANDIDATE - 5;
        let last = DeviceBuffer::from_slice(&device, &edges[5..]).expect("an edge");
        algorithm.on_insert(&mut state, &after, &last).expect("an insertion");
        assert!(state.round < 10, "{}", state.round);
        let found = |state: &KTrussState| DynamicAlgorithm::<SlabGraph>::output(&algorithm, state);
        assert_eq!(found(&state).expect("a truss").len(), 6);
        state.round = CANDIDATE - 5;
        algorithm.on_delete(&mut state, &before, &last).expect("a deletion");
        assert!(state.round < 10, "{}", state.round);
        assert!(found(&state).expect("a truss").is_empty());
    }
}
