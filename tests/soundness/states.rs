//! States of algorithms that are asked about another graph, and edges that no graph has.

use super::{checked_devices, edge, refused, ring};
use meerkat::algos::bfs::Bfs;
use meerkat::algos::pagerank::{Method, Options, PageRank};
use meerkat::algos::sssp::Sssp;
use meerkat::algos::triangles::Triangles;
use meerkat::algos::truss::KTruss;
use meerkat::algos::wcc::{Components, IncrementalComponents, Scheme};
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;
use meerkat::runtime::dynamic::{Answers, VertexAnswers};
use meerkat::runtime::neighbors::Shape;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// Edges that name a vertex far outside the graph, at either end, beside one that is in it.
fn outside(device: &Device) -> DeviceBuffer<Edge> {
    let far = 3_000_000_000;
    let edges = [edge(0, far), edge(far, 0), edge(far, far + 1), edge(0, 5)];
    DeviceBuffer::from_slice(device, &edges).expect("memory")
}

/// What follows batches is handed edges outside the graph, and a graph that is not its own.
fn is_safe<A: DynamicAlgorithm<SlabGraph>>(algorithm: &A, device: &Device) {
    let (graph, larger) = (both_ways(device, 10), both_ways(device, 20));
    let mut state = algorithm.compute(&graph).expect("a state");
    let edges = outside(device);
    algorithm.on_insert(&mut state, &graph, &edges).expect("edges outside are left out");
    algorithm.on_delete(&mut state, &graph, &edges).expect("edges outside are left out");
    algorithm.finish_batch(&mut state, &graph).expect("what was left out changes nothing");
    device.synchronize().expect("no fault");

    let mut state = algorithm.compute(&graph).expect("a state");
    let inserted = DeviceBuffer::from_slice(device, &[edge(15, 3)]).expect("memory");
    let error = refused(algorithm.on_insert(&mut state, &larger, &inserted), "another graph");
    let is_told =
        matches!(error.kind(), ErrorKind::StateOfAnotherGraph { vertices: 10, of_graph: 20 });
    assert!(is_told, "{error}");
    let mut state = algorithm.compute(&larger).expect("a state");
    // What computes anew then has a state of the smaller graph.
    match algorithm.on_grow(&mut state, &graph, 20) {
        Ok(()) => algorithm.on_insert(&mut state, &graph, &edges).expect("its own graph"),
        Err(error) => assert!(matches!(error.kind(), ErrorKind::StateOfAnotherGraph { .. })),
    }
}

/// An error by name, and not that of a kernel which was at memory that is not the state's.
fn is_of_another_graph<T>(result: Result<T, Error>) {
    let error = refused(result, "another graph");
    assert!(matches!(error.kind(), ErrorKind::StateOfAnotherGraph { .. }), "{error}");
}

fn both_ways(device: &Device, vertices: u32) -> SlabGraph {
    let edges: Vec<_> = (0..vertices).map(|v| edge(v, (v + 1) % vertices)).collect();
    let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
    SlabGraph::from_edges(device, vertices, &edges, &options).expect("a graph")
}

#[test]
fn edges_outside_the_graph_and_other_graphs_harm_no_state() {
    let method = Method::DynamicFrontierPruning { frontier_tolerance: 1e-6, prune_tolerance: 1e-6 };
    for device in checked_devices() {
        is_safe(&Bfs::from_source(0), &device);
        is_safe(&Components, &device);
        is_safe(&Triangles, &device);
        is_safe(&KTruss::new(3), &device);
        is_safe(&PageRank::<f64>::new(Options::default(), method), &device);
    }
}

#[test]
fn lengths_and_schemes_are_those_of_their_graph() {
    for device in checked_devices() {
        let of = |vertices| {
            let edges = [Edge { src: 0, dst: 1, weight: 3 }];
            let options = SlabOptions { track_updates: true, ..SlabOptions::DEFAULT };
            SlabGraph::<u32>::from_edges(&device, vertices, &edges, &options).expect("a graph")
        };
        let (graph, larger) = (of(4), of(9));
        let far = [Edge { src: 0, dst: 4_000_000_000, weight: 1 }];
        let far = DeviceBuffer::from_slice(&device, &far).expect("memory");
        let sssp = Sssp::from_source(0);
        let mut state = sssp.compute(&graph).expect("a tree");
        sssp.on_insert(&mut state, &graph, &far).expect("left out");
        sssp.on_delete(&mut state, &graph, &far).expect("left out");
        is_of_another_graph(sssp.on_delete(&mut state, &larger, &far));
        for scheme in [Scheme::SlabIterator, Scheme::UpdateIterator] {
            let components = IncrementalComponents::new(scheme);
            let mut state = components.compute(&graph).expect("components");
            is_of_another_graph(components.on_insert(&mut state, &larger, &far));
            is_of_another_graph(components.finish_batch(&mut state, &larger));
        }
        device.synchronize().expect("no fault");
    }
}

