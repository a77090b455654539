//! Every algorithm in every container, saved and read again after each batch of random and
//! adversarial streams: beside one that was never saved, and beside plain programs.

use crate::oracle;
use crate::support::devices::{devices, own_devices};
use crate::support::dijkstra::{Length, dijkstra, tree_flaws};
use crate::truss::{by_edge, k_truss};
use meerkat::algos::bfs::{Bfs, Tree};
use meerkat::algos::pagerank::{Method, Options, PageRank};
use meerkat::algos::sssp::{PathWeight, ShortestPaths, Sssp};
use meerkat::algos::triangles::{TriangleCounts, Triangles};
use meerkat::algos::truss::KTruss;
use meerkat::algos::wcc::{Components, IncrementalComponents, Scheme};
use meerkat::prelude::*;
use meerkat::runtime::dynamic::SavedState;
use meerkat::runtime::oracle::generate::{Rng, sequence};
use meerkat::runtime::oracle::{Kind, Model, Sequence};
use std::fmt::Debug;
use std::path::Path;

/// Sequences of an algorithm in a container.
const SEQUENCES: u64 = 8;
pub(super) const BOTH: SlabOptions = SlabOptions::DEFAULT.oriented(Orientation::Both);

/// What is wrong with an answer.
type Wrong<'a, W, O> = &'a dyn Fn(&Model<W>, &O) -> Result<(), String>;

/// Saves and reads again, in the same or another container; the answer stays what it is.
pub(super) fn through_a_file<L, M, A, O>(
    tracked: &Tracked<DynamicGraph<L>, A>,
    algorithm: A,
    path: &Path,
) -> Tracked<DynamicGraph<M>, A>
where
    L: EdgeLists,
    M: EdgeLists<Carried = L::Carried>,
    A: SavedState<DynamicGraph<L>, Output = O> + SavedState<DynamicGraph<M>, Output = O>,
    O: PartialEq + Debug,
{
    tracked.save_checkpoint(path, 7).expect("a checkpoint");
    let device = tracked.graph().device();
    let loaded = Tracked::load_checkpoint(device, algorithm, path);
    let (loaded, position) = loaded.expect("the checkpoint");
    assert_eq!(position, 7);
    loaded.graph().check_invariants().expect("invariants");
    assert_eq!(loaded.output().expect("an answer"), tracked.output().expect("an answer"));
    loaded
}

fn start<L: EdgeLists>(
    device: &Device,
    sequence: &Sequence<L::Carried>,
    options: &SlabOptions,
) -> DynamicGraph<L> {
    let options = SlabOptions { direction: sequence.direction, ..*options };
    let (vertices, edges) = (sequence.vertices, &sequence.start);
    DynamicGraph::from_edges(device, vertices, edges, &options).expect("a graph")
}

fn start_model<W: Weight>(sequence: &Sequence<W>) -> Model<W> {
    let mut model = Model::new(sequence.vertices, sequence.direction);
    model.apply(&Batch::new().insert(&sequence.start));
    model
}

/// In one container.
fn check_in<L, A, O>(
    options: &SlabOptions,
    algorithm: &dyn Fn() -> A,
    weight: &dyn Fn(&mut Rng) -> L::Carried,
    wrong: Wrong<'_, L::Carried, O>,
) where
    L: EdgeLists<Carried: Debug>,
    A: SavedState<DynamicGraph<L>, Output = O>,
    O: PartialEq + Debug,
{
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("checkpoint");
    for device in own_devices() {
        for seed in 0..SEQUENCES {
            let direction = [options.direction, Direction::Undirected][seed as usize / 4 % 2];
            let sequence = sequence(seed, Kind::Mixed, direction, weight);
            let mut model = start_model(&sequence);
            let tracked = || start::<L>(&device, &sequence, options).track(algorithm());
            let mut whole = tracked().expect("tracked");
            let mut saved = tracked().expect("tracked");
            for (number, batch) in sequence.batches.iter().enumerate() {
                model.apply(batch);
                whole.apply(batch).expect("applied");
                saved = through_a_file(&saved, algorithm(), &path);
                saved.apply(batch).expect("applied");
                let what = |what| panic!("seed {seed}, batch {number}: {what}");
                wrong(&model, &whole.output().expect("an answer")).unwrap_or_else(what);
                wrong(&model, &saved.output().expect("an answer")).unwrap_or_else(what);
                let edges = saved.graph().to_edges().expect("edges");
                assert_eq!(edges.len(), model.edges().len());
            }
        }
    }
}

