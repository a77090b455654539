//! What users can do wrong with the slab graph, and what is left of it then.

use crate::support::devices::devices;
use meerkat::prelude::*;
use meerkat::runtime::graph::{Compaction, SnapshotFault};
use meerkat::runtime::{ErrorKind, MemoryFaults};
use std::fs;
use std::path::Path;

fn edges(count: u32) -> Vec<Edge<u32>> {
    (0..count).map(|at| Edge { src: at % 3, dst: at, weight: at }).collect()
}

fn build(device: &Device, vertices: u32, count: u32, options: &SlabOptions) -> SlabGraph<u32> {
    SlabGraph::from_edges(device, vertices, &edges(count), options).expect("a graph")
}

const BOTH: SlabOptions = SlabOptions::DEFAULT.oriented(Orientation::Both);

#[test]
fn an_exhausted_pool_leaves_the_graph_as_it_was_both_orientations_and_weights() {
    for device in devices() {
        let options = SlabOptions { max_slabs: 330, ..BOTH };
        let mut graph = build(&device, 300, 200, &options);
        let before = graph.to_edges().expect("edges");
        let more: Vec<_> = (0..6000).map(|at| Edge { src: 5, dst: at % 300, weight: at }).collect();
        let hubs: Vec<_> = (0..3000)
            .map(|at| Edge { src: at % 299, dst: (at * 7 + at / 299) % 300, weight: 9 })
            .collect();
        let batch = Batch::new().delete(&before[..150]).insert(&more).insert(&hubs);
        let error = graph.apply(&batch).expect_err("exhausted");
        assert!(matches!(error.kind(), ErrorKind::SlabLimit { limit: 330, .. }), "{error}");
        assert!(graph.to_edges().expect("edges") == before, "on {}", device.name());
        graph.check_invariants().expect("invariants");
        // What fits is still taken, and the limit still holds.
        graph.apply(&Batch::new().delete(&before).insert(&more[..40])).expect("room");
        assert_eq!(graph.edge_count().expect("a count"), 40);
        graph.check_invariants().expect("invariants");
        let error = SlabGraph::from_edges(&device, 331, &before, &options).expect_err("heads");
        assert!(
            matches!(error.kind(), ErrorKind::SlabLimit { slabs: 331.., limit: 330 }),
            "{error}"
        );
        let error = graph.insert_vertices(100).expect_err("no slabs for them");
        assert!(matches!(error.kind(), ErrorKind::SlabLimit { .. }), "{error}");
        assert_eq!(graph.vertex_count(), 300);
        graph.check_invariants().expect("invariants");
    }
}

/// Slabs had grown and the list of the free ones had not, so lanes that had found no slab were
/// taken for such as had.
#[test]
fn a_hub_that_finds_no_memory_at_any_of_its_allocations_leaves_the_graph_sound() {
    let hub: Vec<_> = (0..3000).map(|dst| Edge { src: 0, dst: dst % 1000, weight: () }).collect();
    for device in devices() {
        for options in [SlabOptions::DEFAULT, BOTH, SlabOptions::DEFAULT.undirected()] {
            for track_updates in [false, true] {
                let options = SlabOptions { track_updates, ..options };
                let faults = MemoryFaults::new();
                let device = device.clone().with_memory_faults(&faults);
                let mut refused = 0;
                for successes in 0..16 {
                    let mut graph =
                        SlabGraph::from_edges(&device, 1000, &hub[..1], &options).expect("a graph");
                    faults.fail_once(successes);
                    let applied = graph.apply(&Batch::new().insert(&hub));
                    if faults.heal() && applied.is_err() {
                        refused += 1;
                        graph.check_invariants().expect("invariants");
                        assert_eq!(
                            graph.to_edges().expect("edges").len() as u64,
                            graph.edge_count().expect("a count")
                        );
                        graph.apply(&Batch::new().insert(&hub)).expect("memory");
                    }
                    graph.check_invariants().expect("invariants");
                    assert!(graph.edge_count().expect("a count") >= 1000);
                }
                // The copy of the batch, its counts and the list of what is new: none is made up for
                // by a compaction, as the memory of slabs is.
                assert!(refused >= 3, "{refused} refused");
            }
        }
    }
}

