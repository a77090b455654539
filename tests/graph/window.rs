//! Sliding windows beside a map of the last arrival of each edge.

use super::support::devices::devices;
use meerkat::algos::wcc::{self, Components};
use meerkat::prelude::*;
use meerkat::runtime::graph::Adjacency;
use meerkat::runtime::window::Window;
use meerkat::runtime::{BlockEdges, CompactEdges, ErrorKind, MemoryFaults, Update};
use std::collections::BTreeMap;

const VERTICES: u32 = 24;
const BOTH: SlabOptions = SlabOptions::DEFAULT.oriented(Orientation::Both);

/// The time and the weight of the last arrival of each edge.
struct Model<W> {
    direction: Direction,
    last: BTreeMap<(u32, u32), (i64, W)>,
}

impl<W: Weight> Model<W> {
    fn slide(&mut self, time: i64, oldest: i64, arriving: &[Edge<W>]) {
        for &Edge { src, dst, weight } in arriving {
            let swaps = self.direction == Direction::Undirected && dst < src;
            let key = if swaps { (dst, src) } else { (src, dst) };
            self.last.insert(key, (time, weight));
        }
        self.last.retain(|_, (time, _)| *time >= oldest);
    }

    /// Arcs, ascending, with the bits of their weights.
    fn arcs(&self) -> Vec<(u32, u32, u32)> {
        let both = self.direction == Direction::Undirected;
        let arcs = self.last.iter().flat_map(|(&(src, dst), &(_, weight))| {
            let back = (both && src != dst).then_some((dst, src, weight.to_bits()));
            std::iter::once((src, dst, weight.to_bits())).chain(back)
        });
        let mut arcs: Vec<_> = arcs.collect();
        arcs.sort_unstable();
        arcs
    }
}

fn arcs_of<L: EdgeLists>(graph: &DynamicGraph<L>) -> Vec<(u32, u32, u32)> {
    let edges = graph.to_edges().expect("edges");
    edges.iter().map(|edge| (edge.src, edge.dst, edge.weight.to_bits())).collect()
}

/// Slides windows over random arrivals, components following, and refuses what memory does.
#[track_caller]
fn check<L: EdgeLists>(direction: Direction, weight: impl Fn(u32) -> L::Carried) {
    for device in devices() {
        let (mut refused, mut expired) = (0, 0);
        for seed in 0..12 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let faults = MemoryFaults::new();
            let device = device.clone().with_memory_faults(&faults);
            let options = SlabOptions { direction, ..BOTH };
            let graph = DynamicGraph::<L>::from_edges(&device, VERTICES, &[], &options);
            let mut tracked = graph.expect("a graph").track(Components).expect("tracked");
            let mut window = Window::of(tracked.graph()).expect("a window");
            let mut model = Model { direction, last: BTreeMap::new() };
            let mut time = -20;
            for _ in 0..20 {
                time += rng.i64(0..4);
                let oldest = time - rng.i64(3..8);
                let mut end = || rng.u32(0..VERTICES);
                let edges: Vec<_> = (0..end())
                    .map(|_| Edge { src: end(), dst: end() % 5, weight: weight(end()) })
                    .collect();
                let arriving = || DeviceBuffer::from_slice(&device, &edges).expect("edges");
                let (first, before) = (arriving(), arcs_of(tracked.graph()));
                let known = window.edge_count().expect("a count");
                faults.fail_once(rng.u32(0..40));
                let slid = window.slide(time, oldest, first, |batch| tracked.apply(batch));
                if let Err(error) = slid {
                    assert!(faults.heal() && error.is_out_of_memory(), "{error}");
                    refused += 1;
                    assert_eq!(arcs_of(tracked.graph()), before, "after it was refused");
                    assert_eq!(window.edge_count().expect("a count"), known);
                    let again = arriving();
                    let slid = window.slide(time, oldest, again, |batch| tracked.apply(batch));
                    slid.expect("applied");
                }
                faults.heal();
                let there = model.last.len();
                model.slide(time, oldest, &edges);
                expired += usize::from(model.last.len() < there);
                assert_eq!(arcs_of(tracked.graph()), model.arcs(), "seed {seed}, time {time}");
                assert_eq!(window.edge_count().expect("a count"), model.last.len() as u64);
                let labels = wcc::labels(tracked.graph()).expect("labels");
                assert_eq!(tracked.output().expect("labels"), labels);
            }
            let none = DeviceBuffer::from_slice(&device, &[]).expect("no edges");
            window.slide(time, time + 1, none, |batch| tracked.apply(batch)).expect("applied");
            assert_eq!((window.arrivals(), window.arrived_edges()), (0, 0));
            assert!(arcs_of(tracked.graph()).is_empty());
        }
        assert!(refused > 20 && expired > 20, "{refused} refused, {expired} steps with expiry");
    }
}

