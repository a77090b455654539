//! Shortest-path trees many levels deep that lose edges near the root: most of the
//! tree moves at once, and every distance is that of Dijkstra's algorithm.

use crate::support::devices::devices;
use crate::support::dijkstra::{Length, dijkstra, tree_flaws};
use meerkat::algos::bfs::Bfs;
use meerkat::algos::sssp::{PathWeight, ShortestPaths, Sssp};
use meerkat::prelude::*;
use meerkat::runtime::oracle::generate::Rng;

const SIDE: u32 = 40;
const VERTICES: u32 = SIDE * SIDE;

const OUT: SlabOptions = SlabOptions::DEFAULT;
const BOTH: SlabOptions = SlabOptions::DEFAULT.oriented(Orientation::Both);

fn undirected() -> SlabOptions {
    SlabOptions { direction: Direction::Undirected, ..SlabOptions::DEFAULT }
}

fn edge<W: Weight>(src: u32, dst: u32, weight: W) -> Edge<W> {
    Edge { src, dst, weight }
}

/// A grid, its edges to the right and down, and some back.
fn grid<W: Weight>(rng: &mut Rng, mut weight: impl FnMut(&mut Rng) -> W) -> Vec<Edge<W>> {
    let mut edges = Vec::new();
    for v in 0..VERTICES {
        if v % SIDE + 1 < SIDE {
            edges.push(edge(v, v + 1, weight(rng)));
        }
        if v + SIDE < VERTICES {
            edges.push(edge(v, v + SIDE, weight(rng)));
        }
        if v % SIDE > 0 && rng.u32(..4) == 0 {
            edges.push(edge(v, v - 1, weight(rng)));
        }
    }
    edges
}

/// Follows batches that delete random edges, a third of them near the source, and
/// insert others.
fn follow<W, A>(
    algorithm: impl Fn() -> A,
    weight: impl Fn(&mut Rng) -> W + Copy,
    look: impl Fn(&A::Output) -> (&[W::Sum], &[u32]),
) where
    W: Length + std::fmt::Debug,
    A: DynamicAlgorithm<SlabGraph<W>>,
{
    for device in devices() {
        for options in [OUT, BOTH, undirected()] {
            let mut rng = Rng::with_seed(7);
            let edges = grid(&mut rng, weight);
            let graph =
                SlabGraph::from_edges(&device, VERTICES, &edges, &options).expect("a graph");
            let mut tracked = graph.track(algorithm()).expect("tracked");
            for batch in 0..6 {
                let mut changes = Batch::new();
                for k in 0..30 {
                    let arcs = tracked.graph().edge_count().expect("a count");
                    assert!(arcs > 1000, "edges are left");
                    let range = if k % 3 == 0 { 200 } else { edges.len() as u32 };
                    let Edge { src, dst, weight } = edges[rng.u32(..range) as usize];
                    changes = changes.delete([edge(src, dst, weight)]);
                }
                if batch % 2 == 1 {
                    let (src, dst) = (rng.u32(..VERTICES), rng.u32(..VERTICES));
                    changes = changes.insert([edge(src, dst, weight(&mut rng))]);
                }
                tracked.apply(&changes).expect("applied");
                let output = tracked.output().expect("an answer");
                let (distances, parents) = look(&output);
                let edges = tracked.graph().to_edges().expect("edges");
                assert_eq!(distances, dijkstra(VERTICES, &edges, 0), "batch {batch}, {options:?}");
                assert_eq!(tree_flaws(&edges, 0, distances, parents), [""; 0], "batch {batch}");
            }
        }
    }
}

fn follow_paths<W>(weight: impl Fn(&mut Rng) -> W + Copy)
where
    W: Length + PathWeight<Distance = W::Sum>,
{
    follow(
        || Sssp::from_source(0),
        weight,
        |paths: &ShortestPaths<_>| (&paths.distances, &paths.parents),
    );
}

#[test]
fn levels_of_a_grid_follow_deletions_near_the_source() {
    follow::<(), _>(|| Bfs::from_source(0), |_| (), |tree| (&tree.levels, &tree.parents));
}

#[test]
fn paths_of_whole_weights_follow() {
    follow_paths(|rng| rng.u32(1..=64));
}

#[test]
fn paths_with_many_edges_of_no_length_follow() {
    follow_paths(|rng| rng.u32(..4) / 3);
}

#[test]
fn paths_that_saturate_follow() {
    follow_paths(|rng| u32::MAX / 64 + rng.u32(..1000));
}

#[test]
fn paths_of_floats_follow_to_the_bit() {
    follow_paths(|rng| rng.u32(..1000) as f32 / 7.0);
}

/// A path whose first edge is cut: what was last is first, then nothing is reached.
#[test]
fn a_path_of_3000_hangs_from_its_other_end_and_then_nowhere() {
    const N: u32 = 3000;
    for device in devices() {
        for options in [OUT, BOTH, undirected()] {
            let mut edges: Vec<_> = (1..N).map(|v| edge(v - 1, v, 2)).collect();
            edges.extend((2..N).map(|v| edge(v, v - 1, 3)));
            edges.push(edge(0, N - 1, 20_000));
            let graph = SlabGraph::from_edges(&device, N, &edges, &options).expect("a graph");
            let mut sssp = graph.track(Sssp::from_source(0)).expect("tracked");
            for gone in [edge(0, 1, 0), edge(0, N - 1, 0)] {
                sssp.apply(&Batch::new().delete([gone])).expect("applied");
                let edges = sssp.graph().to_edges().expect("edges");
                let found = sssp.output().expect("paths");
                assert_eq!(found.distances, dijkstra(N, &edges, 0));
                assert_eq!(tree_flaws(&edges, 0, &found.distances, &found.parents), [""; 0]);
            }
        }
    }
}
