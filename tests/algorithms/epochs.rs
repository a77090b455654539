//! Epochs that other threads read while batches are applied.

use super::support::devices::{devices, own_devices};
use meerkat::algos::bfs::{self, Bfs};
use meerkat::algos::wcc::{self, Components};
use meerkat::prelude::*;
use meerkat::runtime::dynamic::{Answers, Epoch, Epochs, Tracked};
use meerkat::runtime::graph::Adjacency;
use meerkat::runtime::{BlockEdges, CompactEdges};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

const VERTICES: u32 = 300;

fn edge((src, dst): (u32, u32)) -> Edge {
    Edge { src, dst, weight: () }
}

fn random_batch(random: &mut fastrand::Rng) -> Batch {
    let mut ends = || (random.u32(0..VERTICES), random.u32(0..VERTICES));
    let inserted: Vec<_> = (0..60).map(|_| edge(ends())).collect();
    let deleted: Vec<_> = (0..500).map(|_| edge(ends())).collect();
    Batch::new().insert(inserted).delete(deleted)
}

type Answered = (DeviceBuffer<u32>, DeviceBuffer<u32>);

/// Readers compute the answers of each epoch from its graph, while batches are applied.
#[track_caller]
fn check<L: EdgeLists<Carried = ()>>() {
    for device in devices() {
        let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
        let graph = DynamicGraph::<L>::from_edges(&device, VERTICES, &[], &options);
        let both = (Components, Bfs::from_source(0));
        let mut tracked = graph.expect("a graph").track(both).expect("tracked");
        let epochs: Epochs<Epoch<(), Answered>> = Epochs::new();
        let (is_over, mut random) = (AtomicBool::new(false), fastrand::Rng::with_seed(5));
        let seen = std::thread::scope(|scope| {
            let readers: Vec<_> = (0..2)
                .map(|_| {
                    scope.spawn(|| {
                        let (mut last, mut seen) = (0, 0);
                        loop {
                            // Looked at first: what was published before the end is seen.
                            let ends = is_over.load(SeqCst);
                            if let Some(epoch) = epochs.latest() {
                                let (labels, levels) = epoch.answer();
                                assert!(epoch.batches() >= last, "an epoch went back");
                                seen += u32::from(epoch.batches() > last);
                                last = epoch.batches();
                                let expected = wcc::labels(epoch.graph()).expect("labels");
                                assert_eq!(labels.to_vec().expect("labels"), expected);
                                let expected = bfs::levels(epoch.graph(), 0).expect("levels");
                                assert_eq!(levels.to_vec().expect("levels"), expected);
                            }
                            if ends {
                                break (last, seen);
                            }
                        }
                    })
                })
                .collect();
            for _ in 0..40 {
                tracked.apply(&random_batch(&mut random)).expect("a batch");
                let epoch = tracked.epoch_of(|tracked, readers| {
                    let (graph, state) = (tracked.graph(), tracked.state()?);
                    let (components, search) = tracked.algorithm();
                    let labels = Answers::of(graph, components, state.0.get()?).to_buffer()?;
                    let tree = Answers::of(graph, search, state.1.get()?).to_buffer()?;
                    let levels: Vec<_> = tree.to_vec()?.iter().map(|at| at.distance).collect();
                    Ok((labels.moved_to(readers)?, DeviceBuffer::from_slice(readers, &levels)?))
                });
                epochs.publish(epoch.expect("an epoch"));
            }
            is_over.store(true, SeqCst);
            readers.into_iter().map(|reader| reader.join().expect("a reader")).collect::<Vec<_>>()
        });
        assert!(seen.iter().all(|&(last, seen)| last == 40 && seen >= 1), "{seen:?}");
    }
}

#[test]
fn of_slabs() {
    check::<Adjacency>();
}

#[test]
fn of_compact_slabs() {
    check::<CompactEdges>();
}

#[test]
fn of_block_arrays() {
    check::<BlockEdges>();
}

#[test]
fn of_one_algorithm_and_a_graph_that_has_gone() {
    for device in devices() {
        let both = SlabOptions::DEFAULT.oriented(Orientation::Both);
        let graph = SlabGraph::from_edges(&device, 3, &[edge((0, 1))], &both).expect("a graph");
        let mut tracked = graph.track(Components).expect("tracked");
        let before = tracked.epoch().expect("an epoch");
        tracked.apply(&Batch::new().insert([edge((1, 2))])).expect("a batch");
        let after = tracked.epoch().expect("an epoch");
        drop(tracked);
        assert_eq!((before.batches(), after.batches()), (0, 1));
        assert_eq!((before.graph().edge_count(), after.graph().edge_count()), (1, 2));
        assert_eq!(before.answer().to_vec().expect("labels"), [0, 0, 2]);
        assert_eq!(after.answer().to_vec().expect("labels"), [0, 0, 0]);
    }
}

