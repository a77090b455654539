//! Sweeps between batches, beside a map of the edges; and a window that slides, whose memory stays.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::super::adjacency::Adjacency;
use super::super::batch::Batch;
use super::super::block_arrays::BlockEdges;
use super::super::compact_slabs::CompactEdges;
use super::super::dynamic_graph::DynamicGraph;
use super::super::layout::Edge;
use super::super::lists::EdgeLists;
use super::super::options::{Compaction, Orientation, SlabOptions};
use crate::device::{Device, MemoryFaults};
use crate::{Vertex, Weight};

const VERTICES: u32 = 700;
/// Vertices that most edges begin or end at.
const HUBS: u32 = 3;
const BOTH: SlabOptions = SlabOptions::DEFAULT.oriented(Orientation::Both);

type Edges = BTreeMap<(Vertex, Vertex), u32>;

/// A graph, and the bits of the weights of its edges.
struct Case<L: EdgeLists> {
    graph: DynamicGraph<L>,
    model: Edges,
    random: fastrand::Rng,
}

impl<L: EdgeLists> Case<L> {
    fn new(device: &Device, options: &SlabOptions, seed: u64) -> Self {
        let graph = DynamicGraph::from_edges(device, VERTICES, &[], options).expect("a graph");
        Case { graph, model: Edges::new(), random: fastrand::Rng::with_seed(seed) }
    }

    /// An edge as the model names it.
    fn key(&self, src: Vertex, dst: Vertex) -> (Vertex, Vertex) {
        if self.graph.is_undirected() && dst < src { (dst, src) } else { (src, dst) }
    }

    /// Deletes a part of the edges, and inserts others or some of the same again.
    fn apply(&mut self, weight: impl Fn(u32) -> L::Carried) {
        let mut batch = Batch::new();
        let part = self.random.f64();
        let leaving: Vec<_> =
            self.model.keys().copied().filter(|_| self.random.f64() < part).collect();
        for &(src, dst) in &leaving {
            batch = batch.delete([Edge { src, dst, weight: weight(0) }]);
            self.model.remove(&(src, dst));
        }
        for _ in 0..self.random.u32(0..500) {
            // Half of them at hubs, the others at vertices of some neighbours.
            let (few, all) = if self.random.bool() { (HUBS, VERTICES) } else { (70, 70) };
            let ends = [self.random.u32(0..few), self.random.u32(0..all)];
            let [src, dst] = if self.random.bool() { ends } else { [ends[1], ends[0]] };
            let weight = weight(self.random.u32(0..1 << 20));
            batch = batch.insert([Edge { src, dst, weight }]);
            self.model.insert(self.key(src, dst), weight.to_bits());
        }
        self.graph.apply(&batch).expect("a batch");
    }

    fn check(&self) {
        let edges = self.graph.to_edges().expect("edges");
        let found: Edges = edges
            .iter()
            .map(|edge| (self.key(edge.src, edge.dst), edge.weight.to_bits()))
            .collect();
        assert_eq!(found, self.model);
        self.graph.check_invariants().expect("what must hold");
    }
}

/// Batches and sweeps of random vertices in turn; some sweeps find no memory.
#[track_caller]
fn sweeps<L: EdgeLists>(
    options: &SlabOptions,
    weight: impl Fn(u32) -> L::Carried + Copy,
    lists: RangeInclusive<usize>,
) {
    let mut laid_out = 0;
    for seed in 0..4 {
        let faults = MemoryFaults::new();
        let mut case = Case::<L>::new(&Device::cpu().with_memory_faults(&faults), options, seed);
        for _ in 0..12 {
            case.apply(weight);
            case.check();
            if case.random.bool() {
                faults.fail_once(case.random.u32(0..12));
            }
            let first = case.random.u32(0..HUBS);
            let swept = case.graph.sweep(first..case.random.u32(VERTICES / 2..VERTICES));
            match (swept, faults.heal()) {
                (Err(error), true) => assert!(error.is_out_of_memory(), "{error}"),
                (swept, _) => laid_out += swept.expect("a sweep"),
            }
            case.check();
        }
    }
    assert!(lists.contains(&laid_out), "{laid_out} lists were laid out");
}

