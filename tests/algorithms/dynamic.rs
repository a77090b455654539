//! The driver: graph and algorithms move together, or not at all.

use crate::support::devices::devices;
use crate::support::dijkstra::{dijkstra, tree_flaws};
use meerkat::algos::bfs::{self, Bfs, UNREACHED};
use meerkat::algos::pagerank::{self, Method, Options, PageRank};
use meerkat::algos::sssp::Sssp;
use meerkat::algos::tree::{Length, PathTree};
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;
use meerkat::runtime::graph::Change;
use std::cell::{Cell, RefCell};

fn edge<W: Weight>(src: u32, dst: u32, weight: W) -> Edge<W> {
    Edge { src, dst, weight }
}

/// 0 -> 1 -> .. -> n - 1.
fn path(n: u32) -> Vec<Edge<u32>> {
    (1..n).map(|v| edge(v - 1, v, v)).collect()
}

fn build<W: Weight>(
    device: &Device,
    n: u32,
    edges: &[Edge<W>],
    options: SlabOptions,
) -> SlabGraph<W> {
    SlabGraph::from_edges(device, n, edges, &options).expect("a graph")
}

const OUT: SlabOptions = SlabOptions::DEFAULT;
const BOTH: SlabOptions = SlabOptions::DEFAULT.oriented(Orientation::Both);

#[test]
fn two_algorithms_track_one_graph_through_a_mixed_batch() {
    for device in devices() {
        for options in [OUT, BOTH] {
            let graph = build(&device, 100, &path(100), options);
            let both = (Bfs::from_source(0), Sssp::from_source(10));
            let mut tracked = graph.track(both).expect("tracked");
            let batch = Batch::new().delete([edge(4, 5, 0), edge(50, 51, 0)]).insert([
                edge(3, 60, 7),
                edge(20, 21, 1000),
                edge(99, 10, 1),
            ]);
            let change = tracked.apply(&batch).expect("applied");
            assert_eq!(change.deleted().len(), 3, "the changed weight leaves with its old one");
            assert_eq!(change.inserted().len(), 3);
            let (bfs, sssp) = tracked.output().expect("answers");
            let edges = tracked.graph().to_edges().expect("edges");
            let unit: Vec<_> = edges.iter().map(|e| edge(e.src, e.dst, ())).collect();
            assert_eq!(bfs.levels, dijkstra(100, &unit, 0));
            assert_eq!(tree_flaws(&unit, 0, &bfs.levels, &bfs.parents), [""; 0]);
            assert_eq!(sssp.distances, dijkstra(100, &edges, 10));
            assert_eq!(tree_flaws(&edges, 10, &sssp.distances, &sssp.parents), [""; 0]);
            assert_eq!(bfs.levels[5], UNREACHED);
        }
    }
}

#[test]
fn what_an_algorithm_misses_is_told_when_it_starts_to_track() {
    for device in devices() {
        let in_only = SlabOptions::DEFAULT.oriented(Orientation::In);
        let error = build(&device, 9, &path(9), in_only).track(Bfs::from_source(0));
        let error = error.expect_err("no out-edges");
        assert!(matches!(error.kind(), ErrorKind::OrientationMissing { wanted: "out" }), "{error}");
        let error = build(&device, 9, &path(9), OUT).track(Sssp::from_source(9));
        let error = error.expect_err("no such vertex");
        assert!(matches!(error.kind(), ErrorKind::NoSuchVertex { vertex: 9, .. }), "{error}");
        let weighted = [edge(0, 1, -2i32)];
        let error = build(&device, 9, &weighted, OUT).track(Sssp::from_source(0));
        let error = error.expect_err("a negative weight");
        assert!(matches!(error.kind(), ErrorKind::NegativeWeight { src: 0, dst: 1 }), "{error}");
    }
}

