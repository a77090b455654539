//! k-trusses.

use std::collections::BTreeMap;

use meerkat::algos::truss;
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;

use super::oracle::{neighbors, trussness};
use super::random_graphs;
use super::support::graphs::{Input, random_arcs, slab_graph};
use super::support::{devices, graphs_folder};

pub(super) type Trussness = BTreeMap<(u32, u32), u32>;

/// What the weights of the edges say, which are to be ascending and named once.
#[track_caller]
pub(super) fn by_edge(edges: &[Edge<u32>]) -> Trussness {
    let pairs: Vec<_> = edges.iter().map(|edge| (edge.src, edge.dst)).collect();
    assert!(pairs.is_sorted_by(|a, b| a < b) && pairs.iter().all(|(u, v)| u < v), "{pairs:?}");
    pairs.into_iter().zip(edges.iter().map(|edge| edge.weight)).collect()
}

/// The edges of the k-truss, and the triangles of the truss over each.
pub(super) fn k_truss(n: u32, all: &Trussness, k: u32) -> Trussness {
    let edges: Vec<_> = all.iter().filter(|(_, of)| **of >= k).map(|(edge, _)| *edge).collect();
    let neighbors = neighbors(n, &edges);
    let triangles = |&(u, v): &(u32, u32)| {
        neighbors[u as usize].intersection(&neighbors[v as usize]).count() as u32
    };
    edges.iter().map(|edge| (*edge, triangles(edge))).collect()
}

/// Compares every truss of a graph, from those that have all edges to one that has none.
#[track_caller]
fn check<C: Container>(graph: &C, expected: &Trussness, what: &str) {
    let n = graph.vertex_count();
    let found = truss::trussness(graph).expect("a decomposition");
    assert_eq!(by_edge(&found), *expected, "{what}");
    let largest = expected.values().copied().max().unwrap_or(0);
    assert_eq!(truss::max_k(graph).expect("a number"), largest, "{what}");
    for k in (0..5).chain(largest.saturating_sub(1)..largest + 2) {
        let found = truss::k_truss(graph, k).expect("a truss");
        assert_eq!(by_edge(&found), k_truss(n, expected, k), "{what}, k = {k}");
    }
}

fn check_containers(device: &Device, n: u32, arcs: &[(u32, u32)], what: &str) {
    let expected = trussness(n, arcs);
    let slabs = slab_graph::<()>(device, n, arcs);
    check(&slabs, &expected, what);
    let compact = CompactGraph::of(&slabs).expect("compact slabs");
    check(&compact, &expected, &format!("{what}, compact slabs"));
    let blocks = BlockGraph::of(&slabs).expect("block arrays");
    check(&blocks, &expected, &format!("{what}, block arrays"));
    check(&RowGraph::of(&slabs).expect("rows"), &expected, &format!("{what}, rows"));
    let weighted = slab_graph::<f32>(device, n, arcs);
    check(&weighted, &expected, &format!("{what}, with weights"));
    let edges: Vec<_> = arcs.iter().map(|&(src, dst)| Edge { src, dst, weight: () }).collect();
    let options = SlabOptions::DEFAULT.undirected();
    let undirected = SlabGraph::from_edges(device, n, &edges, &options).expect("a graph");
    check(&undirected, &expected, &format!("{what}, undirected"));
}

#[test]
fn trusses_of_random_graphs_are_those_of_naive_peeling_in_every_container() {
    for device in devices::devices() {
        for (n, arcs) in random_graphs() {
            check_containers(&device, n, &arcs, &format!("{n} vertices"));
        }
        for seed in 0..12 {
            let (n, count) = (10 + 3 * seed, 60 + 40 * seed);
            let arcs = random_arcs(n, count, seed.into());
            let graph = slab_graph::<()>(&device, n, &arcs);
            check(&graph, &trussness(n, &arcs), &format!("seed {seed}"));
        }
    }
}

/// Every graph of this number of vertices, one beside the other.
fn all_graphs(size: u32) -> (u32, Vec<(u32, u32)>) {
    let pairs: Vec<_> = (0..size).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    let graphs = 1u32 << pairs.len();
    let graph = |number: u32| {
        let has = move |at: &usize| number >> at & 1 == 1;
        let first = number * size;
        let pairs = &pairs;
        (0..pairs.len()).filter(has).map(move |at| (first + pairs[at].0, first + pairs[at].1))
    };
    (graphs * size, (0..graphs).flat_map(graph).collect())
}

#[test]
fn trusses_of_all_1024_graphs_of_5_vertices_under_every_schedule() {
    let (n, arcs) = all_graphs(5);
    let expected = trussness(n, &arcs);
    for device in devices::devices() {
        for schedule in Schedule::ALL.into_iter().chain([Schedule::Auto]) {
            let device = device.clone().with_schedule(schedule);
            let graph = slab_graph::<()>(&device, n, &arcs);
            check(&graph, &expected, &format!("{schedule:?}"));
        }
    }
}

#[test]
fn trusses_of_all_32768_graphs_of_6_vertices() {
    let (n, arcs) = all_graphs(6);
    let expected = trussness(n, &arcs);
    for device in devices::devices() {
        let graph = slab_graph::<()>(&device, n, &arcs);
        let found = truss::trussness(&graph).expect("a decomposition");
        assert_eq!(by_edge(&found), expected);
    }
}

