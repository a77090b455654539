//! A dynamic algorithm from scratch: colours of which no two neighbours share one,
//! kept while edges come and go (Jones and Plassmann, "A Parallel Graph Coloring
//! Heuristic"), and tested by the stream oracle.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;
use meerkat::runtime::dynamic::SavedState;
use meerkat::runtime::oracle::{Kind, Model, Oracle, generate};
use meerkat::runtime::saved::{StateReader, StateWriter};

// ANCHOR: operators
const NO_COLOUR: u32 = u32::MAX;

/// Of two neighbours of one colour the larger gives it up.
#[edge_operator]
fn clash(edge: Edge, colours: &[Atomic<u32>], next: &Frontier<Vertex>) {
    let is_clash = edge.src > edge.dst && colours[edge.src].load() == colours[edge.dst].load();
    let first = is_clash && colours[edge.src].swap(NO_COLOUR) != NO_COLOUR;
    warp_enqueue_frontier(next, edge.src, first);
}

/// Gives `v` the first colour that no neighbour has, once no larger neighbour
/// waits for one. Looks at 64 colours from `floor` on.
#[vertex_operator]
fn paint(
    v: Vertex,
    graph: &Graph,
    colours: &[Atomic<u32>],
    floor: &mut [u32],
    next: &Frontier<Vertex>,
) {
    let first = floor[v];
    let mut taken = 0u64;
    let mut waits = false;
    for_each_neighbor(graph, v, true, |u| {
        let colour = colours[u].load();
        waits |= colour == NO_COLOUR && u > v;
        let in_sight = colour >= first && colour < first + 64;
        taken |= select(in_sight, 1u64 << (colour & 63), 0u64);
    });
    let is_free = !waits && taken != u64::MAX;
    if is_free {
        colours[v].store(first + (!taken).trailing_zeros());
        floor[v] = 0;
    } else if !waits {
        floor[v] = first + 64;
    }
    warp_enqueue_frontier(next, v, !is_free);
}
// ANCHOR_END: operators

// ANCHOR: algorithm
/// Colours an undirected graph.
struct Colouring;

/// The colours of a graph, and whose turn it is.
struct Colours {
    colours: DeviceBuffer<Atomic<u32>>,
    floor: DeviceBuffer<u32>,
    uncoloured: Frontiers<Vertex>,
}

impl DynamicAlgorithm<SlabGraph> for Colouring {
    type State = Colours;
    type Output = Vec<u32>;

    fn check_graph(&self, graph: &SlabGraph) -> Result<(), Error> {
        match graph.options().direction {
            Direction::Undirected => Ok(()),
            Direction::Directed => {
                Err(ErrorKind::NeedsUndirected { algorithm: "colouring" }.into())
            }
        }
    }

    fn compute(&self, graph: &SlabGraph) -> Result<Colours, Error> {
        let (device, n) = (graph.device(), graph.vertex_count());
        let all: Vec<Vertex> = (0..n).collect();
        let mut state = Colours {
            colours: DeviceBuffer::filled(device, n as usize, NO_COLOUR)?,
            floor: DeviceBuffer::zeroed(device, n as usize)?,
            uncoloured: Frontiers::new(device, n, &all)?,
        };
        self.finish_batch(&mut state, graph)?;
        Ok(state)
    }

    /// Colours stay right when edges go.
    fn on_delete(
        &self,
        _: &mut Colours,
        _: &SlabGraph,
        _: &DeviceBuffer<Edge>,
    ) -> Result<(), Error> {
        Ok(())
    }

    fn on_insert(
        &self,
        state: &mut Colours,
        graph: &SlabGraph,
        inserted: &DeviceBuffer<Edge>,
    ) -> Result<(), Error> {
        clash::launch(graph.device(), inserted, &state.colours, state.uncoloured.next())?;
        state.uncoloured.advance().map(drop)
    }