/// The pool stayed exhausted, so insertions were refused from then on.
#[test]
fn what_needs_no_slab_is_inserted_after_a_batch_that_found_none() {
    let (compaction, max_slabs) = (Compaction::OnDemand, 64);
    let options = SlabOptions { hashing: false, compaction, max_slabs, ..BOTH };
    let edge = |src, dst| Edge { src, dst, weight: () };
    for device in devices() {
        let mut graph =
            SlabGraph::from_edges(&device, 64, &[edge(9, 8)], &options).expect("a graph");
        // One slab a vertex holds 31 neighbours.
        let hub: Vec<_> = (0..40).map(|dst| edge(0, dst)).collect();
        let error = graph.insert(&hub).expect_err("no slab");
        assert!(matches!(error.kind(), ErrorKind::SlabLimit { .. }), "{error}");
        graph.insert(&[edge(1, 2)]).expect("room");
        assert_eq!(graph.edge_count().expect("a count"), 2);
        graph.check_invariants().expect("invariants");
    }
}

/// Nobody had waited for the insertions that found none.
#[test]
fn what_needs_no_slab_is_inserted_after_queued_insertions_that_found_none() {
    let edge = |src, dst| Edge { src, dst, weight: () };
    for device in devices() {
        for options in [SlabOptions::DEFAULT, BOTH] {
            let options = SlabOptions { max_slabs: 3000, ..options };
            let there = [edge(5, 6)];
            let mut graph =
                SlabGraph::from_edges(&device, 3000, &there, &options).expect("a graph");
            let hub: Vec<_> = (10..1510).map(|dst| edge(0, dst)).collect();
            let hub = DeviceBuffer::from_slice(&device, &hub).expect("memory");
            let there_too = DeviceBuffer::from_slice(&device, &there).expect("memory");
            for round in 0..2 {
                graph.queue_insertions(&hub).expect("queued");
                match round {
                    0 => graph.insert(&there).expect("it is there"),
                    _ => graph.insert_buffer(&there_too).expect("it is there"),
                }
            }
            let error = graph.insert_buffer(&hub).expect_err("no slab");
            assert!(matches!(error.kind(), ErrorKind::SlabLimit { .. }), "{error}");
            graph.delete_buffer(&hub).expect("deleted");
            graph.check_invariants().expect("invariants");
        }
    }
}

#[test]
fn a_tracked_graph_of_no_vertices_gets_one_with_an_edge() {
    for device in devices() {
        let options = SlabOptions { track_updates: true, ..BOTH };
        let mut graph = SlabGraph::from_edges(&device, 0, &[], &options).expect("a graph");
        assert_eq!(graph.insert_vertices(1).expect("a vertex"), [0]);
        graph.insert(&[Edge { src: 0, dst: 0, weight: 4u32 }]).expect("a loop");
        graph.check_invariants().expect("invariants");
        graph.update_slab_pointers().expect("pointers");
    }
}

#[test]
fn deleted_vertices_are_refused_by_insertions_and_unknown_to_queries() {
    for device in devices() {
        for options in [SlabOptions::DEFAULT, BOTH, SlabOptions::DEFAULT.undirected()] {
            let mut graph = build(&device, 40, 40, &options);
            graph.delete_vertices(&[1, 7, 1]).expect("a deletion");
            assert_eq!(graph.deleted_vertices(), [1, 7]);
            let gone = [Edge { src: 1, dst: 4, weight: 0 }, Edge { src: 7, dst: 1, weight: 0 }];
            assert_eq!(graph.contains(&gone).expect("answers"), [false, false]);
            assert!(graph.to_edges().expect("edges").iter().all(|edge| edge.dst != 7));
            let before = graph.to_edges().expect("edges");
            let error = graph.insert(&gone).expect_err("a deleted vertex");
            assert_eq!(
                error.to_string(),
                "edge 0 is 1 -> 4, but vertex 1 was deleted; insert it first"
            );
            let buffer = DeviceBuffer::from_slice(&device, &gone[1..]).expect("memory");
            let error = graph.insert_buffer(&buffer).expect_err("a deleted vertex");
            assert!(matches!(error.kind(), ErrorKind::VertexDeleted { vertex: 7, .. }), "{error}");
            graph.delete(&gone).expect("nothing to delete");
            for again in [[7], [40]] {
                let error = graph.delete_vertices(&again).expect_err("not there");
                assert!(matches!(error.kind(), ErrorKind::NoSuchVertex { .. }), "{error}");
            }
            assert!(graph.to_edges().expect("edges") == before);
            assert_eq!(graph.insert_vertices(4).expect("vertices"), [1, 7, 40, 41]);
            graph.insert(&gone).expect("edges");
            graph.check_invariants().expect("invariants");
        }
    }
}

