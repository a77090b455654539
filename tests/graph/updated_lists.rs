//! Compact slabs and block arrays beside an ordered map: built, grown, deleted from, with hubs.

use crate::hashes::{buckets_for, in_buckets};
use crate::support::{devices, say};
use meerkat::prelude::*;
use meerkat::runtime::graph::Adjacency;
use meerkat::runtime::{BlockEdges, BlockOptions, CompactEdges};
use std::collections::{BTreeMap, BTreeSet};

type Map<W> = BTreeMap<(u32, u32), W>;

/// What an edge carries in a test.
trait Sample: Weight + PartialEq + std::fmt::Debug {
    fn of(number: u32) -> Self;
}

impl Sample for () {
    fn of(_: u32) {}
}

impl Sample for u32 {
    fn of(number: u32) -> u32 {
        // Any bits, those of marks included.
        if number.is_multiple_of(5) { u32::MAX } else { number.wrapping_mul(0x9e37_79b9) }
    }
}

impl Sample for f32 {
    fn of(number: u32) -> f32 {
        number as f32 / 4.0 - 9.0
    }
}

struct Case<L: EdgeLists> {
    device: Device,
    graph: DynamicGraph<L>,
    map: Map<L::Carried>,
    direction: Direction,
}

impl<L: EdgeLists<Carried = W>, W: Sample> Case<L> {
    fn new(device: &Device, vertices: u32, edges: &[Edge<W>], options: SlabOptions) -> Self {
        let graph =
            DynamicGraph::<L>::from_edges(device, vertices, edges, &options).expect("a graph");
        let (device, direction) = (device.clone(), options.direction);
        let mut case = Case { device, graph, map: Map::new(), direction };
        edges.iter().for_each(|edge| case.put(edge));
        case
    }

    fn arcs(&self, edge: &Edge<W>) -> Vec<(u32, u32)> {
        match self.direction {
            Direction::Directed => vec![(edge.src, edge.dst)],
            Direction::Undirected => vec![(edge.src, edge.dst), (edge.dst, edge.src)],
        }
    }

    fn put(&mut self, edge: &Edge<W>) {
        for arc in self.arcs(edge) {
            self.map.insert(arc, edge.weight);
        }
    }

    fn insert(&mut self, edges: &[Edge<W>]) {
        let list = DeviceBuffer::from_slice(&self.device, edges).expect("memory");
        self.graph.insert_buffer(&list).expect("room");
        edges.iter().for_each(|edge| self.put(edge));
    }

    fn delete(&mut self, edges: &[Edge<W>]) {
        let list = DeviceBuffer::from_slice(&self.device, edges).expect("memory");
        self.graph.delete_buffer(&list).expect("no error");
        for edge in edges {
            for arc in self.arcs(edge) {
                self.map.remove(&arc);
            }
        }
    }

    #[track_caller]
    fn check(&self, step: &str) {
        let edges = self.graph.to_edges().expect("no error");
        let found: Vec<_> = edges.iter().map(|e| ((e.src, e.dst), e.weight)).collect();
        let wanted: Vec<_> = self.map.iter().map(|(&arc, &weight)| (arc, weight)).collect();
        assert_eq!(found.len(), wanted.len(), "{step} on {}", self.device.name());
        assert!(found == wanted, "{step} on {}", self.device.name());
        // Those that are there, and some that may not be.
        let asked: Vec<_> = edges
            .iter()
            .step_by(7)
            .flat_map(|e| [(e.src, e.dst), (e.dst, e.src), (e.src, e.dst / 2)])
            .map(|(src, dst)| Edge { src, dst, weight: W::of(0) })
            .collect();
        let there = self.graph.contains(&asked).expect("no error");
        for (edge, is_there) in asked.iter().zip(there) {
            let is_wanted = self.map.contains_key(&(edge.src, edge.dst));
            assert_eq!(is_there, is_wanted, "{edge:?}, {step} on {}", self.device.name());
        }
    }
}

/// Edges in which low vertices are hubs; each once.
fn skewed<W: Sample>(random: &mut fastrand::Rng, vertices: u32, count: usize) -> Vec<Edge<W>> {
    let mut one = || {
        let src = (vertices as f32 * random.f32().powi(4)) as u32;
        let dst = random.u32(0..vertices);
        (src.min(dst), src.max(dst))
    };
    let arcs: BTreeSet<_> = (0..count).map(|_| one()).collect();
    let mut edges: Vec<_> = arcs
        .into_iter()
        .map(|(src, dst)| Edge { src, dst, weight: W::of(src * 31 + dst + count as u32) })
        .collect();
    random.shuffle(&mut edges);
    edges
}

