//! The slab graph against an ordered map from edges to weights.

use crate::support::devices::devices;
use meerkat::prelude::*;
use meerkat::runtime::{ErrorKind, Weight};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Sums over a vertex's neighbours that tell most sets of them apart.
#[vertex_operator]
fn fingerprint<W: Weight>(
    v: Vertex,
    graph: &Graph<W>,
    count: &[Atomic<u32>],
    sum: &[Atomic<u64>],
    least: &[Atomic<u32>],
    most: &[Atomic<u32>],
) {
    for_each_neighbor(graph, v, true, |dst, weight| {
        let mixed = (dst + 1) as u64 * 0x9e37_79b9_7f4a_7c15;
        count[v].fetch_add(1);
        sum[v].fetch_add((mixed ^ mixed >> 29) * (weight.to_bits() as u64 * 2 + 1));
        least[v].fetch_min(dst);
        most[v].fetch_max(dst);
    });
}

/// The same on the host.
fn fingerprint_of<W: Weight>(neighbors: &[(u32, W)]) -> (u32, u64, u32, u32) {
    let mix = |&(dst, weight): &(u32, W)| {
        let mixed = u64::from(dst + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(u64::from(weight.to_bits()) * 2 + 1)
    };
    let ids = || neighbors.iter().map(|&(dst, _)| dst);
    (
        neighbors.len() as u32,
        neighbors.iter().map(mix).fold(0, u64::wrapping_add),
        ids().min().unwrap_or(u32::MAX),
        ids().max().unwrap_or(0),
    )
}

const LAYOUTS: [SlabOptions; 6] = {
    const fn options(load_factor: f32, hashing: bool) -> SlabOptions {
        SlabOptions { load_factor, hashing, ..SlabOptions::DEFAULT }
    }
    [
        options(0.1, true),
        options(0.7, true),
        options(1.0, true),
        options(0.1, false),
        options(0.7, false),
        options(1.0, false),
    ]
};

/// Builds the graph in every layout on every device and compares all that can
/// be asked of it with a map.
#[track_caller]
fn check<W: Weight + Debug>(vertices: u32, edges: &[Edge<W>]) {
    let mut model: BTreeMap<(u32, u32), W> = BTreeMap::new();
    for edge in edges {
        model.insert((edge.src, edge.dst), edge.weight);
    }
    let mut neighbors = vec![Vec::new(); vertices as usize];
    model.iter().for_each(|(&(src, dst), &weight)| neighbors[src as usize].push((dst, weight)));
    let expected: Vec<_> = neighbors.iter().map(|list| fingerprint_of(list)).collect();
    let asked = asked(vertices, edges);
    let present: Vec<_> =
        asked.iter().map(|edge| model.contains_key(&(edge.src, edge.dst))).collect();

    for device in devices() {
        for options in LAYOUTS {
            let place = format!("{} with {options:?}", device.name());
            let graph = SlabGraph::from_edges(&device, vertices, edges, &options)
                .unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(graph.vertex_count(), vertices, "{place}");
            assert_eq!(graph.edge_count().expect("a count"), model.len() as u64, "{place}");
            let degrees: Vec<_> = expected.iter().map(|found| found.0).collect();
            assert_eq!(graph.out_degrees().expect("degrees"), degrees, "{place}");
            assert_eq!(graph.contains(&asked).expect("answers"), present, "{place}");
            assert_eq!(visited(&device, &graph), expected, "{place}");
        }
    }
}

/// Every edge, and for each one that may not be there.
fn asked<W: Weight>(vertices: u32, edges: &[Edge<W>]) -> Vec<Edge<W>> {
    let near = |edge: &Edge<W>| {
        let Edge { src, dst, weight } = *edge;
        [
            *edge,
            Edge { src: dst, dst: src, weight },
            Edge { src, dst: (dst + 1) % vertices, weight: W::ZERO },
        ]
    };
    edges.iter().flat_map(near).collect()
}

fn visited<W: Weight>(device: &Device, graph: &SlabGraph<W>) -> Vec<(u32, u64, u32, u32)> {
    let n = graph.vertex_count() as usize;
    let count = DeviceBuffer::<Atomic<u32>>::zeroed(device, n).expect("memory");
    let sum = DeviceBuffer::<Atomic<u64>>::zeroed(device, n).expect("memory");
    let least = DeviceBuffer::<Atomic<u32>>::filled(device, n, u32::MAX).expect("memory");
    let most = DeviceBuffer::<Atomic<u32>>::zeroed(device, n).expect("memory");
    fingerprint::launch(device, 0..n as u32, graph, &count, &sum, &least, &most).expect("a run");
    let (count, sum) = (count.to_vec().expect("a copy"), sum.to_vec().expect("a copy"));
    let (least, most) = (least.to_vec().expect("a copy"), most.to_vec().expect("a copy"));
    (0..n).map(|v| (count[v], sum[v], least[v], most[v])).collect()
}

/// `count` random edges, about a quarter of them repeated.
fn random_edges<W: Weight>(vertices: u32, count: usize, weight: impl Fn(u32) -> W) -> Vec<Edge<W>> {
    let mut state = u64::from(vertices) | 1;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let mut edges: Vec<Edge<W>> = Vec::new();
    while edges.len() < count {
        let (src, dst, more) = (next() % vertices, next() % vertices, next());
        let edge = match more % 4 {
            // Again, with another weight.
            0 if !edges.is_empty() => edges[more as usize / 4 % edges.len()],
            1 if more % 32 == 1 => Edge { src, dst: src, weight: W::ZERO },
            _ => Edge { src, dst, weight: W::ZERO },
        };
        edges.push(Edge { weight: weight(next()), ..edge });
    }
    edges
}

#[test]
fn random_graph_200v_3000e_with_repeats_and_self_loops() {
    check(200, &random_edges(200, 3000, |_| ()));
}

#[test]
fn sparse_random_graph_5000v_4000e() {
    check(5000, &random_edges(5000, 4000, |_| ()));
}

#[test]
fn dense_graph_40v_all_1600e() {
    let all = (0..1600).map(|i| Edge { src: i / 40, dst: i % 40, weight: () });
    check(40, &all.collect::<Vec<_>>());
}

#[test]
fn random_graph_200v_3000e_keeps_the_last_u32() {
    check(200, &random_edges(200, 3000, |bits| bits));
}

#[test]
fn random_graph_200v_3000e_keeps_the_last_i32() {
    check(200, &random_edges(200, 3000, |bits| bits as i32 - 1_000_000_000));
}

#[test]
fn random_graph_200v_3000e_keeps_the_last_f32() {
    check(200, &random_edges(200, 3000, |bits| bits as f32 / 7.0));
}

#[test]
fn weights_with_the_bits_of_the_slabs_marks_20v() {
    let marks = [u32::MAX, u32::MAX - 1, u32::MAX - 2, 0];
    let edge = |i: u32| Edge { src: i / 20, dst: i % 20, weight: marks[i as usize % 4] };
    check(20, &(0..400).map(edge).collect::<Vec<_>>());
}

#[test]
fn a_hub_of_4000_neighbours_among_4001v() {
    let hub = (1..=4_000).map(|dst| Edge { src: 0, dst, weight: () });
    let back = (1..=4_000).step_by(7).map(|src| Edge { src, dst: 0, weight: () });
    check(4_001, &hub.chain(back).collect::<Vec<_>>());
}

#[test]
fn a_weighted_hub_of_2000_neighbours_each_3_times() {
    let edges = (0..6_000u32).map(|i| Edge { src: 3, dst: i % 2_000, weight: i });
    check(2_000, &edges.collect::<Vec<_>>());
}

#[test]
fn one_edge_4000_times_is_there_once() {
    check(5, &[Edge { src: 4, dst: 2, weight: () }; 4_000]);
    let again: Vec<_> = (0..4_000).map(|weight| Edge { src: 4, dst: 2, weight }).collect();
    check(5, &again);
}

#[test]
fn slabs_exactly_full_and_one_more_15_16_31_32_62_63_neighbours() {
    for count in [15, 16, 30, 31, 32, 45, 46, 62, 63] {
        let edges: Vec<_> = (0..count).map(|dst| Edge { src: 1, dst, weight: () }).collect();
        check(100, &edges);
        let edges: Vec<_> = (0..count).map(|dst| Edge { src: 1, dst, weight: dst }).collect();
        check(100, &edges);
    }
}

#[test]
fn a_graph_of_0_vertices() {
    check::<()>(0, &[]);
    check::<u32>(0, &[]);
}

#[test]
fn a_graph_of_1_vertex_without_and_with_its_self_loop() {
    check::<()>(1, &[]);
    check(1, &[Edge { src: 0, dst: 0, weight: () }]);
    check(1, &[Edge { src: 0, dst: 0, weight: 2.5f32 }; 2]);
}

#[test]
fn a_graph_of_1000_vertices_without_edges() {
    check::<u32>(1000, &[]);
}

#[test]
fn an_edge_outside_10_vertices_is_named_with_its_place() {
    for device in devices() {
        let edges = |src, dst| [Edge { src: 1, dst: 2, weight: () }, Edge { src, dst, weight: () }];
        for (src, dst) in [(10, 0), (0, 10), (u32::MAX, 0), (3, u32::MAX)] {
            let error =
                SlabGraph::from_edges(&device, 10, &edges(src, dst), &SlabOptions::default())
                    .expect_err("an edge outside");
            let message = format!(
                "edge 1 is {src} -> {dst}, but the graph has vertices 0 to 9; correct it or \
                 insert vertices"
            );
            assert_eq!(error.to_string(), message);
            assert!(matches!(error.kind(), ErrorKind::VertexOutOfRange { index: 1, .. }));
        }
        let error = SlabGraph::from_edges(&device, 0, &edges(0, 0), &SlabOptions::default());
        assert!(error.expect_err("no vertices").to_string().contains("has no vertices;"));
        let graph = SlabGraph::from_edges(&device, 10, &edges(3, 4), &SlabOptions::default())
            .expect("a graph");
        assert!(graph.contains(&edges(3, 10)).is_err());
        assert_eq!(graph.contains(&edges(4, 3)).expect("answers"), [true, false]);
        assert!(graph.contains(&[]).expect("nothing").is_empty());
    }
}

#[test]
fn load_factors_outside_0_to_1_are_refused() {
    for load_factor in [0.0, -0.5, 1.001, f32::NAN, f32::INFINITY] {
        let options = SlabOptions { load_factor, ..SlabOptions::DEFAULT };
        let error = SlabGraph::<()>::from_edges(&Device::cpu(), 10, &[], &options)
            .expect_err("no load factor");
        assert!(matches!(error.kind(), ErrorKind::LoadFactor { .. }), "{error}");
    }
}

#[test]
fn more_vertices_than_keys_are_refused() {
    let options = SlabOptions::default();
    let error =
        SlabGraph::<()>::from_edges(&Device::cpu(), u32::MAX, &[], &options).expect_err("too many");
    assert!(matches!(error.kind(), ErrorKind::TooManyVertices { .. }), "{error}");
}

#[test]
fn a_graph_is_no_argument_on_another_device() {
    let devices = devices();
    let [cpu, cuda] = &devices[..] else { return };
    let graph = SlabGraph::<()>::from_edges(cpu, 4, &[], &SlabOptions::default()).expect("a graph");
    let n = DeviceBuffer::<Atomic<u32>>::zeroed(cuda, 4).expect("memory");
    let sum = DeviceBuffer::<Atomic<u64>>::zeroed(cuda, 4).expect("memory");
    let error = fingerprint::launch(cuda, 0..4, &graph, &n, &sum, &n, &n).expect_err("refused");
    assert!(matches!(error.kind(), ErrorKind::WrongDevice { .. }), "{error}");
}
