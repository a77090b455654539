//! Triangle counting.

use std::collections::{BTreeMap, BTreeSet};

use meerkat::algos::triangles;
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;
use meerkat::runtime::graph::Compaction;
use meerkat::runtime::oriented::{Limits, OrientedGraph};

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
    let graph = input.build(device);
    let compact = CompactGraph::of(&graph).expect("compact slabs");
    let of_slabs = triangles::count(&graph).expect("a count");
    let of_compact = triangles::count(&compact).expect("a count");
    let blocks = BlockGraph::of(&graph).expect("block arrays");
    let of_blocks = triangles::count(&blocks).expect("a count");
    let rows = RowGraph::of(&graph).expect("rows");
    let of_rows = triangles::count(&rows).expect("a count");
    let found = [of_slabs, of_compact, of_blocks, of_rows];
    ["slabs", "compact slabs", "block arrays", "rows"]
        .into_iter()
        .zip(found)
        .filter(|(_, found)| *found != expected.triangles)
        .map(|(container, found)| format!("{container}: {found}, expected {}", expected.triangles))
        .collect()
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
            let compact = CompactGraph::of(&graph).expect("compact slabs");
            assert_eq!(triangles::per_vertex(&compact).expect("counts"), expected, "compact");
            let blocks = BlockGraph::of(&graph).expect("block arrays");
            assert_eq!(triangles::per_vertex(&blocks).expect("counts"), expected, "blocks");
            let rows = RowGraph::of(&graph).expect("rows");
            assert_eq!(triangles::per_vertex(&rows).expect("counts"), expected, "rows");
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

#[test]
fn lists_that_ascend_are_merged_with_deleted_keys_among_them() {
    // Keys that are deleted stay in their lists.
    let options = SlabOptions { compaction: Compaction::OnDemand, ..SlabOptions::DEFAULT };
    let of = |&(src, dst): &(u32, u32)| Edge { src, dst, weight: () };
    for device in devices::devices() {
        // Of cliques of 97 and 98 the longest lists have 96 keys or a few more: 96 are merged.
        for (n, count, clique) in
            [(300, 900, 0), (700, 20_000, 0), (400, 50, 97), (400, 50, 98), (700, 60_000, 0)]
        {
            let mut arcs = super::support::graphs::random_arcs(n, count, 7);
            arcs.extend((0..clique).flat_map(|u| (0..u).map(move |v| (u + 200, v + 200))));
            let edges: Vec<_> = arcs.iter().map(of).collect();
            let graph = BlockGraph::from_edges(&device, n, &edges, &options.undirected());
            let mut graph = graph.expect("a graph");
            check_merged(&graph, n, &arcs);
            let gone: BTreeSet<_> =
                arcs.iter().step_by(3).map(|&(u, v)| (u.min(v), u.max(v))).collect();
            let (gone_edges, kept): (Vec<_>, Vec<_>) =
                arcs.iter().partition(|&&(u, v)| gone.contains(&(u.min(v), u.max(v))));
            let gone_edges: Vec<_> = gone_edges.iter().map(of).collect();
            graph.delete(&gone_edges).expect("deletions");
            check_merged(&graph, n, &kept);
        }
    }
}

#[track_caller]
fn check_merged(graph: &BlockGraph, n: u32, arcs: &[(u32, u32)]) {
    let expected = oracle::triangles_per_vertex(n, arcs);
    assert_eq!(triangles::per_vertex(graph).expect("counts"), expected);
    let total = triangles::count(graph).expect("a count");
    assert_eq!(3 * total, expected.iter().sum::<u64>());
}

/// Rows shorter and longer than a warp's set, and than one of a block, several times.
const LIMITS: [Limits; 5] = [
    Limits::DEFAULT,
    Limits { warp: 256, block: 1 },
    Limits { warp: 31, block: 32 },
    Limits { warp: 5, block: 7 },
    Limits { warp: 0, block: 2048 },
];