#[test]
fn a_list_on_the_device_with_an_edge_outside_is_refused_by_its_place() {
    for device in devices() {
        let mut list = edges(500);
        list[317].dst = 500;
        list[401].src = u32::MAX;
        let buffer = DeviceBuffer::from_slice(&device, &list).expect("memory");
        let error = SlabGraph::from_buffer(&device, 500, &buffer, &BOTH).expect_err("outside");
        assert_eq!(
            error.to_string(),
            "edge 317 is 2 -> 500, but the graph has vertices 0 to 499; correct it or insert vertices"
        );
        let mut graph = build(&device, 500, 3, &BOTH);
        assert!(graph.insert_buffer(&buffer).is_err());
        assert_eq!(graph.edge_count().expect("a count"), 3);
        assert!(
            SlabGraph::from_buffer(
                &device,
                501,
                &DeviceBuffer::from_slice(&device, &list[..401]).expect("memory"),
                &BOTH
            )
            .is_ok()
        );
    }
}

#[test]
fn of_many_bad_updates_the_first_is_named() {
    let edge = |src, dst, weight| Edge { src, dst, weight };
    for device in devices() {
        for options in [SlabOptions::DEFAULT, BOTH, SlabOptions::DEFAULT.undirected()] {
            let good: Vec<_> = (0..900).map(|at| edge(at, 999 - at, 1.5f32)).collect();
            let mut graph = SlabGraph::from_edges(&device, 1000, &good, &options).expect("a graph");
            graph.delete_vertices(&[950, 33]).expect("a deletion");
            let before = graph.to_edges().expect("edges");
            let live: Vec<_> = before.iter().map(|kept| edge(kept.src, kept.dst, 9.0)).collect();
            let start = Batch::new().insert(&live[..700]).delete([edge(950, 33, f32::NAN)]);
            let late = [edge(1000, 0, 1.0), edge(950, 1, 1.0), edge(1, 2, f32::NAN)];
            for (bad, name) in [
                (
                    edge(7, 1000, 1.0),
                    "edge 701 is 7 -> 1000, but the graph has vertices 0 to 999; correct it or insert vertices",
                ),
                (
                    edge(8, 33, 1.0),
                    "edge 701 is 8 -> 33, but vertex 33 was deleted; insert it first",
                ),
                (edge(9, 3, f32::NAN), "edge 701, 9 -> 3, weighs NaN; give it a number"),
            ] {
                let batch = start.clone().insert([bad]).insert(late);
                let error = graph.apply(&batch).expect_err("refused");
                assert_eq!(error.to_string(), name);
                let buffer = DeviceBuffer::from_slice(&device, &[bad]).expect("memory");
                let error = graph.insert_buffer(&buffer).expect_err("refused").to_string();
                assert_eq!(error, name.replace("701", "0"));
            }
            assert!(graph.to_edges().expect("edges") == before);
            graph.apply(&start).expect("deleting at a deleted vertex is no mistake");
            assert_eq!(graph.to_edges().expect("edges")[0].weight, 9.0);
        }
    }
}

#[test]
fn more_ids_than_keys_are_refused_before_any_memory_is_asked_for() {
    let mut graph = build(&Device::cpu(), 3, 3, &SlabOptions::DEFAULT);
    let error = graph.insert_vertices(u32::MAX - 5).expect_err("too many");
    assert!(matches!(error.kind(), ErrorKind::TooManyVertices { .. }), "{error}");
    assert_eq!(graph.vertex_count(), 3);
}

#[test]
fn compaction_flushes_tombstones_shortens_chains_and_gives_memory_back() {
    for device in devices() {
        let options = SlabOptions { compaction: Compaction::OnDemand, ..SlabOptions::DEFAULT };
        let mut graph = build(&device, 5000, 10, &options);
        let star: Vec<_> = (0..5000).map(|dst| Edge { src: 1, dst, weight: 1 }).collect();
        graph.insert(&star).expect("a star");
        graph.delete(&star[..2500]).expect("half a star");
        let before = graph.to_edges().expect("edges");
        let worn = graph.out_edges().expect("out-edges").statistics().expect("statistics");
        graph.compact().expect("compaction");
        let anew = graph.out_edges().expect("out-edges").statistics().expect("statistics");
        assert!(graph.to_edges().expect("edges") == before);
        graph.check_invariants().expect("invariants");
        assert!(worn.tombstones >= 2490 && worn.longest_chain > 300, "{worn:?}");
        assert!(anew.tombstones == 0 && anew.longest_chain < 5, "{anew:?}");
        assert!(anew.bytes < worn.bytes && anew.edges == worn.edges, "{worn:?} {anew:?}");
    }
}