#[test]
fn trusses_do_not_depend_on_the_order_of_weak_memory() {
    let arcs = random_arcs(20, 150, 3);
    let expected = trussness(20, &arcs);
    assert!(expected.values().max() > Some(&5), "there are several levels");
    for seed in 0..8 {
        let device = Device::cpu().with_weak_memory(seed);
        let graph = slab_graph::<()>(&device, 20, &arcs);
        let found = truss::trussness(&graph).expect("a decomposition");
        assert_eq!(by_edge(&found), expected, "seed {seed}");
        let found = truss::k_truss(&graph, 5).expect("a truss");
        assert_eq!(by_edge(&found), k_truss(20, &expected, 5), "seed {seed}");
    }
}

pub(super) fn clique(first: u32, size: u32) -> impl Iterator<Item = (u32, u32)> {
    (first..first + size).flat_map(move |u| (first..u).map(move |v| (u, v)))
}

#[test]
fn a_clique_of_n_is_its_own_n_truss() {
    for device in devices::devices() {
        for size in [2u32, 3, 4, 9, 40] {
            let graph = slab_graph::<()>(&device, size, &clique(0, size).collect::<Vec<_>>());
            let found = truss::trussness(&graph).expect("a decomposition");
            assert_eq!(found.len() as u32, size * (size - 1) / 2);
            assert!(found.iter().all(|edge| edge.weight == size), "{size}: {found:?}");
            let truss = truss::k_truss(&graph, size).expect("a truss");
            assert!(truss.len() == found.len() && truss.iter().all(|edge| edge.weight == size - 2));
            assert!(truss::k_truss(&graph, size + 1).expect("a truss").is_empty());
        }
    }
}

#[test]
fn planted_cliques_are_found_in_noise() {
    // Cliques of 12, 9 and 6, of which the last two share an edge, among random arcs.
    let planted = || clique(0, 12).chain(clique(20, 9)).chain(clique(27, 6));
    let arcs: Vec<_> = planted().chain(random_arcs(400, 500, 21)).collect();
    let expected = trussness(400, &arcs);
    for device in devices::devices() {
        check(&slab_graph::<()>(&device, 400, &arcs), &expected, "planted");
        let graph = slab_graph::<()>(&device, 400, &arcs);
        let found = by_edge(&truss::trussness(&graph).expect("a decomposition"));
        assert!(clique(0, 12).all(|(u, v)| found[&(v, u)] >= 12));
        assert!(clique(20, 9).all(|(u, v)| found[&(v, u)] >= 9));
    }
}

#[test]
fn an_edge_of_3000_triangles_loses_all_of_them_in_one_round() {
    // Two hubs with 3000 neighbours in common: their edge has the triangles, the others one each.
    let pages = (2..3002).flat_map(|page| [(0, page), (page, 1)]);
    let arcs: Vec<_> = pages.chain([(0, 1)]).collect();
    for device in devices::devices() {
        for schedule in Schedule::ALL {
            let device = device.clone().with_schedule(schedule);
            let graph = slab_graph::<()>(&device, 3002, &arcs);
            let kept = by_edge(&truss::k_truss(&graph, 3).expect("a truss"));
            assert_eq!((kept.len(), kept[&(0, 1)], kept[&(0, 2)]), (6001, 3000, 1));
            assert!(truss::k_truss(&graph, 4).expect("a truss").is_empty(), "{schedule:?}");
            let found = truss::trussness(&graph).expect("a decomposition");
            assert!(found.iter().all(|edge| edge.weight == 3), "{schedule:?}");
        }
    }
}

#[test]
fn graphs_without_triangles_have_trussness_2_and_those_without_edges_none() {
    let grid = (0..400u32).filter(|v| v % 20 != 19).map(|v| (v, v + 1));
    let grid: Vec<_> = grid.chain((0..380).map(|v| (v, v + 20))).collect();
    for device in devices::devices() {
        check_containers(&device, 400, &grid, "a grid");
        for n in [0, 1, 50] {
            check_containers(&device, n, &[], &format!("{n} isolated vertices"));
        }
        let loops: Vec<_> = (0..9).map(|v| (v, v)).collect();
        check_containers(&device, 9, &loops, "loops alone");
    }
}

#[test]
fn trusses_of_graphs_of_the_repository() {
    for device in devices::devices() {
        for (file, directed, largest) in [
            ("karate.mtx", false, 5),
            ("as-20000102.txt.gz", false, 10),
            ("email-Eu-core.txt.gz", true, 23),
        ] {
            let input = Input::read(&graphs_folder().join(file), directed);
            let expected = trussness(input.simple.n, &input.arcs());
            assert_eq!(expected.values().max(), Some(&largest), "{file}");
            let graph = input.build(&device);
            let found = truss::trussness(&graph).expect("a decomposition");
            assert_eq!(by_edge(&found), expected, "{file}");
            let found = truss::k_truss(&graph, 4).expect("a truss");
            assert_eq!(by_edge(&found), k_truss(input.simple.n, &expected, 4), "{file}");
        }
    }
}

#[test]
fn a_graph_of_in_edges_alone_has_no_trusses() {
    let options = SlabOptions::DEFAULT.oriented(Orientation::In);
    let edges = [Edge { src: 0, dst: 1, weight: () }];
    let graph = SlabGraph::from_edges(&Device::cpu(), 2, &edges, &options).expect("a graph");
    let error = truss::k_truss(&graph, 3).expect_err("in-edges alone");
    assert!(matches!(error.kind(), ErrorKind::OrientationMissing { wanted: "out" }), "{error}");
}
