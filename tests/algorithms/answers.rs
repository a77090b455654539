//! Answers on the device: looked up, as buffers, and what changed of them.

use super::support::devices::devices;
use meerkat::algos::bfs::{Bfs, Tree};
use meerkat::algos::pagerank::{Method, Options, PageRank, Ranks};
use meerkat::algos::sssp::{PathWeight, ShortestPaths, Sssp};
use meerkat::algos::tree::TreeNode;
use meerkat::algos::triangles::{TriangleCounts, Triangles};
use meerkat::algos::wcc::{Components, IncrementalComponents, Scheme};
use meerkat::prelude::*;
use meerkat::runtime::dynamic::{Answers, Changed, VertexAnswers, Watch};
use meerkat::runtime::graph::Adjacency;
use meerkat::runtime::oracle::Kind;
use meerkat::runtime::oracle::generate::{Rng, sequence};
use meerkat::runtime::{BlockEdges, CompactEdges, ErrorKind};

const BOTH: SlabOptions = SlabOptions::DEFAULT.oriented(Orientation::Both);

/// Whether an answer on the device is what the output says of a vertex.
type Same<O, V> = dyn Fn(&O, usize, V) -> bool;

/// After every batch, and after vertices have come: all answers are those of the output, those
/// looked up are theirs, and so is what has changed.
#[track_caller]
fn check<L, A>(
    seed: u64,
    algorithm: impl Fn() -> A,
    weight: impl Fn(&mut Rng) -> L::Carried,
    same: &Same<A::Output, A::Value>,
) where
    L: EdgeLists,
    A: VertexAnswers<DynamicGraph<L>, Value: PartialEq + std::fmt::Debug>,
{
    let sequence = sequence(seed, Kind::Mixed, Direction::Directed, weight);
    for device in devices() {
        let (vertices, start) = (sequence.vertices, &sequence.start);
        let graph = DynamicGraph::<L>::from_edges(&device, vertices, start, &BOTH);
        let mut tracked = graph.expect("a graph").track(algorithm()).expect("tracked");
        let mut watch = Watch::from(&tracked.answers().expect("answers")).expect("a watch");
        let all = |tracked: &Tracked<_, A>| {
            tracked.answers().and_then(|answers| answers.to_buffer()?.to_vec()).expect("answers")
        };
        let (mut before, mut changes) = (all(&tracked), 0);
        for (number, batch) in sequence.batches.iter().enumerate() {
            tracked.apply(batch).expect("applied");
            if number == 1 {
                tracked.insert_vertices(3).expect("vertices");
            }
            let (output, after) = (tracked.output().expect("an answer"), all(&tracked));
            assert_eq!(after.len(), tracked.graph().vertex_count() as usize);
            for (v, &answer) in after.iter().enumerate() {
                assert!(same(&output, v, answer), "batch {number}: {answer:?} of vertex {v}");
            }
            let answers = tracked.answers().expect("answers");
            let some: Vec<_> = (0..after.len() as u32).rev().step_by(3).collect();
            let expected: Vec<_> = some.iter().map(|&v| after[v as usize]).collect();
            assert_eq!(answers.look_up(&some).expect("answers"), expected);
            let differs = |v: &usize| before.get(*v).is_none_or(|old| *old != after[*v]);
            let places = (0..after.len()).filter(differs);
            let expected: Vec<_> =
                places.map(|v| Changed { vertex: v as u32, answer: after[v] }).collect();
            assert_eq!(watch.changes(&answers).expect("changes"), expected, "batch {number}");
            changes += expected.len();
            before = after;
        }
        assert!(changes > 3, "{changes} changes");
        let answers = tracked.answers().expect("answers");
        let outside = answers.look_up(&[before.len() as u32]).expect_err("no such vertex");
        assert!(matches!(outside.kind(), ErrorKind::NoSuchVertex { .. }), "{outside}");
        assert!(answers.look_up(&[]).expect("no answers").is_empty());
    }
}

/// A seed of more than two batches.
const SEED: u64 = 11;

#[test]
fn levels_and_parents() {
    check::<CompactEdges, _>(
        SEED,
        || Bfs::from_source(0),
        |_| (),
        &|tree: &Tree, v, node: TreeNode| {
            (tree.levels[v], tree.parents[v]) == (node.distance, node.parent)
        },
    );
}

