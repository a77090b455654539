//! Batches at hubs, in each container that batches can change: what they change is exact, and where
//! memory runs out the graph is as it was.

use crate::support::{devices, say};
use meerkat::prelude::*;
use meerkat::runtime::graph::{Adjacency, Update};
use meerkat::runtime::{BlockEdges, CompactEdges, Error, MemoryFaults};
use std::collections::BTreeMap;
use std::fmt::Debug;

const VERTICES: u32 = 3000;
/// These have most of the edges.
const HUBS: [u32; 3] = [0, 7, 2999];
const BATCHES: usize = 24;

pub(crate) type Arcs = BTreeMap<(u32, u32), u32>;

/// An edge at a hub, its other end anywhere, or an edge at random.
fn edge<W: Weight>(random: &mut fastrand::Rng) -> Edge<W> {
    let hub = HUBS[random.usize(0..HUBS.len())];
    let (a, b) = match random.u32(0..10) {
        0 => (random.u32(0..VERTICES), random.u32(0..VERTICES)),
        1 => (random.u32(0..VERTICES), hub),
        _ => (hub, random.u32(0..VERTICES)),
    };
    // Few weights, so that some insertions change nothing.
    Edge { src: a, dst: b, weight: W::from_bits(if W::IS_WEIGHTED { random.u32(0..3) } else { 0 }) }
}

fn batch<W: Weight>(random: &mut fastrand::Rng, arcs: &Arcs, number: usize) -> Batch<W> {
    let there: Vec<_> = arcs.keys().copied().collect();
    let mut updates = Vec::new();
    // Batches of one kind go another way than mixed ones.
    let (inserts, deletes) = [(900, 0), (0, 700), (500, 400), (80, 900)][number % 4];
    updates.extend((0..inserts).map(|_| Update::Insert(edge(random))));
    for _ in 0..deletes {
        let known = random.u32(0..8) != 0 && !there.is_empty();
        let Edge { src, dst, weight } = edge::<W>(random);
        let (src, dst) = if known { there[random.usize(0..there.len())] } else { (src, dst) };
        updates.push(Update::Delete(Edge { src, dst, weight }));
    }
    random.shuffle(&mut updates);
    updates.into_iter().collect()
}

pub(crate) fn applied<W: Weight>(arcs: &Arcs, batch: &Batch<W>, direction: Direction) -> Arcs {
    let mut after = arcs.clone();
    for update in batch.updates() {
        let (Update::Insert(edge) | Update::Delete(edge)) = update;
        let both = [(edge.src, edge.dst), (edge.dst, edge.src)];
        for arc in &both[..if direction == Direction::Undirected { 2 } else { 1 }] {
            match update {
                Update::Insert(_) => after.insert(*arc, edge.weight.to_bits()),
                Update::Delete(_) => after.remove(arc),
            };
        }
    }
    after
}

/// What is in one and not, or with another weight, in the other.
pub(crate) fn without(some: &Arcs, others: &Arcs) -> Vec<(u32, u32, u32)> {
    let left = some.iter().filter(|(arc, bits)| others.get(arc) != Some(bits));
    left.map(|(&(src, dst), &bits)| (src, dst, bits)).collect()
}

pub(crate) fn listed<W: Weight>(edges: &[Edge<W>]) -> Vec<(u32, u32, u32)> {
    let mut all: Vec<_> =
        edges.iter().map(|edge| (edge.src, edge.dst, edge.weight.to_bits())).collect();
    all.sort_unstable();
    all
}

#[track_caller]
pub(crate) fn check<L: EdgeLists>(graph: &DynamicGraph<L>, arcs: &Arcs, place: &str) {
    graph.check_invariants().unwrap_or_else(|broken| panic!("{place}: {broken}"));
    let found = listed(&graph.to_edges().expect("edges"));
    assert!(found == without(arcs, &Arcs::new()), "{place}: other edges");
}

