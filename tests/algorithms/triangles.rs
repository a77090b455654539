//! Triangle counting.

use meerkat::algos::triangles;
use meerkat::prelude::*;

use super::support::expected::Graph;
use super::support::graphs::{Input, slab_graph};
use super::support::{data_folder, devices, graphs_folder};
use super::{check_folder, oracle, random_graphs};

#[test]
fn triangles_of_the_graphs_of_the_repository() {
    for device in devices::devices() {
        check_folder(
            "triangles",
            &graphs_folder(),
            &device,
            |graph| graph.m_arcs + 10 * graph.triangles,
            compare,
        );
    }
}

#[test]
fn triangles_of_large_graphs() {
    for device in devices::devices() {
        check_folder(
            "triangles",
            &data_folder(),
            &device,
            |graph| graph.m_arcs + 10 * graph.triangles,
            compare,
        );
    }
}

fn compare(input: &Input, expected: &Graph, device: &Device) -> Vec<String> {
    let found = triangles::count(&input.build(device)).expect("a count");
    let differs = found != expected.triangles;
    differs.then(|| format!("{found}, expected {}", expected.triangles)).into_iter().collect()
}

#[test]
fn triangles_of_random_graphs_are_those_of_plain_intersections() {
    for device in devices::devices() {
        for (n, arcs) in random_graphs() {
            let expected = oracle::triangles_per_vertex(n, &arcs);
            let graph = slab_graph::<()>(&device, n, &arcs);
            assert_eq!(triangles::per_vertex(&graph).expect("counts"), expected, "{n} vertices");
            let total = triangles::count(&graph).expect("a count");
            assert_eq!(3 * total, expected.iter().sum::<u64>(), "{n} vertices");
            let weighted = slab_graph::<u32>(&device, n, &arcs);
            assert_eq!(triangles::count(&weighted).expect("a count"), total, "{n}, weighted");
        }
    }
}

#[test]
fn a_clique_of_n_has_n_over_3_triangles_in_any_form() {
    let n = 60u32;
    let pairs = || (0..n).flat_map(|u| (0..u).map(move |v| (u, v)));
    let one_way: Vec<_> = pairs().collect();
    let both_ways: Vec<_> = pairs().flat_map(|(u, v)| [(u, v), (v, u)]).collect();
    let looped: Vec<_> = pairs().chain((0..n).map(|v| (v, v))).collect();
    for device in devices::devices() {
        for arcs in [&one_way, &both_ways, &looped] {
            let graph = slab_graph::<()>(&device, n, arcs);
            assert_eq!(triangles::count(&graph).expect("a count"), 60 * 59 * 58 / 6);
        }
    }
}

#[test]
fn graphs_without_triangles_have_none() {
    let star: Vec<_> = (1..500).map(|v| (0, v)).collect();
    let grid = (0..400u32).filter(|v| v % 20 != 19).map(|v| (v, v + 1));
    let grid: Vec<_> = grid.chain((0..380).map(|v| (v, v + 20))).collect();
    for device in devices::devices() {
        for (n, arcs) in [(0, &[][..]), (3, &[]), (500, &star), (400, &grid)] {
            assert_eq!(triangles::count(&slab_graph::<()>(&device, n, arcs)).expect("a count"), 0);
        }
    }
}
