//! Weakly connected components.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use meerkat::algos::wcc::{self, Components, Summary};
use meerkat::prelude::*;

use super::support::expected::{Graph, Wcc};
use super::support::graphs::{Input, slab_graph};
use super::support::{data_folder, devices, graphs_folder, say};
use super::{check_folder, oracle, random_graphs};

#[test]
fn wcc_of_the_graphs_of_the_repository() {
    for device in devices::devices() {
        check_folder("wcc", &graphs_folder(), &device, |graph| graph.m_arcs, compare);
    }
}

#[test]
fn wcc_of_large_graphs() {
    for device in devices::devices() {
        check_folder("wcc", &data_folder(), &device, |graph| graph.m_arcs, compare);
    }
}

fn compare(input: &Input, expected: &Graph, device: &Device) -> Vec<String> {
    let graph = input.build(device);
    let labels = wcc::labels(&graph).expect("labels");
    let rows = RowGraph::of(&graph).expect("rows");
    let Summary { count, largest } = wcc::summary(&labels);
    let found = Wcc { count, largest };
    let mut differences = Vec::new();
    if found != expected.wcc {
        differences.push(format!("{found:?}, expected {:?}", expected.wcc));
    }
    let compact = CompactGraph::of(&graph).expect("compact slabs");
    if wcc::labels(&compact).expect("labels") != labels {
        differences.push("compact slabs have other labels".to_owned());
    }
    let blocks = BlockGraph::of(&graph).expect("block arrays");
    if wcc::labels(&blocks).expect("labels") != labels {
        differences.push("block arrays have other labels".to_owned());
    }
    if wcc::labels(&rows).expect("labels") != labels {
        differences.push("rows have other labels".to_owned());
    }
    differences
}

#[test]
fn wcc_of_random_graphs_is_what_searches_find() {
    for device in devices::devices() {
        for (n, arcs) in random_graphs() {
            let graph = slab_graph::<()>(&device, n, &arcs);
            let labels = wcc::labels(&graph).expect("labels");
            assert_eq!(labels, oracle::component_labels(n, &arcs), "{n} vertices");
            let rows = RowGraph::of(&graph).expect("rows");
            assert_eq!(wcc::labels(&rows).expect("labels"), labels, "{n} vertices, rows");
            let compact = CompactGraph::of(&graph).expect("compact slabs");
            assert_eq!(wcc::labels(&compact).expect("labels"), labels, "{n} vertices, compact");
            let blocks = BlockGraph::of(&graph).expect("block arrays");
            assert_eq!(wcc::labels(&blocks).expect("labels"), labels, "{n} vertices, blocks");
            let rows = RowGraph::from_csr(&device, &graph.to_csr().expect("rows")).expect("rows");
            assert_eq!(wcc::labels(&rows).expect("labels"), labels, "{n} vertices, out-edges");
            let weighted = slab_graph::<f32>(&device, n, &arcs);
            assert_eq!(wcc::labels(&weighted).expect("labels"), labels, "{n} vertices, weighted");
        }
    }
}

#[test]
fn wcc_of_a_path_of_100000_vertices_is_one_whatever_the_order_of_its_numbers() {
    let n = 100_000u32;
    let orders: [fn(u32) -> u32; 3] = [|i| i, |i| 99_999 - i, |i| i * 7919 % 100_000];
    for device in devices::devices() {
        for order in orders {
            let arcs: Vec<_> = (1..n).map(|i| (order(i), order(i - 1))).collect();
            let labels = wcc::labels(&slab_graph::<()>(&device, n, &arcs)).expect("labels");
            assert!(labels.iter().all(|&label| label == 0));
        }
    }
}

