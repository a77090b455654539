//! `meerkat bench updates` and `meerkat generate` as a user meets them.

use crate::support::command::{finish, meerkat, run};
use crate::support::devices::devices;
use crate::support::graphs_folder;
use meerkat::prelude::*;
use meerkat::runtime::generate::{Generator, recombined};
use meerkat::runtime::read::read;
use std::collections::BTreeSet;

#[test]
fn a_bench_of_a_generated_graph_has_every_figure() {
    let words = "bench updates --device cpu --graph rmat:8 --batches 50,300 --vertices 20,4000 \
                 --rounds 1 --json";
    let found = run(words.split_whitespace()).json();
    assert_eq!(found["graph"]["name"], "rmat:8:4096");
    assert_eq!(found["graph"]["n"], 256);
    assert!(found["graph"]["m_arcs"].as_u64().is_some_and(|m| (1000..4096).contains(&m)));
    let arcs = found["graph"]["m_arcs"].as_u64().expect("arcs");
    let found = &found["result"];
    assert_eq!(found["weights"], "none");
    for figure in ["insert", "query", "miss", "delete", "apply", "apply_device", "apply_pinned"] {
        for at in 0..2 {
            let rate = found["batches"][at][figure]["medge_per_s"].as_f64();
            assert!(rate.is_some_and(|rate| rate > 0.0), "{figure}: {found}");
        }
    }
    assert_eq!(found["batches"][1]["updates"], 300);
    // More than half of the vertices are not deleted.
    assert_eq!(found["vertices"].as_array().map(Vec::len), Some(1));
    assert!(found["vertices"][0]["delete"]["mvertex_per_s"].as_f64().is_some_and(|r| r > 0.0));
    assert!(found["memory"]["bytes_per_edge"].as_f64().is_some_and(|bytes| bytes > 4.0));
    let csr = found["memory"]["csr_bytes"].as_u64().expect("bytes");
    assert_eq!(csr, 4 * 257 + 4 * arcs);
}

#[test]
fn a_bench_of_a_file_prints_a_table() {
    let file = graphs_folder().join("rome99.gr.gz");
    let mut command = meerkat();
    command.args(["bench", "updates", "--device", "cpu", "--weighted", "--rounds", "1"]);
    command.args(["--batches", "100", "--vertices", "10", "--graph"]).arg(file);
    let found = finish(&mut command);
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    assert!(found.stdout.contains("3353 vertices, 8859 arcs"), "{}", found.stdout);
    assert!(found.stdout.contains("weights: u32"), "{}", found.stdout);
}

#[test]
fn memory_of_two_graphs_is_a_table_of_two_lines_and_an_object() {
    let words = "bench memory --device cpu uniform:1000:9 grid:30x30";
    let table = run(words.split_whitespace());
    assert_eq!(table.code, Some(0), "{}", table.stderr);
    assert_eq!(table.stdout.lines().count(), 4, "{}", table.stdout);
    let found = run(words.split_whitespace().chain(["--json"])).json()["result"].clone();
    assert_eq!(found["load_factor"], 0.7);
    let memory = &found["graphs"][0]["memory"];
    // A slab each, in one allocation and in units of 512 bytes.
    assert_eq!(memory["bytes_of_heads"], 1000 * 128);
    assert_eq!(memory["bytes_of_heads_allocated_singly"], 1000 * 512);
    assert_eq!(memory["bytes_of_linked_slabs"], 0);
    assert_eq!(memory["csr_bytes"], 4 * 1001 + 4 * 9);
    let arcs = 2 * 2 * 30 * 29;
    assert_eq!(found["graphs"][1]["graph"]["m_arcs"], arcs);
    // 900 records of 16 bytes hold four neighbours each.
    let compact = "bench memory --device cpu grid:30x30 --json --container compact";
    let compact = run(compact.split_whitespace()).json()["result"].clone();
    assert_eq!(compact["container"], "compact");
    let memory = &compact["graphs"][0]["memory"];
    assert_eq!(memory["csr_bytes"], 4 * 901 + 4 * arcs);
    assert!(memory["bytes_of_heads"].is_null());
    let bytes = memory["bytes"].as_u64().expect("bytes");
    // Tables of the pool take 20 KB, whatever the graph.
    assert!(bytes < found["graphs"][1]["memory"]["bytes"].as_u64().expect("bytes") / 3);
    run(["bench", "memory"]).assert_refused(2, &["FILE|GENERATOR"]);
}

