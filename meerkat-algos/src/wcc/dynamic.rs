//! Components that follow updates, deletions too.
//!
//! A spanning forest tells which deletions matter: an edge outside it may go and
//! nothing happens. When edges of the forest go, their components split into the
//! fragments that the rest of the forest makes; every fragment but the largest of its
//! component then looks for an edge out of it.

use super::forest;
use super::operators::{
    Fragment, FragmentBuffers, copy_roots, count_sample, find_largest, flatten, hook_all_neighbors,
    hook_inserted, isolate, list_members, list_tree_edges, mark_broken, select_small,
    unite_neighbors,
};
use super::saved::{read_forest, read_parents, write_forest};
use crate::stamps::Stamps;
use meerkat_runtime::dynamic::{SavedState, VertexAnswers, check_fits, vertices_to_come};
use meerkat_runtime::prelude::*;
use meerkat_runtime::saved::{StateReader, StateWriter};

/// Weakly connected components that follow updates: see [`DynamicGraph::track`].
/// The graph keeps both orientations.
///
/// An insertion costs a search for two roots. A deletion outside the spanning
/// forest costs a search in it; one in the forest a pass over the labels, the
/// forest of its component, and the edges of what breaks off.
#[derive(Clone, Copy, Debug)]
pub struct Components;

/// The components of a graph, with a spanning forest.
#[derive(Debug)]
pub struct ComponentsState<W: Weight> {
    device: Device,
    vertices: u32,
    /// As in the static form: roots are the smallest of their components.
    parent: DeviceBuffer<Atomic<u32>>,
    /// The spanning forest, one arc of each edge.
    forest: SlabGraph<W>,
    /// Edges that are new in the forest.
    joined: Frontiers<Edge<W>>,
    /// Roots of components that lost an edge of the forest, by round.
    broken: Stamps,
    /// The vertices of those components, and then those of small fragments.
    members: Frontiers<Vertex>,
    /// The root that each member had.
    old_root: DeviceBuffer<u32>,
    /// Members of each fragment that are in the sample, by root.
    sizes: DeviceBuffer<Atomic<u32>>,
    /// The largest fragment of each broken component, by its former root.
    largest: DeviceBuffer<Atomic<Fragment>>,
}

impl<W: Weight> ComponentsState<W> {
    /// Memory for a graph, and nothing computed yet.
    fn new(graph: &impl Container<Carried = W>) -> Result<Self, Error> {
        let (device, vertices) = (graph.device(), graph.vertex_count());
        let n = vertices as usize;
        Ok(ComponentsState {
            device: device.clone(),
            vertices,
            parent: DeviceBuffer::zeroed(device, n)?,
            forest: SlabGraph::from_edges(device, 0, &[], &SlabOptions::DEFAULT)?,
            joined: Frontiers::new(device, vertices, &[])?,
            broken: Stamps::new(device, n)?,
            members: Frontiers::new(device, vertices, &[])?,
            old_root: DeviceBuffer::zeroed(device, n)?,
            sizes: DeviceBuffer::zeroed(device, n)?,
            largest: DeviceBuffer::zeroed(device, n)?,
        })
    }

    /// Whether its memory is that of a graph.
    fn fits(&self, graph: &impl Container<Carried = W>) -> bool {
        self.device == *graph.device() && self.vertices == graph.vertex_count()
    }

    /// Vertices have come, each a component of its own.
    ///
    /// Cost: a copy of what it keeps of each vertex.
    fn grow(&mut self, graph: &impl Container<Carried = W>) -> Result<(), Error> {
        let more = vertices_to_come(self.vertices as usize, graph)?;
        let (device, before, vertices) = (self.device.clone(), self.vertices, graph.vertex_count());
        let n = vertices as usize;
        self.forest.insert_vertices(more)?;
        self.parent = self.parent.extended(n, 0)?;
        isolate::launch(&device, before..vertices, &self.parent)?;
        self.joined = Frontiers::new(&device, vertices, &[])?;
        self.members = Frontiers::new(&device, vertices, &[])?;
        self.broken.grow(n)?;
        self.old_root = DeviceBuffer::zeroed(&device, n)?;
        self.sizes = DeviceBuffer::zeroed(&device, n)?;
        self.largest = DeviceBuffer::zeroed(&device, n)?;
        self.vertices = vertices;
        Ok(())
    }

    /// Components and forest from scratch.
    fn compute(&mut self, graph: &impl Container<Carried = W>) -> Result<(), Error> {
        self.joined.restart(&[])?;
        self.members.restart(&[])?;
        forest::grow(graph, &self.parent, &self.joined)?;
        self.joined.advance()?;
        let (edges, options) = (self.joined.to_buffer()?, SlabOptions::DEFAULT);
        self.forest = SlabGraph::from_buffer(&self.device, self.vertices, &edges, &options)?;
        Ok(())
    }