#[test]
fn a_batch_with_a_negative_weight_changes_nothing() {
    for device in devices() {
        let edges: Vec<_> = (1..20).map(|v| edge(v - 1, v, 0.5f32)).collect();
        let mut sssp =
            build(&device, 20, &edges, OUT).track(Sssp::from_source(0)).expect("tracked");
        let before = sssp.output().expect("an answer");
        let batch = Batch::new().delete([edge(3, 4, 0.0)]).insert([edge(7, 5, -1.0)]);
        let error = sssp.apply(&batch).expect_err("refused");
        assert!(matches!(error.kind(), ErrorKind::NegativeWeight { src: 7, dst: 5 }), "{error}");
        let outside = Batch::new().delete([edge(3, 4, 0.0)]).insert([edge(20, 5, 1.0)]);
        let error = sssp.apply(&outside).expect_err("refused");
        assert!(matches!(error.kind(), ErrorKind::VertexOutOfRange { .. }), "{error}");
        assert_eq!(sssp.output().expect("an answer"), before);
        let mut found = sssp.graph().to_edges().expect("edges");
        found.sort_by_key(|edge| edge.src);
        assert_eq!(found, edges);
    }
}

#[test]
fn a_batch_without_effect_changes_nothing() {
    for device in devices() {
        let mut bfs =
            build(&device, 30, &path(30), OUT).track(Bfs::from_source(0)).expect("tracked");
        let before = bfs.output().expect("an answer");
        let batch = Batch::new()
            .insert([edge(8, 9, 9), edge(0, 5, 1)])
            .delete([edge(9, 8, 0), edge(0, 5, 1)]);
        assert!(bfs.apply(&batch).expect("applied").is_empty());
        assert!(bfs.apply(&Batch::new()).expect("applied").is_empty());
        assert_eq!(bfs.output().expect("an answer"), before);
    }
}

/// Counts its calls, and fails when asked to.
#[derive(Default)]
struct Witness {
    calls: RefCell<Vec<String>>,
    fail_on_delete: Cell<bool>,
    fail_on_insert: Cell<bool>,
}

impl Witness {
    fn note<W: Weight>(&self, what: &str, graph: &SlabGraph<W>) -> Result<(), Error> {
        self.calls.borrow_mut().push(format!("{what} with {} edges", graph.edge_count()?));
        Ok(())
    }
}

impl<W: Weight> DynamicAlgorithm<SlabGraph<W>> for Witness {
    type State = ();
    type Output = Vec<String>;
    fn check_change(&self, change: &Change<W>) -> Result<(), Error> {
        assert!(change.inserted().len() < 100);
        Ok(())
    }
    fn compute(&self, graph: &SlabGraph<W>) -> Result<(), Error> {
        self.note("compute", graph)
    }
    fn on_delete(
        &self,
        (): &mut (),
        graph: &SlabGraph<W>,
        _: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        if self.fail_on_delete.take() {
            return Err(ErrorKind::OutOfMemory { bytes: 1 }.into());
        }
        self.note("delete", graph)
    }
    fn on_insert(
        &self,
        (): &mut (),
        graph: &SlabGraph<W>,
        _: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        if self.fail_on_insert.take() {
            return Err(ErrorKind::OutOfMemory { bytes: 1 }.into());
        }
        self.note("insert", graph)
    }
    fn finish_batch(&self, (): &mut (), graph: &SlabGraph<W>) -> Result<(), Error> {
        self.note("finish_batch", graph)
    }
    fn output(&self, (): &()) -> Result<Vec<String>, Error> {
        Ok(self.calls.borrow().clone())
    }
}

#[test]
fn each_call_sees_the_graph_as_its_step_left_it() {
    let graph = build(&Device::cpu(), 10, &path(10), OUT);
    let mut witness = graph.track(Witness::default()).expect("tracked");
    let batch = Batch::new().insert([edge(0, 5, 1), edge(0, 6, 1)]).delete([edge(2, 3, 0)]);
    witness.apply(&batch).expect("applied");
    witness.apply(&Batch::new().delete([edge(0, 5, 1)])).expect("applied");
    let calls = ["compute with 9", "delete with 8", "insert with 10", "finish_batch with 10"];
    let calls = calls.into_iter().chain(["delete with 9", "finish_batch with 9"]);
    let calls: Vec<_> = calls.map(|call| format!("{call} edges")).collect();
    assert_eq!(witness.output().expect("calls"), calls);
}