/// How many neighbours a vertex has, counted so often that the device is at it for a while.
#[vertex_operator]
fn count_slowly<G: Neighbors>(v: Vertex, graph: &G, times: u32, counts: &[Atomic<u32>]) {
    for _ in 0..times {
        for_each_neighbor(graph, v, true, |_| {
            counts[v].fetch_add(1);
        });
    }
}

/// A ring of `vertices` vertices whose components are followed.
fn followed_ring<L: EdgeLists<Carried = ()>>(
    device: &Device,
    vertices: u32,
) -> Tracked<DynamicGraph<L>, Components> {
    let ring: Vec<_> = (0..vertices).map(|v| edge((v, (v + 1) % vertices))).collect();
    let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let graph = DynamicGraph::<L>::from_edges(device, vertices, &ring, &options);
    graph.expect("a graph").track(Components).expect("tracked")
}

/// An epoch is dropped before the kernel that reads it runs, since another is at work; meanwhile the graph
/// takes memory.
fn dropped_before_it_is_read<L: EdgeLists<Carried = ()>>() {
    const TIMES: u32 = 4000;
    for device in own_devices() {
        let mut tracked = followed_ring::<L>(&device, VERTICES);
        let mut arcs: HashSet<_> = (0..VERTICES).map(|v| (v, (v + 1) % VERTICES)).collect();
        let first = tracked.epoch().expect("an epoch");
        let readers = first.graph().device().clone();
        for round in 0..12u32 {
            let epoch = tracked.epoch().expect("an epoch");
            let counts = || DeviceBuffer::<Atomic<u32>>::zeroed(&readers, VERTICES as usize);
            let (slow, counts) = (counts().expect("memory"), counts().expect("memory"));
            let times = if device.is_cuda() { TIMES } else { 1 };
            let all = 0..VERTICES;
            count_slowly::launch(&readers, all.clone(), first.graph(), times, &slow)
                .expect("a launch");
            count_slowly::launch(&readers, all, epoch.graph(), 1, &counts).expect("a launch");
            drop(epoch);
            let ends = |v: u32| (0..8).map(move |at| (v, (v + 7 * at + round * 61 + 2) % VERTICES));
            let spokes: Vec<_> = (0..VERTICES).flat_map(ends).collect();
            let batch: Vec<_> = spokes.iter().copied().map(edge).collect();
            tracked.apply(&Batch::new().insert(batch)).expect("a batch");
            let mut expected = vec![0; VERTICES as usize];
            arcs.iter().for_each(|&(src, _)| expected[src as usize] += 1);
            assert_eq!(counts.to_vec().expect("counts"), expected, "round {round}");
            assert_eq!(slow.to_vec().expect("counts"), vec![times; VERTICES as usize]);
            arcs.extend(spokes);
        }
    }
}

#[test]
fn rows_beside_slabs_are_dropped_before_they_are_read() {
    dropped_before_it_is_read::<Adjacency>();
}

#[test]
fn rows_beside_compact_slabs_are_dropped_before_they_are_read() {
    dropped_before_it_is_read::<CompactEdges>();
}

#[test]
fn rows_beside_block_arrays_are_dropped_before_they_are_read() {
    dropped_before_it_is_read::<BlockEdges>();
}

/// Memory and streams of each of the two devices stay for the other.
#[test]
fn outlive_the_device_of_their_graph_and_are_outlived_by_it() {
    for _ in 0..4 {
        for device in own_devices() {
            let mut tracked = followed_ring::<Adjacency>(&device, VERTICES);
            let epoch = tracked.epoch().expect("an epoch");
            let levels = bfs::levels(epoch.graph(), 0).expect("levels");
            drop(epoch);
            let cut = Batch::new().delete([edge((0, 1))]);
            tracked.apply(&cut).expect("a batch");
            assert_eq!(bfs::levels(tracked.graph(), 1).expect("levels")[0], VERTICES - 1);
            assert_eq!(levels[1], 1);
            let epoch = tracked.epoch().expect("an epoch");
            drop((tracked, device));
            assert_eq!(bfs::levels(epoch.graph(), 1).expect("levels")[0], VERTICES - 1);
            assert_eq!(epoch.answer().to_vec().expect("labels"), vec![0; VERTICES as usize]);
        }
    }
}