#[test]
fn of_slabs() {
    check::<Adjacency>(Direction::Directed, |_| ());
    check::<Adjacency<u32>>(Direction::Undirected, |bits| bits);
}

#[test]
fn of_compact_slabs() {
    check::<CompactEdges<f32>>(Direction::Directed, |bits| bits as f32);
    check::<CompactEdges>(Direction::Undirected, |_| ());
}

#[test]
fn of_block_arrays() {
    check::<BlockEdges<u32>>(Direction::Directed, |bits| bits);
    check::<BlockEdges>(Direction::Undirected, |_| ());
}

#[test]
fn what_cannot_arrive_leaves_window_and_graph_as_they_were() {
    for device in devices() {
        let edge = |src, dst| Edge { src, dst, weight: () };
        let arriving = |edges: &[Edge]| DeviceBuffer::from_slice(&device, edges).expect("edges");
        let mut graph = SlabGraph::from_edges(&device, 3, &[], &BOTH).expect("a graph");
        let mut window = Window::of(&graph).expect("a window");
        window.slide(5, 0, arriving(&[edge(0, 1)]), |batch| graph.apply(batch)).expect("applied");
        let early = window.slide(4, 0, arriving(&[edge(1, 2)]), |batch| graph.apply(batch));
        let error = early.expect_err("too early");
        assert!(matches!(error.kind(), ErrorKind::TimeGoesBack { time: 4, last: 5 }), "{error}");
        let outside = arriving(&[edge(1, 2), edge(1, 3)]);
        let error = window.slide(9, 9, outside, |batch| graph.apply(batch)).expect_err("outside");
        assert!(matches!(error.kind(), ErrorKind::VertexOutOfRange { index: 1, .. }), "{error}");
        assert_eq!(graph.to_edges().expect("edges"), [edge(0, 1)]);
        graph.delete_vertices(&[2]).expect("a vertex");
        let deleted = arriving(&[edge(1, 0), edge(1, 2)]);
        let error = window.slide(9, 9, deleted, |batch| graph.apply(batch)).expect_err("deleted");
        assert!(matches!(error.kind(), ErrorKind::VertexDeleted { .. }), "{error}");
        assert_eq!((window.arrivals(), window.edge_count().expect("a count")), (1, 1));
        assert_eq!(graph.to_edges().expect("edges"), [edge(0, 1)]);
        assert_eq!(graph.insert_vertices(2).expect("vertices"), [2, 3]);
        window.grow(4).expect("room");
        let grown = arriving(&[edge(1, 3)]);
        window.slide(9, 9, grown, |batch| graph.apply(batch)).expect("applied");
        assert_eq!(graph.to_edges().expect("edges"), [edge(1, 3)]);
    }
}

/// Each attempt that failed left tombstones in hubs that were not full before, so others were full
/// in the next: lists were laid out with four times the room each time, up to gigabytes.
#[test]
fn batches_that_change_weights_at_many_hubs_take_no_more_memory_each_time() {
    let device = Device::cpu();
    let mut rng = fastrand::Rng::with_seed(3);
    let mut graph = CompactGraph::<u32>::from_edges(&device, 400, &[], &BOTH).expect("a graph");
    let mut model = BTreeMap::new();
    let (mut least, mut most) = (u64::MAX, 0);
    for round in 0..40u32 {
        let mut batch = Batch::new();
        for _ in 0..1500 {
            let edge = Edge { src: rng.u32(0..60), dst: rng.u32(0..400), weight: round };
            batch.push(Update::Insert(edge));
            model.insert((edge.src, edge.dst), round);
        }
        let old: Vec<_> =
            model.iter().filter(|(_, of)| **of + 6 < round).map(|(k, _)| *k).collect();
        for (src, dst) in old {
            batch.push(Update::Delete(Edge { src, dst, weight: 0 }));
            model.remove(&(src, dst));
        }
        graph.apply(&batch).expect("applied");
        let expected = model.iter().map(|(&(src, dst), &weight)| (src, dst, weight));
        assert!(arcs_of(&graph).into_iter().eq(expected), "round {round}");
        if round >= 8 {
            (least, most) = (graph.bytes().min(least), graph.bytes().max(most));
        }
    }
    graph.check_invariants().expect("invariants");
    assert!(most < 4 * least, "from {least} to {most} bytes");
}