/// Edges that left come back after a sweep that laid out some lists and found no memory for others.
fn comes_back<L: EdgeLists<Carried = ()>>() {
    let (mut failed, mut laid_out) = (0, 0);
    for successes in 0..48 {
        let faults = MemoryFaults::new();
        let device = Device::cpu().with_memory_faults(&faults);
        // Without a policy, whose sweeps would say that lists have moved.
        let options = SlabOptions { compaction: Compaction::OnDemand, ..BOTH };
        let mut case = Case::<L>::new(&device, &options, 5);
        (0..8).for_each(|_| case.apply(|_| ()));
        let leaving = case.model.keys().filter(|(src, dst)| (src + dst) % 8 != 0);
        let leaving: Vec<_> = leaving.map(|&(src, dst)| Edge { src, dst, weight: () }).collect();
        let change = case.graph.change_of(&Batch::new().delete(leaving)).expect("a change");
        case.graph.apply_deletions(&change).expect("deletions");
        // In both orientations: one that was laid out would say that lists have moved.
        faults.fail_from(successes);
        // As the policy does, for which an error is no reason to stop.
        let swept = case.graph.sweep(0..VERTICES);
        failed += u32::from(faults.heal() && swept.is_err());
        laid_out += swept.unwrap_or(0);
        case.graph.undo_deletions(&change).expect("deletions taken back");
        case.check();
    }
    assert!(failed > 2 && laid_out > 0, "{failed} failed, {laid_out} lists were laid out");
}

/// A list of 40 neighbours that is laid out for two has no places for the others: they used to be lost.
#[test]
fn neighbors_of_short_lists_come_back_after_a_sweep_that_failed_at_hubs() {
    const ALL: u32 = 1000;
    let degree = |src: u32| if src < 50 { 40 } else { 600 };
    let edge = |src: u32, i: u32| Edge { src, dst: (src + i + 1) % ALL, weight: () };
    let of = |src: u32| (0..degree(src)).map(move |i| edge(src, i));
    let mut all: Vec<Edge> = (0..60).flat_map(of).collect();
    let leaves = |edge: &&Edge| (edge.dst + ALL - edge.src - 1) % ALL >= degree(edge.src) / 20;
    let leaving: Vec<Edge> = all.iter().filter(leaves).copied().collect();
    let in_order = |edge: &Edge| (edge.src, edge.dst);
    all.sort_unstable_by_key(in_order);
    let options = SlabOptions { compaction: Compaction::OnDemand, ..SlabOptions::DEFAULT };
    let mut failed = 0;
    for successes in 0..40 {
        let faults = MemoryFaults::new();
        let device = Device::cpu().with_memory_faults(&faults);
        let mut graph = DynamicGraph::<CompactEdges>::from_edges(&device, ALL, &all, &options)
            .expect("a graph");
        let change = graph.change_of(&Batch::new().delete(&leaving)).expect("a change");
        graph.apply_deletions(&change).expect("deletions");
        faults.fail_from(successes);
        let swept = graph.sweep(0..ALL);
        failed += u32::from(faults.heal() && swept.is_err());
        graph.undo_deletions(&change).expect("deletions taken back");
        graph.check_invariants().expect("what must hold");
        let mut found = graph.to_edges().expect("edges");
        found.sort_unstable_by_key(in_order);
        assert!(found == all, "{} of {} after {successes}", found.len(), all.len());
    }
    assert!((10..40).contains(&failed), "{failed} sweeps failed");
}

#[test]
fn edges_of_slabs_come_back_after_a_sweep_that_failed() {
    comes_back::<Adjacency<()>>();
}