#[test]
fn an_incremental_build_from_nothing_is_laid_out_anew_as_it_grows() {
    for device in devices() {
        let mut graph =
            SlabGraph::from_edges(&device, 20_000, &[], &SlabOptions::DEFAULT).expect("a graph");
        let star: Vec<_> = (0..20_000).map(|dst| Edge { src: 3, dst, weight: () }).collect();
        star.chunks(1000).for_each(|chunk| graph.insert(chunk).expect("edges"));
        let found = graph.out_edges().expect("out-edges").statistics().expect("statistics");
        assert!(found.edges == 20_000 && found.longest_chain < 20, "{found:?}");
        // And as it shrinks.
        star.chunks(1000).for_each(|chunk| graph.delete(chunk).expect("edges"));
        let found = graph.out_edges().expect("out-edges").statistics().expect("statistics");
        assert!(found.edges == 0 && found.slabs < 20_500, "{found:?}");
    }
}

#[test]
fn a_graph_may_go_with_work_in_flight() {
    for device in devices() {
        for _ in 0..20 {
            let mut graph = build(&device, 2000, 2000, &BOTH);
            let buffer = DeviceBuffer::from_slice(&device, &edges(2000)).expect("memory");
            graph.queue_deletions(&buffer).expect("a launch");
            graph.queue_insertions(&buffer).expect("a launch");
        }
        device.synchronize().expect("no fault");
    }
}

/// Writes a snapshot, changes it, and returns why it is refused.
#[track_caller]
fn refusal(change: impl FnOnce(&mut Vec<u8>)) -> SnapshotFault {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("graph.meerkat");
    let graph = build(&Device::cpu(), 30, 30, &SlabOptions::DEFAULT);
    graph.save(&path).expect("a snapshot");
    let mut bytes = fs::read(&path).expect("bytes");
    change(&mut bytes);
    fs::write(&path, bytes).expect("a file");
    let error = SlabGraph::<u32>::load(&Device::cpu(), &path).expect_err("refused");
    assert!(error.to_string().contains("graph.meerkat"), "{error}");
    let what = format!("{error}");
    match error.kind() {
        ErrorKind::Snapshot { cause: SnapshotFault::Version(found), .. } => {
            SnapshotFault::Version(*found)
        }
        ErrorKind::Snapshot { cause: SnapshotFault::NoSnapshot, .. } => SnapshotFault::NoSnapshot,
        ErrorKind::Snapshot { cause: SnapshotFault::Damaged, .. } => SnapshotFault::Damaged,
        _ => panic!("{what}"),
    }
}

#[test]
fn snapshots_that_were_changed_anywhere_are_refused() {
    for at in [12, 20, 40, 55, 60, 200, 300] {
        let fault = refusal(|bytes| bytes[at] ^= 4);
        assert!(matches!(fault, SnapshotFault::Damaged), "byte {at}: {fault}");
    }
    assert!(matches!(refusal(|bytes| bytes[0] = b'm'), SnapshotFault::NoSnapshot));
    assert!(matches!(refusal(|bytes| bytes[8] = 3), SnapshotFault::Version(3)));
    for length in [7, 0] {
        assert!(matches!(refusal(|bytes| bytes.truncate(length)), SnapshotFault::NoSnapshot));
    }
    for length in [8, 30, 60, 300] {
        assert!(matches!(refusal(|bytes| bytes.truncate(length)), SnapshotFault::Damaged));
    }
}

#[test]
fn a_snapshot_is_of_one_kind_of_weight_and_of_a_file_that_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("graph");
    build(&Device::cpu(), 3, 3, &SlabOptions::DEFAULT).save(&path).expect("a snapshot");
    let error = SlabGraph::<f32>::load(&Device::cpu(), &path).expect_err("another weight");
    assert!(
        error.to_string().ends_with("its edges carry `u32`, and `f32` was asked for"),
        "{error}"
    );
    let error = SlabGraph::<u32>::load(&Device::cpu(), Path::new("/none")).expect_err("no file");
    assert!(
        matches!(error.kind(), ErrorKind::Snapshot { cause: SnapshotFault::File(_), .. }),
        "{error}"
    );
}