    /// Takes edges out of the forest and splits the components that had them into
    /// fragments.
    fn cut(&mut self, deleted: DeviceBuffer<Edge<W>>) -> Result<(), Error> {
        self.forest.delete_buffer(&deleted)?;
        self.broken.advance()?;
        let (device, parent, broken) = (&self.device, &self.parent, self.broken.marks());
        let (all, round) = (0..self.vertices, self.broken.current());
        mark_broken::launch(device, &deleted, parent, round, broken)?;
        let (old_root, members) = (&mut self.old_root, &mut self.members);
        list_members::launch(device, all, parent, broken, round, old_root, members.next())?;
        members.advance()?;
        isolate::launch(device, members.current(), parent)?;
        unite_neighbors::launch(device, members.current(), self.forest.out_edges()?, parent)
    }

    /// Looks for edges between the fragments, from all but the largest of each
    /// component.
    fn reconnect(&mut self, graph: &impl Container<Carried = W>) -> Result<(), Error> {
        self.sizes.fill(0)?;
        self.largest.fill(Fragment { root: 0, size: 0 })?;
        let (device, parent, members) = (&self.device, &self.parent, &mut self.members);
        let (old_root, sizes, largest) = (&self.old_root, &self.sizes, &self.largest);
        let fragments = FragmentBuffers { parent, old_root, sizes, largest };
        count_sample::launch(device, members.current(), fragments)?;
        find_largest::launch(device, members.current(), fragments)?;
        select_small::launch(device, members.current(), fragments, members.next())?;
        members.advance()?;
        let small = members.current();
        let (out, next) = (graph.out_edges()?, self.joined.next());
        hook_all_neighbors::launch(device, small.clone(), out, false, parent, next)?;
        if !graph.is_undirected() {
            hook_all_neighbors::launch(device, small, graph.in_edges()?, true, parent, next)?;
        }
        members.restart(&[])?;
        self.add_joined()
    }

    /// Puts the edges that joined two components into the forest.
    fn add_joined(&mut self) -> Result<(), Error> {
        if self.joined.advance()? > 0 {
            self.forest.insert_buffer(&self.joined.to_buffer()?)?;
        }
        Ok(())
    }
}

impl IgnoresWeights for Components {}

impl<C: Container> DynamicAlgorithm<C> for Components {
    type State = ComponentsState<C::Carried>;
    /// The smallest vertex of each one's component.
    type Output = Vec<u32>;

    fn check_graph(&self, graph: &C) -> Result<(), Error> {
        graph.out_edges()?;
        graph.in_edges().map(drop)
    }

    fn compute(&self, graph: &C) -> Result<Self::State, Error> {
        let mut state = ComponentsState::new(graph)?;
        state.compute(graph)?;
        Ok(state)
    }

    fn recompute(&self, state: &mut Self::State, graph: &C) -> Result<(), Error> {
        if !state.fits(graph) {
            *state = ComponentsState::new(graph)?;
        }
        state.compute(graph)
    }

    fn on_grow(&self, state: &mut Self::State, graph: &C, _before: u32) -> Result<(), Error> {
        state.grow(graph)
    }

    fn on_delete(
        &self,
        state: &mut Self::State,
        graph: &C,
        deleted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        check_fits(state.vertices as usize, graph)?;
        let mut lost = LevelQueue::new(&state.device, deleted.len() as u32)?;
        let forest = state.forest.out_edges()?;
        list_tree_edges::launch(&state.device, deleted, state.vertices, forest, lost.next())?;
        if lost.advance()? == 0 { Ok(()) } else { state.cut(lost.into_buffer()) }
    }

    fn on_insert(
        &self,
        state: &mut Self::State,
        graph: &C,
        inserted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        check_fits(state.vertices as usize, graph)?;
        hook_inserted::launch(&state.device, inserted, &state.parent, state.joined.next())?;
        state.add_joined()
    }

    fn finish_batch(&self, state: &mut Self::State, graph: &C) -> Result<(), Error> {
        check_fits(state.vertices as usize, graph)?;
        if state.members.is_empty() { Ok(()) } else { state.reconnect(graph) }
    }

    fn output(&self, state: &Self::State) -> Result<Vec<u32>, Error> {
        let ComponentsState { device, vertices, parent, .. } = state;
        flatten::launch(device, 0..*vertices, parent)?;
        parent.to_vec()
    }
}

impl<C: Container> SavedState<C> for Components {
    fn description(&self) -> String {
        "components".to_owned()
    }

    fn save_state(&self, state: &Self::State, to: &mut StateWriter) -> Result<(), Error> {
        to.array("parents", &state.parent.to_vec()?)?;
        write_forest(&state.forest.to_edges()?, to)
    }

    fn load_state(&self, graph: &C, from: &mut StateReader) -> Result<Self::State, Error> {
        let (mut state, vertices) = (ComponentsState::new(graph)?, graph.vertex_count());
        state.parent.write(0, &read_parents(vertices, from)?)?;
        let (edges, options) = (read_forest(vertices, from)?, SlabOptions::DEFAULT);
        state.forest = SlabGraph::from_edges(&state.device, vertices, &edges, &options)?;
        Ok(state)
    }
}

impl<C: Container> VertexAnswers<C> for Components {
    /// The smallest vertex of the component.
    type Value = u32;

    fn write_answers(
        &self,
        state: &Self::State,
        vertices: &DeviceBuffer<Vertex>,
        answers: &mut DeviceBuffer<u32>,
    ) -> Result<(), Error> {
        let all = 0..answers.len() as u32;
        copy_roots::launch(&state.device, all, vertices, &state.parent, answers)
    }
}
