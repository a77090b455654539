//! Shortest paths against Dijkstra's algorithm, and the properties of their trees.

use crate::support::devices::devices;
use crate::support::dijkstra::{Length, dijkstra, tree_flaws};
use crate::support::random::Random;
use meerkat::algos::sssp::{self, PathWeight};
use meerkat::prelude::*;
use meerkat::runtime::{ErrorKind, Tuning};

fn build<W: Weight>(device: &Device, vertices: u32, edges: &[Edge<W>]) -> SlabGraph<W> {
    SlabGraph::from_edges(device, vertices, edges, &SlabOptions::default()).expect("a graph")
}

/// Distances and tree of every device equal Dijkstra's, from several sources.
#[track_caller]
fn check<W>(vertices: u32, edges: &[Edge<W>])
where
    W: PathWeight + Length<Sum = <W as PathWeight>::Distance>,
{
    // A repeated edge has its last weight.
    let mut simple = std::collections::BTreeMap::new();
    for edge in edges {
        simple.insert((edge.src, edge.dst), edge.weight);
    }
    let simple: Vec<_> =
        simple.into_iter().map(|((src, dst), weight)| Edge { src, dst, weight }).collect();
    for device in devices() {
        let graph = build(&device, vertices, edges);
        for source in [0, vertices / 2, vertices - 1] {
            let expected = dijkstra(vertices, &simple, source);
            let place = format!("on {} from {source}", device.name());
            assert_eq!(sssp::distances(&graph, source).expect("distances"), expected, "{place}");
            let tree = sssp::tree(&graph, source).expect("a tree");
            assert_eq!(tree.distances, expected, "{place}");
            let flaws = tree_flaws(&simple, source, &tree.distances, &tree.parents);
            assert!(flaws.is_empty(), "{place}: {}", flaws.join("; "));
        }
    }
}

fn random<W: Weight>(
    vertices: u32,
    edges: usize,
    mut weight: impl FnMut(&mut Random) -> W,
) -> Vec<Edge<W>> {
    let mut random = Random::new(u64::from(vertices) * 31 + edges as u64);
    let mut edge = |_| {
        let (src, dst) = (random.below(vertices), random.below(vertices));
        Edge { src, dst, weight: weight(&mut random) }
    };
    (0..edges).map(&mut edge).collect()
}

#[test]
fn u32_1000v_4000e_weights_1_to_64_match_dijkstra() {
    check(1000, &random(1000, 4000, |random| 1 + random.below(64)));
}

#[test]
fn u32_300v_2000e_half_the_weights_zero_match_dijkstra() {
    check(300, &random(300, 2000, |random| random.below(2) * random.below(5)));
}

#[test]
fn i32_500v_2500e_match_dijkstra() {
    check(500, &random(500, 2500, |random| random.below(1000) as i32));
}

#[test]
fn f32_500v_2500e_match_dijkstra_to_the_bit() {
    check(500, &random(500, 2500, |random| random.below(1000) as f32 / 7.0));
}

#[test]
fn unit_500v_1500e_match_dijkstra() {
    check(500, &random(500, 1500, |_| ()));
}

#[test]
fn a_weighted_path_of_300_vertices_there_and_back() {
    let there = (0..299).map(|v| Edge { src: v, dst: v + 1, weight: v % 7 });
    let back = (0..299).map(|v| Edge { src: v + 1, dst: v, weight: v % 3 });
    check(300, &there.chain(back).collect::<Vec<_>>());
}

#[test]
fn cycles_of_zero_weight_have_no_cycle_of_parents() {
    // Everybody is at distance 5: a tie at every edge.
    let ring = (1..200).flat_map(|v| {
        let next = v % 199 + 1;
        [(v, next), (next, v)].map(|(src, dst)| Edge { src, dst, weight: 0 })
    });
    let entries = [1, 50, 198].map(|dst| Edge { src: 0, dst, weight: 5 });
    check(200, &ring.chain(entries).collect::<Vec<_>>());
    let clique = (0..40 * 40)
        .map(|i| Edge { src: i / 40, dst: i % 40, weight: 0 })
        .collect::<Vec<Edge<u32>>>();
    check(40, &clique);
}

#[test]
fn distances_saturate_below_unreached() {
    let far = u32::MAX - 3;
    let edge = |src, dst, weight| Edge { src, dst, weight };
    // 0 -> 1 -> 2 -> 3 -> 1: beyond the range all are equally far; 4 is not reached.
    let edges = [edge(0, 1, far), edge(1, 2, 2), edge(2, 3, 9), edge(3, 1, far), edge(4, 0, 1)];
    check(5, &edges);
    let graph = build(&Device::cpu(), 5, &edges);
    let expected = [0, far, u32::MAX - 1, u32::MAX - 1, u32::MAX];
    assert_eq!(sssp::distances(&graph, 0).expect("distances"), expected);
    let huge = [edge(0, 1, u32::MAX), edge(1, 2, u32::MAX)];
    let graph = build(&Device::cpu(), 3, &huge);
    let expected = [0, u32::MAX - 1, u32::MAX - 1];
    assert_eq!(sssp::distances(&graph, 0).expect("distances"), expected);
}