/// In all containers, and from each to the next.
pub(super) fn check<W, A, O>(
    algorithm: impl Fn() -> A,
    weight: impl Fn(&mut Rng) -> W,
    wrong: impl Fn(&Model<W>, &O) -> Result<(), String>,
) where
    W: Weight + Debug,
    A: SavedState<SlabGraph<W>, Output = O>
        + SavedState<CompactGraph<W>, Output = O>
        + SavedState<BlockGraph<W>, Output = O>,
    O: PartialEq + Debug,
{
    check_in::<meerkat::runtime::graph::Adjacency<W>, A, O>(&BOTH, &algorithm, &weight, &wrong);
    check_in::<meerkat::runtime::CompactEdges<W>, A, O>(&BOTH, &algorithm, &weight, &wrong);
    check_in::<meerkat::runtime::BlockEdges<W>, A, O>(&BOTH, &algorithm, &weight, &wrong);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("checkpoint");
    for device in own_devices() {
        let sequence = sequence(11, Kind::Mixed, Direction::Directed, &weight);
        let mut model = start_model(&sequence);
        let mut slabs: Tracked<SlabGraph<W>, A> =
            start(&device, &sequence, &BOTH).track(algorithm()).expect("tracked");
        for batch in &sequence.batches {
            model.apply(batch);
            let compact: Tracked<CompactGraph<W>, A> = through_a_file(&slabs, algorithm(), &path);
            let mut blocks: Tracked<BlockGraph<W>, A> =
                through_a_file(&compact, algorithm(), &path);
            blocks.apply(batch).expect("applied");
            slabs = through_a_file(&blocks, algorithm(), &path);
            wrong(&model, &slabs.output().expect("an answer")).expect("right");
        }
    }
}

pub(super) fn arcs<W: Weight>(model: &Model<W>) -> Vec<(u32, u32)> {
    model.edges().iter().map(|edge| (edge.src, edge.dst)).collect()
}

fn is_paths<W: Length>(
    model: &Model<W>,
    distances: &[W::Sum],
    parents: &[u32],
) -> Result<(), String> {
    let edges = model.edges();
    let expected = dijkstra(model.vertices(), &edges, 0);
    if distances != expected {
        return Err(format!("{distances:?}, should be {expected:?}"));
    }
    tree_flaws(&edges, 0, distances, parents).first().map_or(Ok(()), |flaw| Err(flaw.clone()))
}

fn is_labels<W: Weight>(model: &Model<W>, labels: &[u32]) -> Result<(), String> {
    let expected = oracle::component_labels(model.vertices(), &arcs(model));
    if labels == expected { Ok(()) } else { Err(format!("{labels:?}, should be {expected:?}")) }
}

#[test]
fn breadth_first_trees_go_on() {
    let wrong = |model: &Model, tree: &Tree| is_paths(model, &tree.levels, &tree.parents);
    check(|| Bfs::from_source(0), |_| (), wrong);
}

fn check_paths<W>(weight: impl Fn(&mut Rng) -> W)
where
    W: PathWeight + Length<Sum = <W as PathWeight>::Distance>,
{
    type Paths<W> = ShortestPaths<<W as PathWeight>::Distance>;
    let wrong =
        |model: &Model<W>, paths: &Paths<W>| is_paths(model, &paths.distances, &paths.parents);
    check(|| Sssp::from_source(0), weight, wrong);
}

#[test]
fn shortest_paths_go_on_also_with_lengths_of_zero() {
    check_paths(|rng| rng.u32(0..3));
    check_paths(|rng| rng.f32());
}

#[test]
fn components_go_on_whatever_edges_carry() {
    check(|| Components, |_| (), |model, labels: &Vec<u32>| is_labels(model, labels));
    check(|| Components, |rng| rng.u32(..), |model, labels: &Vec<u32>| is_labels(model, labels));
}