fn grow_and_shrink<L: EdgeLists<Carried: Sample>>(
    device: &Device,
    options: SlabOptions,
    seed: u64,
) {
    let mut random = fastrand::Rng::with_seed(seed);
    let vertices = 1500;
    for first in [0, 900, 9000] {
        let built = skewed(&mut random, vertices, first);
        let mut case = Case::<L>::new(device, vertices, &built, options);
        case.check("built");
        for step in 0..5 {
            let more = skewed(&mut random, vertices, 500 << step);
            case.insert(&more);
            case.check(&format!("{first} edges, inserted in step {step}"));
            let mut gone = skewed(&mut random, vertices, 300);
            gone.extend(more.iter().step_by(3).copied());
            case.delete(&gone);
            case.check(&format!("{first} edges, deleted in step {step}"));
        }
    }
}

#[test]
fn lists_grow_from_records_to_hubs_and_lose_edges_again() {
    for device in devices::devices() {
        for (seed, orientation) in (0..).zip([Orientation::Out, Orientation::In, Orientation::Both])
        {
            let options = SlabOptions::DEFAULT.oriented(orientation);
            grow_and_shrink::<CompactEdges>(&device, options, seed);
            grow_and_shrink::<CompactEdges<u32>>(&device, options, seed + 10);
            grow_and_shrink::<BlockEdges>(&device, options, seed);
            grow_and_shrink::<BlockEdges<u32>>(&device, options, seed + 10);
        }
        let undirected = SlabOptions::DEFAULT.undirected();
        grow_and_shrink::<CompactEdges>(&device, undirected, 3);
        grow_and_shrink::<CompactEdges<f32>>(&device, undirected, 13);
        grow_and_shrink::<BlockEdges>(&device, undirected, 3);
        grow_and_shrink::<BlockEdges<f32>>(&device, undirected, 13);
        say(&format!("compact slabs and block arrays grow and shrink, on {}", device.name()));
    }
}

fn grow_a_hub<L: EdgeLists<Carried = ()>>(device: &Device) {
    let edge = |dst: u32| Edge { src: 7, dst, weight: () };
    let mut case = Case::<L>::new(device, 300_000, &[], SlabOptions::DEFAULT);
    for batch in 0..20 {
        let edges: Vec<_> = (0..10_000).map(|i| edge(batch * 10_000 + i)).collect();
        case.insert(&edges);
    }
    case.check("grown");
}

#[test]
fn a_hub_of_200_000_edges_grows_by_batches() {
    for device in devices::devices() {
        grow_a_hub::<CompactEdges>(&device);
        grow_a_hub::<BlockEdges>(&device);
    }
}

/// Neighbours of the vertex 7, and no weights.
fn at_hub(keys: impl IntoIterator<Item = u32>) -> Vec<Edge> {
    keys.into_iter().map(|dst| Edge { src: 7, dst, weight: () }).collect()
}

/// Keys whose hashes lie in the first of 1024 parts: they begin in the same bucket of a hub.
fn of_one_hash(below: u32, count: usize, hash: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..below).filter(|&key| hash(key) < 1 << 22).take(count).collect()
}

fn hold_one_hash<L: EdgeLists<Carried = ()>>(device: &Device) {
    let buckets = buckets_for::<()>(600);
    let keys = of_one_hash(700_000, 600, |key| in_buckets(key, buckets));
    assert_eq!(keys.len(), 600);
    let mut case = Case::<L>::new(device, 700_000, &[], SlabOptions::DEFAULT);
    case.insert(&at_hub(keys.iter().copied()));
    case.check("of one hash");
    case.insert(&at_hub((0..3000).map(|i| i * 97)));
    case.check("and others");
    case.delete(&at_hub(keys.into_iter().step_by(2)));
    case.check("half of them deleted");
}

// A search once went 32 buckets on at most, so no layout had room for these, and insertion did
// not end.
#[test]
fn more_neighbours_of_one_hash_than_32_buckets_hold_all_find_a_place() {
    for device in devices::devices() {
        hold_one_hash::<CompactEdges>(&device);
        hold_one_hash::<BlockEdges>(&device);
    }
}

fn come_and_go<L: EdgeLists<Carried = ()>>(device: &Device) {
    let mut case = Case::<L>::new(device, 100_000, &[], SlabOptions::DEFAULT);
    let keys = |round: u32| at_hub((0..600).map(move |i| (round * 601 + i * 7) % 100_000));
    let mut most = 0;
    for round in 0..60 {
        case.insert(&keys(round));
        case.delete(&keys(round));
        if round < 20 {
            most = most.max(case.graph.bytes());
        }
    }
    case.insert(&keys(3));
    case.check("after 60 rounds");
    // Its tombstones go, and its buckets are used again.
    assert!(case.graph.bytes() <= most, "{} after {most}", case.graph.bytes());
}