#[test]
fn edges_of_compact_slabs_come_back_after_a_sweep_that_failed() {
    comes_back::<CompactEdges<()>>();
}

#[test]
fn edges_of_block_arrays_come_back_after_a_sweep_that_failed() {
    comes_back::<BlockEdges<()>>();
}

#[test]
fn sweeps_of_slabs_keep_all_edges() {
    sweeps::<Adjacency>(&BOTH, |_| (), 10..=usize::MAX);
    sweeps::<Adjacency<u32>>(&SlabOptions::DEFAULT.undirected(), |bits| bits, 10..=usize::MAX);
    let unhashed = SlabOptions { hashing: false, ..SlabOptions::DEFAULT };
    sweeps::<Adjacency>(&unhashed, |_| (), 1..=usize::MAX);
}

#[test]
fn sweeps_of_compact_slabs_keep_all_edges() {
    sweeps::<CompactEdges>(&BOTH, |_| (), 10..=usize::MAX);
    sweeps::<CompactEdges<u32>>(&SlabOptions::DEFAULT.undirected(), |bits| bits, 10..=usize::MAX);
}

#[test]
fn sweeps_of_block_arrays_keep_all_edges() {
    sweeps::<BlockEdges>(&BOTH, |_| (), 0..=usize::MAX);
    sweeps::<BlockEdges<u32>>(&SlabOptions::DEFAULT.undirected(), |bits| bits, 0..=usize::MAX);
}

/// Edges arrive and leave again, as many as the graph has twelve times over: its memory stays, and
/// no batch lays out all of it.
#[track_caller]
fn stays<L: EdgeLists<Carried = ()>>() {
    const ARRIVALS: usize = 12;
    let mut case = Case::<L>::new(&Device::cpu(), &BOTH, 9);
    let mut arrivals: Vec<Vec<Edge>> = Vec::new();
    let (mut bytes, mut compactions) = (Vec::new(), 0);
    for step in 0..13 * ARRIVALS {
        let mut end = || {
            let skewed = case.random.f64().powi(3);
            (skewed * f64::from(VERTICES)) as u32
        };
        let arriving: Vec<_> =
            (0..900).map(|_| Edge { src: end(), dst: end(), weight: () }).collect();
        let mut batch = Batch::new();
        if arrivals.len() == ARRIVALS {
            let leaving = arrivals.remove(0);
            // One that has come again stays.
            let stays = |edge: &Edge| arrivals.iter().any(|arrival| arrival.contains(edge));
            let leaving: Vec<_> = leaving.into_iter().filter(|edge| !stays(edge)).collect();
            for edge in &leaving {
                case.model.remove(&(edge.src, edge.dst));
            }
            batch = batch.delete(leaving);
        }
        case.model.extend(arriving.iter().map(|edge| ((edge.src, edge.dst), 0)));
        case.graph.apply(&batch.insert(arriving.clone())).expect("a batch");
        arrivals.push(arriving);
        if step == 2 * ARRIVALS {
            // It began empty, and was laid out anew as it grew.
            case.graph.compact().expect("a compaction");
            compactions = case.graph.counters().compactions;
        }
        if step >= 3 * ARRIVALS {
            bytes.push(case.graph.bytes());
        }
    }
    case.check();
    assert_eq!(case.graph.counters().compactions, compactions);
    let (least, most) = (bytes.iter().min().expect("a step"), bytes.iter().max().expect("a step"));
    assert!(most * 4 <= least * 5, "{least} to {most} bytes");
}

#[test]
fn memory_of_slabs_stays_while_edges_come_and_go() {
    stays::<Adjacency>();
}

#[test]
fn memory_of_compact_slabs_stays_while_edges_come_and_go() {
    stays::<CompactEdges>();
}

#[test]
fn memory_of_block_arrays_stays_while_edges_come_and_go() {
    stays::<BlockEdges>();
}