#[test]
fn components_by_each_scheme_go_on() {
    let options = SlabOptions { track_updates: true, ..BOTH };
    for scheme in [Scheme::Naive, Scheme::SlabIterator, Scheme::UpdateIterator] {
        let algorithm = || IncrementalComponents::new(scheme);
        let wrong = |model: &Model, labels: &Vec<u32>| is_labels(model, labels);
        check_in::<meerkat::runtime::graph::Adjacency, _, _>(&options, &algorithm, &|_| (), &wrong);
        check_in::<meerkat::runtime::CompactEdges, _, _>(&options, &algorithm, &|_| (), &wrong);
    }
}

#[test]
fn triangle_counts_go_on() {
    let wrong = |model: &Model, found: &TriangleCounts| {
        let expected = oracle::triangles_per_vertex(model.vertices(), &arcs(model));
        match found.per_vertex == expected {
            true => Ok(()),
            false => Err(format!("{found:?}, should be {expected:?}")),
        }
    };
    check(|| Triangles, |_| (), wrong);
}

#[test]
fn trusses_go_on() {
    for k in [2, 3, 4] {
        let wrong = |model: &Model, found: &Vec<Edge<u32>>| {
            let all = oracle::trussness(model.vertices(), &arcs(model));
            let expected = k_truss(model.vertices(), &all, k);
            let found = by_edge(found);
            match found == expected {
                true => Ok(()),
                false => Err(format!("{k}-truss: {found:?}, should be {expected:?}")),
            }
        };
        check(|| KTruss::new(k), |_| (), wrong);
    }
}

/// Ids are used again in the same order, and new vertices find room in what was read.
#[test]
fn vertices_that_come_and_go_after_a_checkpoint_are_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("checkpoint");
    let options = Options::default().to_error(1e-7);
    let ranks = PageRank::<f64>::new(options, Method::DF_P);
    let algorithms = || (Bfs::from_source(0), Components, Triangles, KTruss::new(3), ranks);
    let edge = |src, dst| Edge { src, dst, weight: () };
    for device in devices() {
        let ring: Vec<_> =
            (0..12).flat_map(|v| [edge(v, (v + 1) % 12), edge(v, (v + 2) % 12)]).collect();
        let graph = CompactGraph::from_edges(&device, 12, &ring, &BOTH).expect("a graph");
        let mut whole = graph.track(algorithms()).expect("tracked");
        whole.delete_vertices(&[7, 3, 9]).expect("vertices");
        let mut saved: Tracked<CompactGraph, _> = through_a_file(&whole, algorithms(), &path);
        for tracked in [&mut whole, &mut saved] {
            assert_eq!(tracked.insert_vertices(5).expect("vertices"), [3, 7, 9, 12, 13]);
            let batch = [edge(0, 13), edge(13, 12), edge(0, 12), edge(12, 7), edge(2, 3)];
            tracked.apply(&Batch::new().insert(batch).delete([edge(0, 1)])).expect("applied");
            tracked.delete_vertices(&[5]).expect("a vertex");
        }
        let (of_whole, of_saved) =
            (whole.output().expect("answers"), saved.output().expect("answers"));
        assert_eq!(of_whole.0.levels, of_saved.0.levels);
        assert_eq!(of_whole.1, of_saved.1);
        assert_eq!(of_whole.2, of_saved.2);
        assert_eq!(of_whole.3, of_saved.3);
        let off = of_whole.4.ranks.iter().zip(&of_saved.4.ranks).map(|(a, b)| (a - b).abs());
        assert!(off.sum::<f64>() < 2e-7);
    }
}

#[test]
fn a_graph_of_no_vertices_is_saved_and_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("checkpoint");
    let ranks = || PageRank::<f32>::new(Options::default(), Method::DF_P);
    let algorithms = || (Components, Triangles, KTruss::new(3), ranks());
    for device in devices() {
        let graph = SlabGraph::<u32>::from_edges(&device, 0, &[], &BOTH).expect("a graph");
        let tracked = graph.track(algorithms()).expect("tracked");
        tracked.save_checkpoint(&path, u64::MAX).expect("a checkpoint");
        let loaded = Tracked::<SlabGraph<u32>, _>::load_checkpoint(&device, algorithms(), &path);
        let (loaded, position) = loaded.expect("the checkpoint");
        assert_eq!((loaded.output().expect("answers").0, position), (vec![], u64::MAX));
    }
}
