//! Hubs that grow and shrink where memory is short: their neighbours are hashed to the same places, few
//! slabs are left, and lists move for lack of a long row. What a batch changes is exact, and a batch that
//! finds no room changes nothing.

use crate::hashes::{Hashed, buckets_for};
use crate::hub_batches::{Arcs, applied, check};
use crate::support::{devices, say};
use meerkat::prelude::*;
use meerkat::runtime::graph::{Adjacency, Update};
use meerkat::runtime::{BlockEdges, CompactEdges};
use std::fmt::Debug;
use std::ops::Range;

const VERTICES: u32 = 6000;
const HUBS: u32 = 24;
const BATCHES: usize = 40;

/// The vertices in the order of the hash of slabs, or of compact slabs once a hub has so many neighbours.
fn order<'a, W: Weight>(
    random: &mut fastrand::Rng,
    hashed: &'a mut Hashed,
    degree: usize,
) -> &'a [Vertex] {
    match random.bool() {
        true => hashed.in_slabs(),
        false => hashed.in_buckets(buckets_for::<W>(degree as u32)),
    }
}

/// Some hubs get neighbours that are hashed to one run of places, others lose a part of theirs, or all.
fn batch<W: Weight>(random: &mut fastrand::Rng, hashed: &mut Hashed, arcs: &Arcs) -> Batch<W> {
    let mut updates = Vec::new();
    let weight = |bits: u32| W::from_bits(if W::IS_WEIGHTED { bits } else { 0 });
    for _ in 0..random.u32(1..8) {
        let src = random.u32(0..HUBS);
        let there = arcs.range((src, 0)..(src + 1, 0));
        if random.bool() {
            let (first, spread) = (random.usize(0..VERTICES as usize), random.usize(1..4));
            let count = random.usize(1..400);
            let hashed = order::<W>(random, hashed, there.count() + count);
            let new = hashed.iter().cycle().skip(first).step_by(spread).take(count);
            let new = new.map(|&dst| (dst, weight(random.u32(0..3))));
            updates.extend(new.map(|(dst, weight)| Update::Insert(Edge { src, dst, weight })));
        } else {
            let part = random.u32(0..4);
            let gone = there.filter(|_| part == 0 || random.u32(0..4) < part);
            let gone = gone.map(|(&(src, dst), _)| Edge { src, dst, weight: weight(0) });
            updates.extend(gone.collect::<Vec<_>>().into_iter().map(Update::Delete));
        }
    }
    updates.into_iter().collect()
}

/// The neighbours that hubs begin with: those of some are hashed to one run of places.
fn beginning<W: Weight>(random: &mut fastrand::Rng, hashed: &mut Hashed) -> Vec<Edge<W>> {
    let mut edges = Vec::new();
    for src in 0..HUBS {
        let (first, degree) = (random.usize(0..VERTICES as usize), random.usize(100..500));
        let hashed = order::<W>(random, hashed, degree);
        let of_hub = hashed.iter().cycle().skip(first).step_by(random.usize(1..10)).take(degree);
        edges.extend(of_hub.map(|&dst| Edge { src, dst, weight: W::from_bits(0) }));
    }
    edges
}

/// The least limit that a graph of these edges can be built with.
fn slabs_of<L: EdgeLists>(device: &Device, edges: &[Edge<L::Carried>]) -> u32 {
    let fits = |max_slabs: u32| {
        let options = SlabOptions { max_slabs, ..SlabOptions::DEFAULT };
        DynamicGraph::<L>::from_edges(device, VERTICES, edges, &options).is_ok()
    };
    let (mut too_few, mut enough) = (0, 1 << 16);
    while enough - too_few > 1 {
        let middle = too_few + (enough - too_few) / 2;
        match fits(middle) {
            true => enough = middle,
            false => too_few = middle,
        }
    }
    enough
}