    fn finish_batch(&self, state: &mut Colours, graph: &SlabGraph) -> Result<(), Error> {
        let Colours { colours, floor, uncoloured } = state;
        while !uncoloured.is_empty() {
            let (current, next) = (uncoloured.current(), uncoloured.next());
            paint::launch(graph.device(), current, graph, &*colours, &mut *floor, next)?;
            uncoloured.advance()?;
        }
        Ok(())
    }

    fn output(&self, state: &Colours) -> Result<Vec<u32>, Error> {
        state.colours.to_vec()
    }
}
// ANCHOR_END: algorithm

// ANCHOR: saved
/// Colours go into checkpoints; between batches nobody waits for one.
impl SavedState<SlabGraph> for Colouring {
    fn description(&self) -> String {
        "colouring".to_owned()
    }

    fn save_state(&self, state: &Colours, to: &mut StateWriter) -> Result<(), Error> {
        to.array("colours", &state.colours.to_vec()?)
    }

    fn load_state(&self, graph: &SlabGraph, from: &mut StateReader) -> Result<Colours, Error> {
        let (device, n) = (graph.device(), graph.vertex_count());
        let colours = from.array::<u32>("colours", n as usize)?;
        if colours.iter().any(|&colour| colour >= n) {
            return Err(from.refuse("more colours than vertices"));
        }
        Ok(Colours {
            colours: DeviceBuffer::from_slice(device, &colours)?,
            floor: DeviceBuffer::zeroed(device, n as usize)?,
            uncoloured: Frontiers::new(device, n, &[])?,
        })
    }
}
// ANCHOR_END: saved

// ANCHOR: property
/// What makes colours right, whichever they are.
fn is_proper(model: &Model, colours: &[u32]) -> Result<(), String> {
    if let Some(v) = colours.iter().position(|&colour| colour == NO_COLOUR) {
        return Err(format!("vertex {v} has no colour"));
    }
    let same = |edge: &Edge| colours[edge.src as usize] == colours[edge.dst as usize];
    match model.edges().into_iter().find(|edge| edge.src != edge.dst && same(edge)) {
        Some(Edge { src, dst, .. }) => Err(format!("{src} and {dst} share a colour")),
        None => Ok(()),
    }
}
// ANCHOR_END: property

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::auto();
    let clique = |n: u32| (0..n * n).map(move |i| Edge { src: i / n, dst: i % n, weight: () });
    // ANCHOR: track
    let options = SlabOptions::DEFAULT.undirected();
    let graph = SlabGraph::from_edges(&device, 200, &clique(3).collect::<Vec<_>>(), &options)?;
    let mut tracked = graph.track(Colouring)?;
    for size in [3, 50, 150] {
        tracked.apply(&Batch::new().insert(clique(size).collect::<Vec<_>>()))?;
        let most = tracked.output()?.into_iter().max().map_or(0, |colour| colour + 1);
        println!("a clique of {size}: {most} colours");
    }
    // ANCHOR_END: track
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("colours.meerkat");
    // ANCHOR: checkpoint
    tracked.save_checkpoint(&path, 3)?;
    let (restored, position) = Tracked::load_checkpoint(&device, Colouring, &path)?;
    assert_eq!((restored.output()?, position), (tracked.output()?, 3));
    // ANCHOR_END: checkpoint
    // ANCHOR: oracle
    let both = |model: &Model, followed: &Vec<u32>, recomputed: &Vec<u32>| {
        is_proper(model, followed).and_then(|()| is_proper(model, recomputed))
    };
    for kind in Kind::ALL {
        let oracle = Oracle::new(device.clone(), || Colouring, both);
        let undirected = Direction::Undirected;
        let sequences = (0..100).map(|seed| generate::sequence(seed, kind, undirected, |_| ()));
        let replayed = oracle.check(sequences)?;
        println!("{kind:?}: {} sequences of {} updates", replayed.sequences, replayed.updates);
    }
    // ANCHOR_END: oracle
    Ok(())
}