#[test]
fn what_names_no_graph_is_refused_with_the_way_out() {
    run(["bench", "updates", "--graph", "rmat:77"])
        .assert_refused(2, &["names no synthetic graph"]);
    let refused = run(["generate", "graph.txt", "--output", "other.txt"]);
    refused.assert_refused(2, &["that names a file", "uniform:"]);
}

#[test]
fn generated_files_read_back_as_the_edges_of_the_device() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases =
        [("rmat:7", "a.mtx"), ("uniform:90:400", "b.txt"), ("grid:9x7:100:300", "c.mtx.gz")];
    for (name, file) in cases {
        let path = folder.path().join(file);
        let mut command = meerkat();
        command.args(["generate", name, "--seed", "3", "--device", "cpu", "--output"]).arg(&path);
        assert_eq!(finish(&mut command).code, Some(0), "{name}");
        let graph = read(&path, &mut |_| {}).expect("a graph file");
        let generator: Generator = name.parse().expect("a generator");
        let edges = generator.edges::<()>(&Device::cpu(), 3).expect("edges");
        let pair = |u: u64, v: u64| (u.min(v), u.max(v));
        let mut expected: Vec<_> = edges
            .to_vec()
            .expect("a copy")
            .iter()
            .map(|edge| pair(edge.src.into(), edge.dst.into()))
            .collect();
        // Matrices count from 1.
        let first = u64::from(file.contains("mtx"));
        let ids = graph.sources.iter().zip(&graph.destinations);
        let mut found: Vec<_> = ids
            .map(|(&u, &v)| pair(graph.ids.id_of(u) - first, graph.ids.id_of(v) - first))
            .collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert!(found == expected, "{name}");
    }
}

#[test]
fn generators_give_the_same_edges_on_every_device() {
    let cpu = Device::cpu();
    for name in ["rmat:9", "uniform:500:3000", "grid:40x30:30:10", "rmat:1:10"] {
        let generator: Generator = name.parse().expect("a generator");
        let edges = |device: &Device, seed| {
            let mut edges =
                generator.edges::<u32>(device, seed).and_then(|list| list.to_vec()).expect("edges");
            edges.sort_unstable_by_key(|edge| (edge.src, edge.dst, edge.weight));
            edges
        };
        let expected = edges(&cpu, 5);
        assert!(expected != edges(&cpu, 6), "{name} of two seeds");
        assert!(expected.iter().all(|edge| (1..=64).contains(&edge.weight)), "{name}");
        let n = generator.vertices();
        assert!(expected.iter().all(|edge| edge.src < n && edge.dst < n), "{name}");
        for device in devices() {
            assert!(edges(&device, 5) == expected, "{name} on {}", device.name());
        }
    }
}

#[test]
fn rmat_12_has_hubs_and_uniform_4096_has_none() {
    let most = |name: &str| {
        let generator: Generator = name.parse().expect("a generator");
        let edges = generator.edges::<()>(&Device::cpu(), 1).expect("edges");
        let graph = SlabGraph::from_buffer(&Device::cpu(), 4096, &edges, &SlabOptions::DEFAULT)
            .expect("a graph");
        graph.out_degrees().expect("degrees").into_iter().max().expect("a degree")
    };
    assert!(most("rmat:12") > 400 && most("uniform:4096:65536") < 50);
}

#[test]
fn recombined_edges_join_ends_of_the_samples() {
    let samples: Vec<_> =
        (0..50).map(|at| Edge { src: 3 * at, dst: at + 1000, weight: at }).collect();
    for device in devices() {
        let list = DeviceBuffer::from_slice(&device, &samples).expect("memory");
        let found = recombined(&list, 4, 2000).and_then(|list| list.to_vec()).expect("edges");
        assert!(found.iter().all(|edge| edge.src % 3 == 0 && edge.src < 150));
        assert!(found.iter().all(|edge| edge.dst == edge.weight + 1000 && edge.weight < 50));
        assert!(found.iter().map(|edge| edge.src).collect::<BTreeSet<_>>().len() > 40);
        let none = DeviceBuffer::<Edge>::from_slice(&device, &[]).expect("memory");
        assert!(recombined(&none, 4, 2000).expect("none").is_empty());
    }
}