/// Replays batches; how many found no room.
fn replay<L: EdgeLists<Carried: Debug>>(device: &Device, seed: u64) -> usize {
    let (mut random, mut hashed) = (fastrand::Rng::with_seed(seed), Hashed::new(VERTICES));
    let edges = beginning::<L::Carried>(&mut random, &mut hashed);
    let least = slabs_of::<L>(device, &edges);
    let max_slabs = least + random.u32(0..32);
    let options = SlabOptions { max_slabs, ..SlabOptions::DEFAULT };
    let graph = DynamicGraph::<L>::from_edges(device, VERTICES, &edges, &options);
    let mut graph = graph.expect("room");
    let all: Batch<_> = edges.into_iter().map(Update::Insert).collect();
    let (mut arcs, mut refused) = (applied(&Arcs::new(), &all, Direction::Directed), 0);
    for number in 0..BATCHES {
        let batch = batch::<L::Carried>(&mut random, &mut hashed, &arcs);
        let place = format!("batch {number}, seed {seed}, {max_slabs} slabs on {}", device.name());
        match graph.apply(&batch) {
            Ok(_) => arcs = applied(&arcs, &batch, Direction::Directed),
            Err(error) if error.is_about_room() => refused += 1,
            Err(error) => panic!("{place}: {error}"),
        }
        check(&graph, &arcs, &place);
    }
    refused
}

fn replay_all<L: EdgeLists<Carried: Debug>>(name: &str) {
    let asked = std::env::var("MEERKAT_MODEL_SEQUENCES").ok();
    let seeds = asked.map_or(4, |count| count.parse().expect("a number of sequences"));
    for device in devices::devices() {
        let refused: usize = (0..seeds).map(|seed| replay::<L>(&device, seed)).sum();
        assert!(refused > 2, "{refused} refusals");
        let batches = seeds as usize * BATCHES;
        let on = device.name();
        say(&format!("{batches} batches at crowded hubs in {name}, {refused} refused, on {on}"));
    }
}

#[test]
fn crowded_hubs_lose_nothing_in_slabs() {
    replay_all::<Adjacency>("slabs");
    replay_all::<Adjacency<u32>>("slabs with u32");
}

// Full hubs that were packed lost neighbours once: see `pack.rs`.
#[test]
fn crowded_hubs_lose_nothing_in_compact_slabs() {
    replay_all::<CompactEdges>("compact slabs");
    replay_all::<CompactEdges<u32>>("compact slabs with u32");
}

#[test]
fn crowded_hubs_lose_nothing_in_block_arrays() {
    replay_all::<BlockEdges>("block arrays");
    replay_all::<BlockEdges<u32>>("block arrays with u32");
}

/// In one batch, more lists get long than a graph can note, which is 4,096 of so many vertices.
fn outgrow_at_once<L: EdgeLists>(device: &Device) {
    let edge = |src: Vertex, i: u32| {
        let weight = L::Carried::from_bits(if L::Carried::IS_WEIGHTED { i } else { 0 });
        Edge { src, dst: (src * 7 + i * 11) % VERTICES, weight }
    };
    let edges = |places: Range<u32>| -> Vec<Edge<L::Carried>> {
        (0..4_400).flat_map(|src| places.clone().map(move |i| edge(src, i))).collect()
    };
    let graph = DynamicGraph::<L>::from_edges(device, VERTICES, &[], &SlabOptions::DEFAULT);
    let mut graph = graph.expect("a graph");
    let mut arcs = Arcs::new();
    for batch in [
        Batch::new().insert(edges(0..250)),
        Batch::new().insert(edges(240..300)).delete(edges(0..150)),
    ] {
        graph.apply(&batch).expect("a batch");
        arcs = applied(&arcs, &batch, Direction::Directed);
        check(&graph, &arcs, &format!("many lists on {}", device.name()));
    }
}

#[test]
fn more_lists_than_can_be_noted_outgrow_in_one_batch() {
    for device in devices::devices() {
        outgrow_at_once::<Adjacency>(&device);
        outgrow_at_once::<CompactEdges<u32>>(&device);
        outgrow_at_once::<BlockEdges>(&device);
    }
}