/// Replays batches with memory running out in each; how many were refused.
fn replay<L: EdgeLists<Carried: Debug>>(device: &Device, options: SlabOptions, seed: u64) -> usize {
    let mut random = fastrand::Rng::with_seed(seed);
    let faults = MemoryFaults::new();
    let device = device.clone().with_memory_faults(&faults);
    let graph = DynamicGraph::<L>::from_edges(&device, VERTICES, &[], &options);
    let (mut graph, mut arcs, mut refused) = (graph.expect("a graph"), Arcs::new(), 0);
    for number in 0..BATCHES {
        let batch = batch(&mut random, &arcs, number);
        let after = applied(&arcs, &batch, options.direction);
        let place = format!("batch {number} of {options:?}, seed {seed}, on {}", device.name());
        let successes = random.u32(0..14);
        match number % 3 {
            0 => faults.fail_once(successes),
            _ => faults.fail_from(successes),
        }
        let mut change = graph.apply(&batch);
        if faults.heal() && change.as_ref().is_err_and(Error::is_out_of_memory) {
            refused += 1;
            check(&graph, &arcs, &format!("refused, {place}"));
            change = graph.apply(&batch);
        }
        let change = change.unwrap_or_else(|error| panic!("{place}: {error}"));
        let (deleted, inserted) = (change.deleted().to_vec(), change.inserted().to_vec());
        let (gone, new) = (listed(&deleted.expect("a list")), listed(&inserted.expect("a list")));
        assert!(gone == without(&arcs, &after), "{place}: deletions");
        assert!(new == without(&after, &arcs), "{place}: insertions");
        arcs = after;
        check(&graph, &arcs, &place);
    }
    refused
}

fn replay_all<L: EdgeLists<Carried: Debug>>(name: &str) {
    for device in devices::devices() {
        let kinds = [
            SlabOptions::DEFAULT,
            SlabOptions::DEFAULT.oriented(Orientation::In),
            SlabOptions::DEFAULT.oriented(Orientation::Both),
            SlabOptions::DEFAULT.undirected(),
        ];
        let seeded = (0..8).map(|seed| (kinds[seed as usize % 4], seed));
        let refused: usize = seeded.map(|(kind, seed)| replay::<L>(&device, kind, seed)).sum();
        assert!(refused > 8, "{refused} refusals");
        let batches = 8 * BATCHES;
        say(&format!(
            "{batches} batches at hubs in {name}, {refused} refused, on {}",
            device.name()
        ));
    }
}

#[test]
fn batches_at_hubs_are_exact_and_all_or_nothing_in_slabs() {
    replay_all::<Adjacency>("slabs");
    replay_all::<Adjacency<u32>>("slabs with u32");
}

#[test]
fn batches_at_hubs_are_exact_and_all_or_nothing_in_compact_slabs() {
    replay_all::<CompactEdges>("compact slabs");
    replay_all::<CompactEdges<u32>>("compact slabs with u32");
}

#[test]
fn batches_at_hubs_are_exact_and_all_or_nothing_in_block_arrays() {
    replay_all::<BlockEdges>("block arrays");
    replay_all::<BlockEdges<u32>>("block arrays with u32");
}

fn arc<W: Weight>(src: u32, dst: u32, bits: u32) -> Edge<W> {
    Edge { src, dst, weight: W::from_bits(bits) }
}

/// A batch that deletes something and gives vertices of few neighbours thousands.
fn apply_to_few<L: EdgeLists<Carried: Debug>>(device: &Device) {
    for count in [700, 1200, 5000] {
        let there = [arc(0, 1, 1)];
        let graph = DynamicGraph::<L>::from_edges(device, 6000, &there, &SlabOptions::DEFAULT);
        let (mut graph, mut arcs) = (graph.expect("a graph"), Arcs::from([((0, 1), 1)]));
        if !L::Carried::IS_WEIGHTED {
            arcs = Arcs::from([((0, 1), 0)]);
        }
        let new: Vec<_> = (0..count).map(|i| arc(2, 10 + i, 5)).collect();
        let batch = Batch::new().delete(there).insert(&new).insert([arc(0, 1, 2)]);
        let after = applied(&arcs, &batch, Direction::Directed);
        graph.apply(&batch).expect("room");
        check(&graph, &after, &format!("{count} on {}", device.name()));
        let before = graph.bytes();
        graph.apply(&Batch::new().delete(&new).insert([arc(3, 1, 2)])).expect("room");
        graph.apply(&Batch::new().insert(&new).delete([arc(3, 1, 2)])).expect("room");
        check(&graph, &after, &format!("{count} again on {}", device.name()));
        assert!(graph.bytes() < 4 * before, "{} bytes after {before}", graph.bytes());
    }
}