#[test]
fn distances_and_parents() {
    let weight = |rng: &mut Rng| rng.f32();
    check::<Adjacency<f32>, _>(
        SEED,
        || Sssp::from_source(0),
        weight,
        &|paths: &ShortestPaths<f32>, v, node: TreeNode| {
            let answer = (f32::distance(node.distance), node.parent);
            (paths.distances[v], paths.parents[v]) == answer
        },
    );
}

#[allow(clippy::ptr_arg, reason = "the output is one")]
fn is_label(labels: &Vec<u32>, v: usize, label: u32) -> bool {
    labels[v] == label
}

#[test]
fn components() {
    check::<Adjacency, _>(SEED, || Components, |_| (), &is_label);
    let incremental = || IncrementalComponents::new(Scheme::SlabIterator);
    check::<CompactEdges, _>(SEED, incremental, |_| (), &is_label);
}

#[test]
fn triangles_of_each_vertex() {
    let weight = |_: &mut Rng| ();
    check::<BlockEdges, _>(
        SEED,
        || Triangles,
        weight,
        &|counts: &TriangleCounts, v, count: u64| counts.per_vertex[v] == count,
    );
}

#[test]
fn ranks_up_to_rounding() {
    for method in [Method::Static, Method::NaiveDynamic, DFP] {
        let algorithm = || PageRank::<f64>::new(Options::default(), method);
        check::<Adjacency, _>(SEED, algorithm, |_| (), &|ranks: &Ranks<f64>, v, rank: f64| {
            (ranks.ranks[v] - rank).abs() <= 1e-14
        });
        let algorithm = || PageRank::<f32>::new(Options::default(), method);
        check::<CompactEdges, _>(SEED, algorithm, |_| (), &|ranks: &Ranks<f32>, v, rank: f32| {
            (ranks.ranks[v] - rank).abs() <= 1e-6
        });
    }
}

const DFP: Method =
    Method::DynamicFrontierPruning { frontier_tolerance: 1e-6, prune_tolerance: 1e-6 };

#[test]
fn of_one_of_several_algorithms() {
    for device in devices() {
        let edge = |src, dst| Edge { src, dst, weight: () };
        let graph = SlabGraph::from_edges(&device, 6, &[edge(0, 1), edge(4, 5)], &BOTH);
        let both = (Bfs::from_source(0), Components);
        let mut tracked = graph.expect("a graph").track(both).expect("tracked");
        tracked.apply(&Batch::new().insert([edge(1, 4)])).expect("applied");
        let (graph, (bfs, components)) = (tracked.graph(), tracked.algorithm());
        let state = tracked.state().expect("states");
        let levels = Answers::of(graph, bfs, state.0.get().expect("a tree"));
        let node = TreeNode { parent: 4, distance: 3 };
        assert_eq!(levels.look_up(&[5]).expect("an answer"), [node]);
        let labels = Answers::of(graph, components, state.1.get().expect("components"));
        assert_eq!(labels.look_up(&[3, 5]).expect("answers"), [3, 0]);
    }
}

#[test]
fn a_copy_stays_what_it_is_while_another_thread_reads_it() {
    for device in devices() {
        let ring: Vec<_> =
            (0..64).map(|v| Edge { src: v, dst: (v + 1) % 64, weight: () }).collect();
        let graph = CompactGraph::from_edges(&device, 64, &ring, &BOTH).expect("a graph");
        let mut tracked = graph.track(Components).expect("tracked");
        for cut in 0..8 {
            let before = tracked.output().expect("labels");
            let copy = tracked.answers().and_then(|answers| answers.to_buffer()).expect("a copy");
            std::thread::scope(|scope| {
                let reader =
                    scope.spawn(|| (0..20).all(|_| copy.to_vec().expect("labels") == before));
                tracked.apply(&Batch::new().delete([ring[cut * 8]])).expect("applied");
                assert!(reader.join().expect("a reader"), "batch {cut}");
            });
            // An open ring is one component still.
            assert_eq!(tracked.output().expect("labels") == before, cut == 0);
        }
    }
}
