//! Update tracking: what a walk from the update pointers finds.

use crate::support::devices::devices;
use crate::walk::updates_of;
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;

fn updates<W: Weight>(graph: &SlabGraph<W>) -> Vec<Edge<W>> {
    updates_of(graph.out_edges().expect("out-edges")).expect("updates")
}

/// Some edges of a hub and of other vertices, `from` telling rounds apart.
fn round<W: Weight>(from: u32, count: u32, weight: impl Fn(u32) -> W) -> Vec<Edge<W>> {
    let edge = |i: u32| {
        let src = if i.is_multiple_of(3) { 7 } else { i % 40 };
        Edge { src, dst: from + i, weight: weight(i) }
    };
    let mut edges: Vec<_> = (0..count).map(edge).collect();
    edges.sort_unstable_by_key(|edge| (edge.src, edge.dst));
    edges
}

#[track_caller]
fn rounds_are_told_apart<W: Weight + std::fmt::Debug + PartialEq>(
    weight: impl Fn(u32) -> W + Copy,
) {
    for device in devices() {
        for hashing in [true, false] {
            let options = SlabOptions { track_updates: true, hashing, ..SlabOptions::DEFAULT };
            let base = round(0, 500, weight);
            let mut graph =
                SlabGraph::from_edges(&device, 20_000, &base, &options).expect("a graph");
            assert_eq!(updates(&graph), [], "a new graph has no updates");
            for (at, count) in (0..).zip([1, 30, 31, 32, 200, 1000, 0, 3]) {
                let edges = round(1000 + 2000 * at, count, weight);
                let gone: Vec<_> = base.iter().copied().step_by(3).collect();
                graph.apply(&Batch::new().delete(gone).insert(&edges)).expect("a change");
                // What was there before is no update.
                graph.insert(&base[1..2]).expect("an edge");
                assert!(updates(&graph) == edges, "{count} updates on {}", device.name());
                graph.update_slab_pointers().expect("pointers");
                assert_eq!(updates(&graph), [], "after {count} updates");
            }
            let all: Vec<_> = round(19_000, 64, weight);
            graph.insert(&all).expect("edges");
            graph.delete(&all[..60]).expect("edges");
            assert!(updates(&graph) == all[60..], "deleted ones are no updates");
        }
    }
}

#[test]
fn rounds_of_1_to_1000_insertions_are_told_apart_unweighted() {
    rounds_are_told_apart(|_| ());
}

#[test]
fn rounds_of_1_to_1000_insertions_are_told_apart_u32() {
    rounds_are_told_apart(|i| i);
}

#[test]
fn a_new_weight_is_an_update() {
    for device in devices() {
        let options = SlabOptions { track_updates: true, ..SlabOptions::DEFAULT };
        let edge = |weight| Edge { src: 0, dst: 1, weight };
        let mut graph =
            SlabGraph::from_edges(&device, 2, &[edge(5u32)], &options).expect("a graph");
        graph.insert(&[edge(5)]).expect("an edge");
        assert_eq!(updates(&graph), []);
        graph.insert(&[edge(6)]).expect("an edge");
        assert_eq!(updates(&graph), [edge(6)]);
    }
}

#[test]
fn a_graph_that_tracks_no_updates_says_so() {
    let mut graph = SlabGraph::<()>::from_edges(&Device::cpu(), 2, &[], &SlabOptions::DEFAULT)
        .expect("a graph");
    let error = graph.update_slab_pointers().expect_err("no pointers");
    assert!(matches!(error.kind(), ErrorKind::UpdatesNotTracked), "{error}");
}
