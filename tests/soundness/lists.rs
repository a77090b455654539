//! Ids in lists: of frontiers and of edges.

use super::support::devices::devices;
use super::{checked_devices, edge, refused, ring};
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;
use std::borrow::Borrow;
use std::cell::Cell;

#[vertex_operator]
fn number(v: Vertex, out: &mut [u32]) {
    out[v] = out[v] + 1;
}

#[vertex_operator]
fn enqueue_twice(v: Vertex, next: &Frontier<Vertex>) {
    warp_enqueue_frontier(next, v, true);
    warp_enqueue_frontier(next, v, true);
}

#[vertex_operator]
fn degrees(v: Vertex, graph: &Graph, out: &[Atomic<u32>]) {
    out[0].fetch_add(out_degree(graph, v));
}

#[edge_operator]
fn count(arc: Edge<()>, out: &[Atomic<u32>]) {
    out[arc.dst].fetch_add(1);
}

#[test]
fn an_item_listed_twice_is_refused_where_each_writes_its_own() {
    for device in checked_devices() {
        let frontiers = Frontiers::new(&device, 64, &[7, 1, 3, 1]).expect("memory");
        let mut out = DeviceBuffer::<u32>::zeroed(&device, 64).expect("memory");
        let error = refused(number::launch(&device, frontiers.current(), &mut out), "the list");
        assert!(matches!(error.kind(), ErrorKind::RepeatedItem { item: 1 }));
        assert_eq!(out.to_vec().expect("memory"), [0; 64], "nothing was written");
        let frontiers = Frontiers::new(&device, 64, &[7, 1, 3]).expect("memory");
        number::launch(&device, frontiers.current(), &mut out).expect("each once");
    }
}

#[test]
fn an_item_that_was_enqueued_twice_is_refused() {
    for device in checked_devices() {
        let mut frontiers = Frontiers::new(&device, 64, &[5]).expect("memory");
        enqueue_twice::launch(&device, frontiers.current(), frontiers.next()).expect("a launch");
        assert_eq!(frontiers.advance().expect("it fits"), 2);
        let mut out = DeviceBuffer::<u32>::zeroed(&device, 64).expect("memory");
        let error = refused(number::launch(&device, frontiers.current(), &mut out), "the list");
        assert!(matches!(error.kind(), ErrorKind::RepeatedItem { item: 5 }));
    }
}

#[test]
fn a_listed_vertex_that_the_graph_does_not_have_stops_the_launch() {
    for device in checked_devices() {
        let graph = ring(&device, 10);
        let out = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 1).expect("memory");
        for outside in [10, 1 << 20, u32::MAX] {
            let frontiers = Frontiers::new(&device, 4, &[outside]).expect("memory");
            let launched = degrees::launch(&device, frontiers.current(), &graph, &out);
            let error = refused(launched, "the vertex");
            assert!(matches!(error.kind(), ErrorKind::Trap { .. }));
        }
    }
}

#[test]
fn an_edge_that_ends_outside_a_slice_stops_the_launch() {
    for device in checked_devices() {
        let arcs = [edge(0, 3), edge(0, 4_000_000_000)];
        let arcs = DeviceBuffer::from_slice(&device, &arcs).expect("memory");
        let out = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 8).expect("memory");
        let error = refused(count::launch(&device, &arcs, &out), "the edge");
        assert!(matches!(error.kind(), ErrorKind::Trap { .. }));
    }
}

#[test]
fn a_frontier_that_is_too_short_is_an_error_and_not_memory_of_others() {
    for device in devices() {
        let mut frontiers = Frontiers::new(&device, 3, &[0, 1, 2]).expect("memory");
        enqueue_twice::launch(&device, frontiers.current(), frontiers.next()).expect("a launch");
        let error = refused(frontiers.advance(), "the overflow");
        assert!(matches!(error.kind(), ErrorKind::FrontierOverflow { enqueued: 6, capacity: 3 }));
        assert!(frontiers.is_empty());
    }
}

#[test]
fn a_frontier_whose_count_could_wrap_is_not_made() {
    for device in devices() {
        let error = refused(Frontiers::<u32>::new(&device, u32::MAX, &[]), "the capacity");
        assert!(matches!(error.kind(), ErrorKind::BufferTooLong { .. }));
        let error = refused(LevelQueue::<u32>::new(&device, u32::MAX), "the capacity");
        assert!(matches!(error.kind(), ErrorKind::BufferTooLong { .. }));
    }
}

/// A list that is another from the second look on.
struct Shifting {
    first: DeviceBuffer<Edge>,
    then: DeviceBuffer<Edge>,
    looks: Cell<u32>,
}

impl Shifting {
    fn new(device: &Device) -> Self {
        let list = |edges: &[Edge]| DeviceBuffer::from_slice(device, edges).expect("memory");
        let (first, then) = (list(&[edge(0, 1)]), list(&[edge(7_000_000, 7_000_000)]));
        Shifting { first, then, looks: Cell::new(0) }
    }
}

impl Borrow<DeviceBuffer<Edge>> for Shifting {
    fn borrow(&self) -> &DeviceBuffer<Edge> {
        self.looks.set(self.looks.get() + 1);
        if self.looks.get() == 1 { &self.first } else { &self.then }
    }
}

/// The list that was checked was not the one that was built of.
#[test]
fn a_list_that_is_another_at_the_second_look_is_looked_at_once() {
    for device in devices() {
        let options = SlabOptions::DEFAULT;
        let parts = [Shifting::new(&device)];
        let graph = SlabGraph::<()>::from_buffers(&device, 3, &parts, &options).expect("a graph");
        assert_eq!(graph.to_edges().expect("edges"), [edge(0, 1)]);
        let part = |_| Ok(Shifting::new(&device));
        let graph = BlockGraph::<()>::from_parts(&device, 3, 1, part, &options).expect("a graph");
        assert_eq!(graph.to_edges().expect("edges"), [edge(0, 1)]);
    }
}