/// The spokes come first, one way, so the forest has the hub; its lists are long enough to be put off for a
/// launch of their own, under `Hybrid`.
#[test]
fn components_follow_batches_that_tear_a_hub_of_70000_edges() {
    const N: u32 = 70_001;
    let edges = |arcs: &[(u32, u32)]| -> Vec<_> {
        arcs.iter().map(|&(src, dst)| Edge { src, dst, weight: () }).collect()
    };
    let spokes = |part| (1..N).filter(|v| v % 30 == part).map(|v| (0, v)).collect::<Vec<_>>();
    let rim: Vec<_> = (1..N - 1).filter(|v| v % 4 != 0).map(|v| (v, v + 1)).collect();
    for device in devices::devices() {
        let device = device.with_schedule(Schedule::Hybrid);
        let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
        let graph = SlabGraph::from_edges(&device, N, &[], &options).expect("a graph");
        let mut tracked = graph.track(Components).expect("components");
        let mut arcs: BTreeSet<(u32, u32)> = BTreeSet::new();
        let mut apply = |deleted: &[(u32, u32)], inserted: &[(u32, u32)], step| {
            deleted.iter().for_each(|arc| assert!(arcs.remove(arc)));
            arcs.extend(inserted);
            let batch = Batch::new().delete(edges(deleted)).insert(edges(inserted));
            tracked.apply(&batch).expect("a batch");
            let both: Vec<_> = arcs.iter().flat_map(|&(u, v)| [(u, v), (v, u)]).collect();
            let found = tracked.output().expect("labels");
            assert!(found == oracle::component_labels(N, &both), "{} {step}", device.name());
        };
        for ten in 0..3 {
            let part: Vec<_> = (10 * ten..10 * ten + 10).flat_map(spokes).collect();
            apply(&[], &part, "spokes");
        }
        apply(&[], &rim, "the rim");
        for part in 0..3 {
            apply(&spokes(part), &[], "spokes gone");
        }
        apply(&spokes(3), &spokes(1), "some gone, others back");
    }
}

#[test]
fn wcc_of_a_graph_without_vertices_or_edges() {
    for device in devices::devices() {
        assert!(wcc::labels(&slab_graph::<()>(&device, 0, &[])).expect("labels").is_empty());
        assert_eq!(wcc::labels(&slab_graph::<()>(&device, 3, &[])).expect("labels"), [0, 1, 2]);
    }
    assert_eq!(wcc::summary(&[]), Summary { count: 0, largest: 0 });
}

#[test]
fn wcc_is_what_ldbc_publishes() {
    let folder = data_folder().join("ldbc");
    for device in devices::devices() {
        let published = ["test-wcc-undirected", "example-directed"];
        let there = published.iter().filter(|name| check_ldbc(&folder.join(name), &device));
        let count = there.count();
        say(&format!("wcc equals {count} published outputs of LDBC, on {}", device.name()));
    }
}

/// LDBC's labels are vertices of the component too; partitions are compared.
fn check_ldbc(folder: &Path, device: &Device) -> bool {
    let Some(name) = folder.file_name().filter(|_| folder.exists()) else {
        return false;
    };
    let file = folder.join(name);
    let input = Input::read(&file.with_extension("e"), name == "example-directed");
    let labels = wcc::labels(&input.build(device)).expect("labels");
    let published = fs::read_to_string(format!("{}-WCC", file.display())).expect("LDBC's output");
    let ids = &input.file.ids;
    let mut pairs = BTreeSet::new();
    for line in published.lines() {
        let (id, label) = line.split_once(' ').expect("`id label`");
        let vertex = ids.vertex_of(id.parse().expect("an id")).expect("a vertex");
        pairs.insert((labels[vertex as usize], label.to_owned()));
    }
    let ours: BTreeSet<_> = pairs.iter().map(|(label, _)| label).collect();
    let theirs: BTreeSet<_> = pairs.iter().map(|(_, label)| label).collect();
    assert_eq!(published.lines().count(), labels.len(), "{name:?}");
    assert_eq!((ours.len(), theirs.len()), (pairs.len(), pairs.len()), "{name:?}");
    true
}
