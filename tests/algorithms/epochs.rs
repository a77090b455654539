//! Epochs that other threads read while batches are applied.

use super::support::devices::devices;
use meerkat::algos::bfs::{self, Bfs};
use meerkat::algos::wcc::{self, Components};
use meerkat::prelude::*;
use meerkat::runtime::dynamic::{Answers, Epoch, Epochs};
use meerkat::runtime::graph::Adjacency;
use meerkat::runtime::{BlockEdges, CompactEdges};
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
