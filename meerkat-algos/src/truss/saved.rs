//! A k-truss in a checkpoint: its edges. The other edges are numbered anew, for their numbers and
//! rounds change no answer.

use super::batches::restore_edge;
use super::dynamic::{KTruss, KTrussState, LEAST_ROOM};
use super::edges::{Edges, numbered};
use meerkat_runtime::dynamic::SavedState;
use meerkat_runtime::oriented::OrientedGraph;
use meerkat_runtime::prelude::*;
use meerkat_runtime::saved::{StateReader, StateWriter};

impl<C: Container> SavedState<C> for KTruss {
    fn description(&self) -> String {
        format!("{}-truss", self.k())
    }

    fn save_state(&self, state: &KTrussState, to: &mut StateWriter) -> Result<(), Error> {
        let edges = state.edges()?.to_vec()?;
        let column = |word: fn(&Edge<u32>) -> u32| edges.iter().map(word).collect::<Vec<_>>();
        to.array("sources", &column(|edge| edge.src))?;
        to.array("destinations", &column(|edge| edge.dst))?;
        to.array("triangles", &column(|edge| edge.weight))
    }

    fn load_state(&self, graph: &C, from: &mut StateReader) -> Result<KTrussState, Error> {
        let truss = read_truss(graph.vertex_count(), from)?;
        let state = KTrussState::outside(self.k(), graph)?;
        let (device, arcs) = (graph.device(), state.simple.out_edges()?);
        let restored = DeviceBuffer::zeroed(device, 1)?;
        let listed = DeviceBuffer::from_slice(device, &truss)?;
        restore_edge::launch(device, &listed, arcs, state.edges.buffers(), &restored)?;
        match restored.read(0, 1)?[0] as usize == truss.len() {
            true => Ok(state),
            false => Err(from.refuse("a truss with edges that the graph does not have")),
        }
    }
}

/// The edges of a truss of these vertices, with their triangles.
fn read_truss(vertices: u32, from: &mut StateReader) -> Result<Vec<Edge<u32>>, Error> {
    let sources = from.list::<u32>("sources")?;
    let destinations = from.array::<u32>("destinations", sources.len())?;
    let triangles = from.array::<u32>("triangles", sources.len())?;
    let edge = |((src, dst), weight)| Edge { src, dst, weight };
    let edges: Vec<_> = sources.into_iter().zip(destinations).zip(triangles).map(edge).collect();
    match edges.iter().all(|edge| edge.src < vertices && edge.dst < vertices) {
        true => Ok(edges),
        false => Err(from.refuse("a truss with vertices that the graph does not have")),
    }
}

impl KTrussState {
    /// The simple graph, and none of its edges in the truss.
    fn outside<C: Container>(k: u32, graph: &C) -> Result<Self, Error> {
        let (device, vertices) = (graph.device(), graph.vertex_count());
        let all = OrientedGraph::of(graph)?.edges()?;
        let edges = Edges::outside(&all, (all.len() as u32).max(LEAST_ROOM))?;
        let options = SlabOptions::DEFAULT.undirected();
        let all = numbered(&all, 0)?;
        let simple = CompactGraph::from_buffer(device, vertices, &all, &options)?;
        let frontiers = Frontiers::new(device, edges.capacity(), &[])?;
        let candidates = LevelQueue::new(device, edges.capacity())?;
        let needed = k.saturating_sub(2);
        Ok(KTrussState { simple, edges, needed, round: 1, frontiers, candidates })
    }
}