// A list was once laid out for a multiple of the neighbours that it had without the batch: of none
// for none, again and again.
#[test]
fn a_mixed_batch_at_a_vertex_of_no_neighbours_ends_in_every_container() {
    for device in devices::devices() {
        apply_to_few::<Adjacency>(&device);
        apply_to_few::<Adjacency<u32>>(&device);
        apply_to_few::<CompactEdges>(&device);
        apply_to_few::<CompactEdges<u32>>(&device);
        apply_to_few::<BlockEdges>(&device);
        apply_to_few::<BlockEdges<u32>>(&device);
    }
}

fn delete_after_a_partial_insertion<L: EdgeLists<Carried = ()>>(device: &Device, queued: bool) {
    for options in
        [SlabOptions::DEFAULT.undirected(), SlabOptions::DEFAULT.oriented(Orientation::Both)]
    {
        let faults = MemoryFaults::new();
        let device = device.clone().with_memory_faults(&faults);
        let mut graph =
            DynamicGraph::<L>::from_edges(&device, 1210, &[], &options).expect("memory");
        let edges: Vec<_> = (0..1200).map(|i| arc(i % 4, 10 + i, 0)).collect();
        let list = DeviceBuffer::from_slice(&device, &edges).expect("memory");
        if queued {
            graph.queue_insertions(&list).expect("no error");
        } else {
            faults.fail_from(1);
            assert!(graph.insert_buffer(&list).is_err());
            faults.heal();
        }
        graph.delete_vertices(&[0, 1, 2, 3]).expect("vertices");
        check(&graph, &Arcs::new(), &format!("{options:?} on {}", device.name()));
    }
}

// Only what the lists of a deleted vertex had was once deleted from those of its neighbours.
#[test]
fn vertices_that_are_deleted_after_a_partial_insertion_leave_no_arc() {
    for device in devices::devices() {
        for queued in [true, false] {
            delete_after_a_partial_insertion::<Adjacency>(&device, queued);
            delete_after_a_partial_insertion::<CompactEdges>(&device, queued);
            delete_after_a_partial_insertion::<BlockEdges>(&device, queued);
        }
    }
}

/// A chain may be longer than an insertion walks. To look there for what had just come back took
/// memory, and an error at the lists of one end left out those of the other.
fn take_back<L: EdgeLists<Carried: Debug>>() {
    for device in devices::devices() {
        let faults = MemoryFaults::new();
        let device = device.clone().with_memory_faults(&faults);
        let edge = |dst| Edge { src: 0, dst, weight: L::Carried::from_bits(dst) };
        let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
        let mut graph =
            DynamicGraph::<L>::from_edges(&device, VERTICES, &[], &options).expect("a graph");
        let mut last = 1;
        for step in [10, 40, 900, 60, 60, 60, 500] {
            graph.insert(&(last..last + step).map(edge).collect::<Vec<_>>()).expect("inserted");
            last += step;
            let gone: Vec<_> = (1..last).filter(|dst| dst % 3 == 0).map(edge).collect();
            let before = listed(&graph.to_edges().expect("edges"));
            let change = graph.change_of(&Batch::new().delete(&gone)).expect("a change");
            graph.apply_deletions(&change).expect("deleted");
            faults.fail_from(0);
            graph.undo_deletions(&change).expect("taken back");
            faults.heal();
            graph.check_invariants().expect("invariants");
            assert!(listed(&graph.to_edges().expect("edges")) == before, "{last} keys");
        }
    }
}

#[test]
fn deletions_are_taken_back_without_memory() {
    take_back::<Adjacency>();
    take_back::<Adjacency<u32>>();
    take_back::<CompactEdges>();
    take_back::<CompactEdges<u32>>();
}