#[test]
fn floats_saturate_at_the_largest_number() {
    let edge = |src, dst, weight| Edge { src, dst, weight };
    let edges =
        [edge(0, 1, f32::MAX), edge(1, 2, f32::MAX), edge(2, 3, f32::INFINITY), edge(4, 0, -0.0)];
    check(6, &edges);
    let graph = build(&Device::cpu(), 6, &edges);
    let found = sssp::distances(&graph, 0).expect("distances");
    assert_eq!(found, [0.0, f32::MAX, f32::MAX, f32::MAX, f32::INFINITY, f32::INFINITY]);
    assert_eq!(sssp::distances(&graph, 4).expect("distances")[..2], [0.0, f32::MAX]);
}

#[test]
fn negative_weights_are_refused_by_name() {
    for device in devices() {
        let edges = |weight| [(3, 1, 1.0), (2, 4, weight), (2, 3, weight), (0, 1, 2.0)];
        for weight in [-1.0, -f32::MIN_POSITIVE, f32::NEG_INFINITY] {
            let edges = edges(weight).map(|(src, dst, weight)| Edge { src, dst, weight });
            let graph = build(&device, 5, &edges);
            for error in [
                sssp::distances(&graph, 0).expect_err("refused"),
                sssp::tree(&graph, 0).expect_err("refused"),
            ] {
                assert!(
                    matches!(error.kind(), ErrorKind::NegativeWeight { src: 2, dst: 3 }),
                    "{error}"
                );
            }
        }
        let graph = build(&device, 2, &[Edge { src: 1, dst: 0, weight: -1i32 }]);
        let error = sssp::distances(&graph, 0).expect_err("refused");
        assert!(error.to_string().contains("edge 1 -> 0"), "{error}");
    }
}

#[test]
fn a_source_outside_the_graph_is_refused() {
    for device in devices() {
        let graph = build::<u32>(&device, 3, &[]);
        for error in [
            sssp::distances(&graph, 3).expect_err("no vertex"),
            sssp::tree(&graph, 3).expect_err("no vertex"),
        ] {
            assert!(
                matches!(error.kind(), ErrorKind::NoSuchVertex { vertex: 3, count: 3 }),
                "{error}"
            );
        }
    }
}

#[test]
fn distances_are_right_from_whatever_round_the_nearest_go_first() {
    let there = (0..499).map(|v| Edge { src: v, dst: v + 1, weight: v % 7 });
    let edges: Vec<_> = there.chain(random(500, 900, |random| random.below(3000))).collect();
    for device in devices() {
        let expected = sssp::distances(&build(&device, 500, &edges), 0).expect("distances");
        for rounds_out_of_order in [0, 1, 2, 5, 20, u32::MAX] {
            let tuning = Tuning { rounds_out_of_order, idle_frontier: 0, ..Tuning::DEFAULT };
            let graph = build(&device.clone().with_tuning(tuning), 500, &edges);
            let on = device.name();
            let found = sssp::distances(&graph, 0).expect("distances");
            assert_eq!(found, expected, "{rounds_out_of_order} rounds, on {on}");
        }
    }
}

/// A chain ends in a layer of 2,000 vertices, each of which has a chain of its own.
#[test]
fn distances_are_right_where_a_layer_that_came_late_is_ordered() {
    fn layers<W: Weight>(mut weight: impl FnMut(&mut Random) -> W) -> Vec<Edge<W>> {
        let mut random = Random::new(7);
        let (chain, layer) = ((0..5).map(|v| (v, v + 1)), (6..2006).map(|v| (5, v)));
        let chains = (6..6006).map(|v| (v, v + 2000));
        let across = (0..9000).map(|_| (6 + random.below(8000), 6 + random.below(8000)));
        let ends: Vec<_> = chain.chain(layer).chain(chains).chain(across).collect();
        ends.into_iter().map(|(src, dst)| Edge { src, dst, weight: weight(&mut random) }).collect()
    }
    check(8006, &layers(|random| random.below(100)));
    check(8006, &layers(|random| random.below(3) * (u32::MAX / 2)));
    check(8006, &layers(|random| random.below(1000) as f32 / 7.0));
    check(8006, &layers(|_| ()));
    for device in devices() {
        let tuning = Tuning { idle_frontier: 0, ..Tuning::DEFAULT };
        let edges = layers(|random| random.below(64));
        let expected = sssp::distances(&build(&device, 8006, &edges), 0).expect("distances");
        let graph = build(&device.clone().with_tuning(tuning), 8006, &edges);
        assert_eq!(sssp::distances(&graph, 0).expect("distances"), expected, "{}", device.name());
    }
}

#[test]
fn every_schedule_gives_the_same_distances() {
    let edges = random(400, 3000, |random| random.below(64));
    for device in devices() {
        let expected = sssp::distances(&build(&device, 400, &edges), 7).expect("distances");
        for schedule in Schedule::ALL {
            let graph = build(&device.clone().with_schedule(schedule), 400, &edges);
            let on = device.name();
            let found = sssp::distances(&graph, 7).expect("distances");
            assert_eq!(found, expected, "{schedule:?} on {on}");
            let found = sssp::tree(&graph, 7).expect("a tree").distances;
            assert_eq!(found, expected, "the tree, {schedule:?} on {on}");
        }
    }
}