#[test]
fn answers_for_vertices_that_the_state_does_not_have_read_nothing() {
    for device in checked_devices() {
        let (graph, larger) = (both_ways(&device, 10), both_ways(&device, 200));
        let bfs = Bfs::from_source(0);
        let tree = bfs.compute(&graph).expect("a tree");
        let found = Answers::of(&larger, &bfs, &tree).look_up(&[1, 199]).expect("no fault");
        assert_eq!(found[0].distance, 1);
        let components = Components.compute(&graph).expect("components");
        Answers::of(&larger, &Components, &components).look_up(&[199]).expect("no fault");
        let triangles = Triangles.compute(&graph).expect("triangles");
        Answers::of(&larger, &Triangles, &triangles).to_buffer().expect("no fault");
        let ranks = PageRank::<f64>::new(Options::default(), Method::NaiveDynamic);
        let state = ranks.compute(&graph).expect("ranks");
        let vertices = DeviceBuffer::from_slice(&device, &[199, 0]).expect("memory");
        let mut answers = DeviceBuffer::<f64>::zeroed(&device, 2).expect("memory");
        let written =
            VertexAnswers::<SlabGraph>::write_answers(&ranks, &state, &vertices, &mut answers);
        written.expect("no fault");
        let found = answers.to_vec().expect("memory");
        assert_eq!(found[0], 0.0);
        assert!((found[1] - 0.1).abs() < 1e-9, "{found:?}");
    }
}

/// Vertices in a row, whose container keeps what its host code is shown.
#[device_view(PathBuffers)]
pub struct Path {
    pub next: &[u32],
}

static SHOWN: Mutex<Vec<Path>> = Mutex::new(Vec::new());

#[device]
impl Neighbors for Path {
    type Carried = ();
    type Lists = u32;
    type Chunk = u32;

    fn degree_of(&self, _v: u32) -> u32 {
        1
    }
    fn lists_of(&self, v: u32) -> u32 {
        v
    }
    fn count_lists(&self, _v: u32) -> u32 {
        1
    }
    fn first_chunk(&self, v: u32, _list: u32) -> u32 {
        v
    }
    fn is_chunk(&self, v: u32) -> bool {
        v != u32::MAX
    }
    fn words_of(&self, _v: u32) -> u32 {
        4
    }
    fn read_word(&self, v: u32, place: u32) -> u32 {
        select(place == 0, self.next[v], u32::MAX)
    }
    fn is_neighbor_at(&self, _v: u32, _place: u32, word: u32) -> bool {
        word != u32::MAX
    }
    fn weight_at(&self, _v: u32, _place: u32) {}
    fn next_chunk(&self, _v: u32, _link: u32) -> u32 {
        u32::MAX
    }
    fn find(&self, src: u32, dst: u32) -> u64 {
        select(self.next[src] == dst, 0u64, NOT_FOUND)
    }
    #[host]
    fn shape(&self) -> Shape {
        SHOWN.lock().expect("no panic").push(*self);
        Shape { vertices: self.next.len(), average_degree: 1, most_lists: 1 }
    }
}

#[vertex_operator]
fn follow<G: Neighbors>(v: Vertex, graph: &G, next: &mut [u32]) {
    let mut found = u32::MAX;
    for_each_neighbor(graph, v, true, |dst| {
        found = found.min(dst);
    });
    next[v] = found;
}

/// It used to be shown the memory itself, and could read and write it after its owner was gone.
#[test]
fn a_container_cannot_keep_the_memory_that_its_host_code_is_shown() {
    for device in checked_devices() {
        let next = DeviceBuffer::from_slice(&device, &[1, 2, 3, 0]).expect("memory");
        let mut found = DeviceBuffer::<u32>::zeroed(&device, 4).expect("memory");
        follow::launch(&device, 0..4, PathBuffers { next: &next }, &mut found).expect("a launch");
        assert_eq!(found.to_vec().expect("memory"), [1, 2, 3, 0]);
        let shown = SHOWN.lock().expect("no panic").pop().expect("it was asked for its shape");
        assert_eq!(shown.next.len(), 4);
        let read = catch_unwind(|| shown.next[1]);
        assert!(read.is_err(), "nothing is seen");
        let mut kept = shown;
        let written = catch_unwind(AssertUnwindSafe(|| kept.next[1] = 7));
        assert!(written.is_err(), "nothing is written");
        let error =
            refused(follow::launch(&device, 0..4, shown, &mut found), "a view that was kept");
        assert!(matches!(error.kind(), ErrorKind::ViewStored { .. }), "{error}");
        assert_eq!(next.to_vec().expect("memory"), [1, 2, 3, 0]);
        super::assert_is_ring(&ring(&device, 5), 5);
    }
}