#[test]
fn a_hub_whose_neighbours_come_and_go_keeps_its_memory() {
    for device in devices::devices() {
        come_and_go::<CompactEdges>(&device);
        come_and_go::<BlockEdges>(&device);
    }
}

fn complete_later<L: EdgeLists<Carried = u32>>(device: &Device) {
    let mut random = fastrand::Rng::with_seed(5);
    let mut case = Case::<L>::new(device, 4000, &[], SlabOptions::DEFAULT);
    let edges = skewed::<u32>(&mut random, 4000, 60_000);
    let list = DeviceBuffer::from_slice(device, &edges).expect("memory");
    case.graph.queue_insertions(&list).expect("no error");
    case.graph.reserve(1000).expect("memory");
    let others = skewed::<u32>(&mut random, 4000, 2000);
    case.graph
        .queue_insertions(&DeviceBuffer::from_slice(device, &others).expect("memory"))
        .expect("no error");
    case.insert(&edges);
    case.insert(&others);
    case.check("completed");
}

// What was asked for in vain once stood between the slabs that were mapped later and who needed
// them.
#[test]
fn an_insertion_without_room_that_nobody_waited_for_is_completed_later() {
    for device in devices::devices() {
        complete_later::<CompactEdges<u32>>(&device);
        complete_later::<BlockEdges<u32>>(&device);
    }
}

#[test]
fn a_graph_of_no_vertices_and_one_of_too_many_are_no_panic() {
    for device in devices::devices() {
        let none = CompactGraph::<()>::from_edges(&device, 0, &[], &SlabOptions::DEFAULT);
        assert_eq!(none.expect("a graph").to_edges().expect("no error"), []);
        let edge = Edge { src: 3, dst: 0, weight: () };
        let outside = CompactGraph::from_edges(&device, 3, &[edge], &SlabOptions::DEFAULT);
        assert!(outside.expect_err("outside").to_string().contains('3'));
        let many = CompactGraph::<()>::from_edges(&device, 1 << 31, &[], &SlabOptions::DEFAULT);
        assert!(many.expect_err("too many").to_string().contains("take a SlabGraph"));
        let none = BlockGraph::<()>::from_edges(&device, 0, &[], &SlabOptions::DEFAULT);
        assert_eq!(none.expect("a graph").to_edges().expect("no error"), []);
        let block = BlockOptions { least: 3, ..BlockOptions::DEFAULT };
        let odd = SlabOptions { block, ..SlabOptions::DEFAULT };
        let odd = BlockGraph::from_edges(&device, 3, &[edge], &odd);
        assert!(odd.expect_err("no such block").to_string().contains("power of two"));
    }
}

/// Whether each vertex has an edge to what is no vertex.
#[vertex_operator]
fn ask_for_none<G: Neighbors>(v: Vertex, graph: &G, found: &mut [u32]) {
    found[v] = has_edge(graph, v, u32::MAX) as u32 + has_edge(graph, v, u32::MAX - 1) as u32;
}

#[track_caller]
fn none_is_found<L: EdgeLists<Carried: Sample>>(device: &Device) {
    // Of no neighbours, of one to 20, and of a hub.
    let degrees = (1..=20).chain([700]);
    let lists = (1u32..).zip(degrees).flat_map(|(src, degree)| (0..degree).map(move |i| (src, i)));
    let edges: Vec<_> =
        lists.map(|(src, dst)| Edge { src, dst, weight: L::Carried::of(dst) }).collect();
    let graph =
        DynamicGraph::<L>::from_edges(device, 800, &edges, &SlabOptions::DEFAULT).expect("a graph");
    let mut found = DeviceBuffer::zeroed(device, 800).expect("memory");
    let lists = graph.out_edges().expect("out-edges");
    ask_for_none::launch(device, 0..800, lists.arg(), &mut found).expect("a launch");
    assert_eq!(found.to_vec().expect("a copy"), vec![0; 800], "on {}", device.name());
}

/// In block arrays the end of a list was taken for a neighbour `u32::MAX`.
#[test]
fn what_is_no_vertex_is_nobodys_neighbour() {
    for device in devices::devices() {
        none_is_found::<Adjacency>(&device);
        none_is_found::<Adjacency<u32>>(&device);
        none_is_found::<CompactEdges>(&device);
        none_is_found::<CompactEdges<u32>>(&device);
        none_is_found::<BlockEdges>(&device);
        none_is_found::<BlockEdges<u32>>(&device);
    }
}