/// The batch stayed, and the answer was gone.
#[test]
fn a_batch_on_whose_insertions_an_algorithm_fails_leaves_graph_and_answer_as_they_were() {
    for device in devices() {
        let graph = build(&device, 10, &path(10), OUT);
        let failing = Witness { fail_on_insert: Cell::new(true), ..Witness::default() };
        let mut witness = graph.track(failing).expect("tracked");
        let before = witness.graph().to_edges().expect("edges");
        let batch = Batch::new().delete([edge(3, 4, 0)]).insert([edge(0, 5, 1), edge(1, 2, 9)]);
        assert!(witness.apply(&batch).is_err());
        assert_eq!(witness.graph().to_edges().expect("edges"), before);
        witness.graph().check_invariants().expect("invariants");
        witness.state().expect("computed again");
        witness.apply(&Batch::new().insert([edge(0, 6, 1)])).expect("applied");
        let calls = witness.output().expect("calls");
        let calls: Vec<_> = calls.iter().map(String::as_str).collect();
        let expected = ["insert with 10 edges", "finish_batch with 10 edges"];
        assert!(calls.ends_with(&expected), "{calls:?}");
    }
}

/// The deletions stayed when an algorithm failed on them.
#[test]
fn a_batch_on_whose_deletions_an_algorithm_fails_leaves_the_graph_as_it_was() {
    for device in devices() {
        let graph = build(&device, 10, &path(10), OUT);
        let failing = Witness { fail_on_delete: Cell::new(true), ..Witness::default() };
        let mut witness = graph.track(failing).expect("tracked");
        let before = witness.graph().to_edges().expect("edges");
        let batch = Batch::new().delete([edge(0, 1, 1)]).insert([edge(0, 5, 1)]);
        assert!(witness.apply(&batch).is_err());
        assert_eq!(witness.graph().to_edges().expect("edges"), before);
        witness.recompute().expect("computed");
        assert_eq!(
            witness.output().expect("calls").last().expect("a call"),
            "compute with 9 edges"
        );
    }
}

/// The deletions of a mixed batch stayed, or where a compaction had swept their
/// tombstones, some came back.
#[test]
fn a_mixed_batch_that_finds_no_slab_leaves_the_graph_as_it_was() {
    for device in devices() {
        let star = |dsts: std::ops::Range<u32>| {
            let arcs =
                (0..100).flat_map(move |src| dsts.clone().map(move |dst| edge(src, dst, ())));
            arcs.collect::<Vec<_>>()
        };
        for gone in [1..2, 0..29] {
            let options = SlabOptions { hashing: false, max_slabs: 150, ..OUT };
            let graph = build(&device, 100, &star(0..30), options);
            let mut bfs = graph.track(Bfs::from_source(0)).expect("tracked");
            let error = bfs
                .apply(&Batch::new().delete(star(gone)).insert(star(40..90)))
                .expect_err("too much for 150 slabs");
            assert!(matches!(error.kind(), ErrorKind::SlabLimit { .. }), "{error}");
            let mut edges = bfs.graph().to_edges().expect("edges");
            edges.sort_unstable_by_key(|edge| (edge.src, edge.dst));
            assert!(edges == star(0..30), "{} edges on {}", edges.len(), device.name());
            assert_eq!(bfs.graph().out_degrees().expect("degrees"), [30; 100]);
            bfs.recompute().expect("computed");
        }
    }
}

/// So many random edges, no loops.
fn random_edges(n: u32, count: usize, mut seed: u64) -> Vec<Edge<()>> {
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as u32 % n
    };
    let edges = std::iter::from_fn(|| Some(edge(next(), next(), ())));
    edges.filter(|e| e.src != e.dst).take(count).collect()
}

/// Lengths, of which 13 divides by zero.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
struct NoThirteen {
    of: u32,
}

#[device]
impl Length<u32> for NoThirteen {
    const ADDS_UP: bool = true;
    const DIFFERS: bool = true;
    fn of(weight: u32) -> u32 {
        weight / (weight != 13) as u32
    }
    fn sum(a: u32, b: u32) -> u32 {
        a.saturating_add(b).min(u32::MAX - 1)
    }
    fn is_length(_weight: u32) -> bool {
        true
    }
}