/// All triangles, and those of each vertex, with rows of these lengths.
fn counts_within(graph: &SlabGraph, limits: Limits) -> Result<(u64, Vec<u64>), Error> {
    let device = graph.device();
    let corners = DeviceBuffer::zeroed(device, graph.vertex_count() as usize)?;
    let total = DeviceBuffer::zeroed(device, 1)?;
    OrientedGraph::within(graph, limits)?.count_shared_neighbors(&corners, &total)?;
    Ok((total.to_vec()?[0], corners.to_vec()?))
}

/// A clique of 45 among others: out-degrees of 0 to 44, and paths and a star beside it.
fn mixed_arcs() -> Vec<(u32, u32)> {
    let clique = (0..45u32).flat_map(|u| (0..u).map(move |v| (u, v)));
    let wheel = (101..200).flat_map(|v| [(100, v), (v, v + 1), (v + 1, v)]);
    let bridges = (0..45).map(|v| (v * 4, v));
    clique
        .chain(wheel)
        .chain(bridges)
        .chain(super::support::graphs::random_arcs(300, 900, 5))
        .collect()
}

/// The triangles that each edge of the undirected simple graph is in.
fn support(n: u32, arcs: &[(u32, u32)]) -> BTreeMap<(u32, u32), u32> {
    let neighbors = oracle::neighbors(n, arcs);
    let pairs = (0..n).zip(&neighbors).flat_map(|(u, of)| of.iter().map(move |&v| (u, v)));
    let shared = |(u, v): (u32, u32)| {
        let of_u: BTreeSet<_> = neighbors[u as usize].iter().collect();
        neighbors[v as usize].iter().filter(|w| of_u.contains(w)).count() as u32
    };
    pairs.filter(|(u, v)| u < v).map(|edge| (edge, shared(edge))).collect()
}

/// The edges in `least` triangles with the triangles of each, with rows of these lengths.
#[track_caller]
fn support_within(graph: &SlabGraph, limits: Limits, least: u32) -> BTreeMap<(u32, u32), u32> {
    let oriented = OrientedGraph::within(graph, limits).expect("an oriented graph");
    let edges = oriented.edges_in_triangles(least).expect("edges").to_vec().expect("edges");
    let found: BTreeMap<_, _> =
        edges.iter().map(|e| ((e.src.min(e.dst), e.src.max(e.dst)), e.weight)).collect();
    assert_eq!(found.len(), edges.len(), "an edge is listed twice");
    found
}

#[test]
fn rows_of_any_length_count_alike_in_warps_and_blocks() {
    let arcs = mixed_arcs();
    let edges: Vec<_> = arcs.iter().map(|&(src, dst)| Edge { src, dst, weight: () }).collect();
    let expected = oracle::triangles_per_vertex(300, &arcs);
    let support = support(300, &arcs);
    let kinds = [
        SlabOptions::DEFAULT,
        SlabOptions::DEFAULT.undirected(),
        SlabOptions::DEFAULT.oriented(Orientation::Both),
        SlabOptions { hashing: false, ..SlabOptions::DEFAULT },
    ];
    for device in devices::devices() {
        for options in kinds {
            let graph = SlabGraph::from_edges(&device, 300, &edges, &options).expect("a graph");
            for limits in LIMITS {
                let (total, corners) = counts_within(&graph, limits).expect("counts");
                assert_eq!(corners, expected, "{limits:?}, {options:?}");
                assert_eq!(3 * total, expected.iter().sum::<u64>(), "{limits:?}, {options:?}");
                for least in [0, 1, 2, 30] {
                    let found = support_within(&graph, limits, least);
                    let mut wanted = support.clone();
                    wanted.retain(|_, triangles| *triangles >= least);
                    assert_eq!(found, wanted, "{limits:?}, {options:?}, {least}");
                }
            }
            let total = triangles::count(&graph).expect("a count");
            assert_eq!(3 * total, expected.iter().sum::<u64>(), "{options:?}");
        }
    }
}

