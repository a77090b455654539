//! Update tracking: what a walk from the update pointers finds.

use crate::support::devices::devices;
use crate::walk::updates_of;
use meerkat::prelude::*;
use meerkat::runtime::graph::Adjacency;
use meerkat::runtime::{BlockEdges, CompactEdges, ErrorKind, MemoryFaults};

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

/// A hub of which many updates go and many others come in one batch, so that its lists are laid out
/// while what went may have to come back.
struct Rush {
    gone: Vec<Edge<u32>>,
    new: Vec<Edge<u32>>,
    before: Vec<Edge<u32>>,
    after: Vec<Edge<u32>>,
}

impl Rush {
    fn new() -> Self {
        let edge = |dst| Edge { src: 3, dst, weight: dst };
        let before: Vec<_> = (100..700).map(edge).collect();
        let gone: Vec<_> = before.iter().copied().step_by(2).collect();
        let new: Vec<_> = (1000..6000).map(edge).collect();
        let stay = before.iter().copied().filter(|edge| !edge.dst.is_multiple_of(2));
        let after = stay.chain(new.iter().copied()).collect();
        Rush { gone, new, before, after }
    }

    fn graph<L: EdgeLists<Carried = u32>>(&self, device: &Device) -> DynamicGraph<L> {
        let options = SlabOptions { track_updates: true, ..SlabOptions::DEFAULT };
        let mut graph =
            DynamicGraph::<L>::from_edges(device, 7000, &[], &options).expect("a graph");
        graph.insert(&self.before).expect("edges");
        graph
    }

    fn batch(&self) -> Batch<u32> {
        Batch::new().delete(&self.gone).insert(&self.new)
    }

    #[track_caller]
    fn check<L: EdgeLists<Carried = u32>>(graph: &DynamicGraph<L>, wanted: &[Edge<u32>], at: &str) {
        assert!(graph.to_edges().expect("edges") == wanted, "edges, {at}");
        assert!(updates(graph) == wanted, "updates, {at}");
    }
}

/// Updates of a batch that found no memory once were laid out without those that were to come back; in
/// the second half of a change those that had gone came back to the updates alone.
fn updates_keep_step_where_memory_runs_out<L: EdgeLists<Carried = u32>>(device: &Device) {
    let (rush, faults) = (Rush::new(), MemoryFaults::new());
    let device = device.clone().with_memory_faults(&faults);
    let (mut refused, mut in_halves) = (0, 0);
    for successes in 0..400 {
        let at = format!("{successes} allocations on {}", device.name());
        let mut graph = rush.graph::<L>(&device);
        faults.fail_from(successes);
        let applied = graph.apply(&rush.batch());
        // Some memory is only for speed.
        let (ran_out, was_refused) = (faults.heal(), applied.is_err());
        assert!(ran_out || !was_refused, "{at}");
        Rush::check(&graph, if was_refused { &rush.before } else { &rush.after }, &at);

        let mut graph = rush.graph::<L>(&device);
        let change = graph.change_of(&rush.batch()).expect("a change");
        graph.apply_deletions(&change).expect("deletions");
        faults.fail_from(successes);
        let inserted = graph.apply_insertions(&change);
        let (ran_out_in_half, fails_in_half) = (faults.heal(), inserted.is_err());
        assert!(ran_out_in_half || !fails_in_half, "{at}");
        if fails_in_half {
            // Once more, or back.
            if successes.is_multiple_of(2) {
                graph.apply_insertions(&change).expect("insertions");
                Rush::check(&graph, &rush.after, &at);
            } else {
                graph.undo_deletions(&change).expect("the way back");
                Rush::check(&graph, &rush.before, &at);
            }
        } else {
            Rush::check(&graph, &rush.after, &at);
        }
        refused += u32::from(was_refused);
        in_halves += u32::from(fails_in_half);
        if !ran_out && !ran_out_in_half {
            assert!(refused > 10 && in_halves > 3, "{refused} and {in_halves} refused");
            return;
        }
    }
    panic!("refused 400 times");
}

#[test]
fn updates_keep_step_with_the_graph_where_memory_runs_out_in_compact_slabs() {
    devices().iter().for_each(updates_keep_step_where_memory_runs_out::<CompactEdges<u32>>);
}

#[test]
fn updates_keep_step_with_the_graph_where_memory_runs_out_in_block_arrays() {
    devices().iter().for_each(updates_keep_step_where_memory_runs_out::<BlockEdges<u32>>);
}

#[test]
fn a_graph_that_tracks_no_updates_says_so() {
    let mut graph = SlabGraph::<()>::from_edges(&Device::cpu(), 2, &[], &SlabOptions::DEFAULT)
        .expect("a graph");
    let error = graph.update_slab_pointers().expect_err("no pointers");
    assert!(matches!(error.kind(), ErrorKind::UpdatesNotTracked), "{error}");
}