/// A round of the new tree was stamped as one of the failed wave, and passed vertices over.
#[test]
fn a_tree_whose_wave_failed_is_right_when_it_is_computed_again() {
    // A GPU would not see what fails.
    let device = Device::cpu();
    let bare = build::<u32>(&device, 81, &[], OUT);
    let inserted = DeviceBuffer::from_slice(&device, &[edge(0, 1, 1)]).expect("memory");
    // A path whose length fails after 7 rounds.
    let path: Vec<_> = (1..7).map(|v| edge(v, v + 1, 1)).chain([edge(7, 8, 13)]).collect();
    let failing = build(&device, 81, &path, OUT);
    let mut tree = PathTree::compute::<u32, NoThirteen>(&bare, 0).expect("a tree");
    tree.on_insert::<u32, NoThirteen>(&bare, &inserted).expect("a wave");
    let wave = tree.relax_until_converged::<u32, NoThirteen>(&failing);
    let error = wave.expect_err("a length that fails");
    assert!(matches!(error.kind(), ErrorKind::Trap { .. }), "{error}");

    // With long edges back, so that all of it is in one range of distances.
    let rays = |v| [edge(0, v, 1), edge(v, v + 40, 1), edge(v, 0, 100), edge(v + 40, 0, 100)];
    let star = build(&device, 81, &(1..=40).flat_map(rays).collect::<Vec<_>>(), OUT);
    tree.recompute::<u32, NoThirteen>(&star, 0).expect("a tree");
    let distances = tree.nodes().expect("a tree").into_iter().map(|node| node.distance);
    let expected = [vec![0], vec![1; 40], vec![2; 40]].concat();
    assert_eq!(distances.collect::<Vec<_>>(), expected);
}

#[test]
fn large_levels_are_searched_along_and_against_5000v_20000e() {
    let n = 5000;
    let edges = random_edges(n, 20_000, 5);
    let undirected = SlabOptions { direction: Direction::Undirected, ..BOTH };
    for device in devices() {
        for options in [OUT, BOTH, undirected] {
            let graph = build(&device, n, &edges, options);
            let all = graph.to_edges().expect("edges");
            let back = all.iter().map(|e| edge(e.dst, e.src, ()));
            let is_mirrored = options.direction == Direction::Undirected;
            let all: Vec<_> = all.iter().copied().chain(back.filter(|_| is_mirrored)).collect();
            let expected = dijkstra(n, &all, 17);
            assert_eq!(bfs::levels(&graph, 17).expect("levels"), expected);
            let tree = bfs::tree(&graph, 17).expect("a tree");
            assert_eq!(tree.levels, expected);
            assert_eq!(tree_flaws(&all, 17, &tree.levels, &tree.parents), [""; 0]);
        }
    }
}

#[test]
fn suspects_with_another_parent_stay_and_the_rest_move_5000v_20000e() {
    let n = 5000;
    let edges = random_edges(n, 20_000, 6);
    let (gone, kept) = edges.split_at(2_000);
    for device in devices() {
        for options in [OUT, BOTH] {
            let graph = build(&device, n, &edges, options);
            let mut tracked = graph.track(Bfs::from_source(1)).expect("tracked");
            tracked.apply(&Batch::new().delete(gone)).expect("applied");
            let left: Vec<_> = kept.iter().copied().filter(|e| !gone.contains(e)).collect();
            let tree = tracked.output().expect("a tree");
            assert_eq!(tree.levels, dijkstra(n, &left, 1));
            assert_eq!(tree_flaws(&left, 1, &tree.levels, &tree.parents), [""; 0]);
        }
    }
}

#[test]
fn ranks_follow_a_batch_that_affects_most_and_one_that_affects_few_6000v_30000e() {
    let n = 6000;
    let edges = random_edges(n, 30_000, 7);
    let (later, first) = edges.split_at(1_500);
    for device in devices() {
        for count in [1_500, 2] {
            let graph = build(&device, n, first, BOTH);
            let ranks = PageRank::<f64>::new(Options::default(), Method::DF_P);
            let mut tracked = graph.track(ranks).expect("tracked");
            let batch = Batch::new().insert(&later[..count]).delete([first[3]]);
            tracked.apply(&batch).expect("applied");
            let followed = tracked.output().expect("ranks").ranks;
            let scratch = pagerank::ranks::<f64, _>(tracked.graph(), &Options::default());
            let scratch = scratch.expect("ranks").ranks;
            let off = followed.iter().zip(&scratch).map(|(a, b)| (a - b).abs() / b);
            assert!(off.fold(0.0, f64::max) < 1e-4, "{count} edges on {}", device.name());
        }
    }
}