#[test]
fn counters_of_an_oriented_graph_that_are_too_few_are_refused() {
    let graph = slab_graph::<()>(&Device::cpu(), 4, &[(0, 1), (1, 2), (2, 0)]);
    let oriented = OrientedGraph::of(&graph).expect("an oriented graph");
    let counters = |count| DeviceBuffer::zeroed(graph.device(), count).expect("memory");
    for (corners, total, index, length) in [(4, 0, 0, 0), (3, 1, 3, 3)] {
        let refused = oriented.count_shared_neighbors(&counters(corners), &counters(total));
        let error = refused.expect_err("too few");
        let ErrorKind::OutOfBounds { index: found, length: of } = *error.kind() else {
            panic!("{error}");
        };
        assert_eq!((found, of), (index, length));
    }
}

#[test]
fn an_oriented_graph_lists_each_edge_once_and_no_loop() {
    for device in devices::devices() {
        for (n, arcs) in random_graphs() {
            let edges: Vec<_> =
                arcs.iter().map(|&(src, dst)| Edge { src, dst, weight: () }).collect();
            let neighbors = oracle::neighbors(n, &arcs);
            let pairs = (0..n).zip(&neighbors).flat_map(|(u, of)| of.iter().map(move |&v| (u, v)));
            let expected: Vec<_> = pairs.filter(|(u, v)| u < v).collect();
            for options in [SlabOptions::DEFAULT, SlabOptions::DEFAULT.undirected()] {
                let graph = SlabGraph::from_edges(&device, n, &edges, &options).expect("a graph");
                let oriented = OrientedGraph::of(&graph).expect("an oriented graph");
                let listed = oriented.edges().expect("edges").to_vec().expect("edges");
                let pair = |edge: &Edge| (edge.src.min(edge.dst), edge.src.max(edge.dst));
                let mut found: Vec<_> = listed.iter().map(pair).collect();
                found.sort_unstable();
                assert_eq!(found, expected, "{n} vertices, {options:?}");
            }
        }
    }
}

#[test]
fn deleted_edges_close_no_triangle() {
    let arcs = mixed_arcs();
    let edge = |&(src, dst): &(u32, u32)| Edge { src, dst, weight: () };
    let edges: Vec<_> = arcs.iter().map(edge).collect();
    let gone: Vec<_> = arcs.iter().copied().step_by(3).collect();
    let left: Vec<_> = arcs.iter().copied().filter(|arc| !gone.contains(arc)).collect();
    let gone: Vec<_> = gone.iter().map(edge).collect();
    let expected = oracle::triangles_per_vertex(300, &left);
    for device in devices::devices() {
        for orientation in [Orientation::Out, Orientation::Both] {
            let options = SlabOptions::DEFAULT.oriented(orientation);
            let mut graph = SlabGraph::from_edges(&device, 300, &edges, &options).expect("a graph");
            graph.apply(&Batch::new().delete(&gone)).expect("deletions");
            for limits in LIMITS {
                let (_, corners) = counts_within(&graph, limits).expect("counts");
                assert_eq!(corners, expected, "{limits:?}, {orientation:?}");
            }
        }
    }
}

#[test]
fn a_clique_reaches_sets_of_a_block_and_on_a_gpu_several_a_row() {
    for device in devices::devices() {
        let n = if device.is_cuda() { 2300u32 } else { 150 };
        let arcs: Vec<_> = (0..n).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
        let graph = slab_graph::<()>(&device, n, &arcs);
        let n = u64::from(n);
        assert_eq!(triangles::count(&graph).expect("a count"), n * (n - 1) * (n - 2) / 6);
        let each = triangles::per_vertex(&graph).expect("counts");
        assert!(each.iter().all(|&at| at == (n - 1) * (n - 2) / 2));
    }
}
