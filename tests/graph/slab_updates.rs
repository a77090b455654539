//! Update tracking: what a walk from the update pointers finds.

use crate::support::devices::devices;
use crate::walk::updates_of;
use meerkat::prelude::*;
use meerkat::runtime::graph::Adjacency;
use meerkat::runtime::{BlockEdges, CompactEdges, ErrorKind};

fn updates<L: EdgeLists>(graph: &DynamicGraph<L>) -> Vec<Edge<L::Carried>> {
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
fn rounds_are_told_apart<L: EdgeLists<Carried: std::fmt::Debug + PartialEq>>(
    weight: impl Fn(u32) -> L::Carried + Copy,
) {
    for device in devices() {
        for hashing in [true, false] {
            let options = SlabOptions { track_updates: true, hashing, ..SlabOptions::DEFAULT };
            let base = round(0, 500, weight);
            let mut graph =
                DynamicGraph::<L>::from_edges(&device, 20_000, &base, &options).expect("a graph");
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
    rounds_are_told_apart::<Adjacency>(|_| ());
    rounds_are_told_apart::<CompactEdges>(|_| ());
    rounds_are_told_apart::<BlockEdges>(|_| ());
}

#[test]
fn rounds_of_1_to_1000_insertions_are_told_apart_u32() {
    rounds_are_told_apart::<Adjacency<u32>>(|i| i);
    rounds_are_told_apart::<CompactEdges<u32>>(|i| i);
    rounds_are_told_apart::<BlockEdges<u32>>(|i| i);
}

fn a_new_weight_is_an_update_in<L: EdgeLists<Carried = u32>>(device: &Device) {
    let options = SlabOptions { track_updates: true, ..SlabOptions::DEFAULT };
    let edge = |weight| Edge { src: 0, dst: 1, weight };
    let mut graph =
        DynamicGraph::<L>::from_edges(device, 2, &[edge(5u32)], &options).expect("a graph");
    graph.insert(&[edge(5)]).expect("an edge");
    assert_eq!(updates(&graph), []);
    graph.insert(&[edge(6)]).expect("an edge");
    assert_eq!(updates(&graph), [edge(6)]);
}

#[test]
fn a_new_weight_is_an_update() {
    for device in devices() {
        a_new_weight_is_an_update_in::<Adjacency<u32>>(&device);
        a_new_weight_is_an_update_in::<CompactEdges<u32>>(&device);
        a_new_weight_is_an_update_in::<BlockEdges<u32>>(&device);
    }
}

/// Updates through every way that a graph has: in bulk, vertices, batches that are refused.
fn updates_follow<L: EdgeLists<Carried = ()>>(device: &Device) -> Result<(), Error> {
    let edge = |src, dst| Edge { src, dst, weight: () };
    let list = |edges: &[Edge]| DeviceBuffer::from_slice(device, edges);
    for options in
        [SlabOptions::DEFAULT.oriented(Orientation::Both), SlabOptions::DEFAULT.undirected()]
    {
        let options = SlabOptions { track_updates: true, ..options };
        let both = |edges: &[Edge]| {
            let back = edges.iter().map(|e| edge(e.dst, e.src));
            let is_undirected = options.direction == Direction::Undirected;
            let back = back.filter(|_| is_undirected);
            let mut all: Vec<_> = edges.iter().copied().chain(back).collect();
            all.sort_unstable_by_key(|e| (e.src, e.dst));
            all
        };
        let mut graph = DynamicGraph::<L>::from_edges(device, 6, &[edge(0, 1)], &options)?;
        graph.insert_buffer(&list(&[edge(0, 1), edge(1, 2), edge(3, 4), edge(2, 4)])?)?;
        assert_eq!(updates(&graph), both(&[edge(1, 2), edge(2, 4), edge(3, 4)]));
        graph.queue_deletions(&list(&[edge(3, 4), edge(0, 1)])?)?;
        graph.queue_insertions(&list(&[edge(3, 5), edge(5, 0)])?)?;
        assert_eq!(updates(&graph), both(&[edge(1, 2), edge(2, 4), edge(3, 5), edge(5, 0)]));
        graph.delete_vertices(&[5])?;
        assert_eq!(updates(&graph), both(&[edge(1, 2), edge(2, 4)]));
        assert_eq!(graph.insert_vertices(3)?, [5, 6, 7]);
        graph.insert(&[edge(7, 6), edge(5, 1)])?;
        let now = both(&[edge(1, 2), edge(2, 4), edge(5, 1), edge(7, 6)]);
        assert_eq!(updates(&graph), now);
        let into = updates_of(graph.in_edges()?)?;
        let mut back: Vec<_> = now.iter().map(|e| edge(e.dst, e.src)).collect();
        back.sort_unstable_by_key(|e| (e.src, e.dst));
        assert_eq!(into, back, "both orientations agree");
        // A refused batch leaves them as they are.
        graph.apply(&Batch::new().delete([edge(1, 2)]).insert([edge(0, 99)])).expect_err("no 99");
        assert_eq!(updates(&graph), now);
        graph.compact()?;
        assert_eq!(updates(&graph), [], "compaction begins anew");
        graph.insert(&[edge(4, 0)])?;
        assert_eq!(updates(&graph), both(&[edge(4, 0)]));
    }
    Ok(())
}

#[test]
fn updates_follow_every_way_that_changes_a_graph() -> Result<(), Error> {
    for device in devices() {
        updates_follow::<Adjacency>(&device)?;
        updates_follow::<CompactEdges>(&device)?;
        updates_follow::<BlockEdges>(&device)?;
    }
    Ok(())
}

#[test]
fn a_graph_that_tracks_no_updates_says_so() {
    let mut graph = SlabGraph::<()>::from_edges(&Device::cpu(), 2, &[], &SlabOptions::DEFAULT)
        .expect("a graph");
    let error = graph.update_slab_pointers().expect_err("no pointers");
    assert!(matches!(error.kind(), ErrorKind::UpdatesNotTracked), "{error}");
}
