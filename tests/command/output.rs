//! The files that the `meerkat` command writes: whole or not there, and read back.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::Path;

use crate::support::command::{finish, meerkat, run, run_bfs};
use crate::support::graphs_folder;
use flate2::read::GzDecoder;
use meerkat::prelude::*;
use meerkat::runtime::generate::Generator;
use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::read;

fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect()
}

/// The input was once replaced by the results.
#[test]
fn results_never_replace_a_file_of_the_graph() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["test-bfs-directed.e", "test-bfs-directed.v", "test-bfs-directed.properties"] {
        fs::copy(graphs_folder().join(name), folder.path().join(name)).expect("a copy");
    }
    let graph = folder.path().join("test-bfs-directed.e");
    let before = fs::read(&graph).expect("the graph");
    for output in ["test-bfs-directed.e", "test-bfs-directed.v", "./test-bfs-directed.properties"] {
        let mut command = meerkat();
        command.args(["run", "bfs", "--device", "cpu", "--graph"]).arg(&graph);
        command.arg("--output").arg(folder.path().join(output));
        finish(&mut command).assert_refused(2, &["this is a file of the graph"]);
    }
    assert_eq!(fs::read(&graph).expect("the graph"), before);
    assert_eq!(entries(folder.path()).len(), 3);
}

/// An empty file was left.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("out");
    let mut command = meerkat();
    command.args(["run", "wcc", "--device", "cpu", "--format", "edge-list", "--graph", "-"]);
    command.arg("--output").arg(&output).stdin(std::process::Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    std::thread::sleep(std::time::Duration::from_millis(300));
    child.kill().expect("it waits for its input");
    child.wait().expect("an end");
    assert!(entries(folder.path()).is_empty(), "{:?}", entries(folder.path()));
}

#[test]
fn a_failed_run_leaves_the_former_results() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("out");
    fs::write(&output, "former").expect("a file");
    let path = output.to_str().expect("UTF-8");
    let further = ["--source", "99999", "--output", path];
    run_bfs("karate.mtx", &further).assert_refused(2, &["99999"]);
    assert_eq!(fs::read(&output).expect("the file"), b"former");
    assert_eq!(entries(folder.path()), ["out"]);
}

#[test]
fn results_are_compressed_by_ending_and_a_hyphen_is_the_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let results = |name: &str| {
        let path = folder.path().join(name);
        let path = path.to_str().expect("UTF-8");
        let run = run_bfs("karate.mtx", &["--source", "1", "--output", path]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        fs::read(path).expect("the results")
    };
    let plain = String::from_utf8(results("depths")).expect("text");
    let mut unpacked = String::new();
    let packed = results("depths.gz");
    GzDecoder::new(&packed[..]).read_to_string(&mut unpacked).expect("gzip");
    assert_eq!(unpacked, plain);
    let run = run_bfs("karate.mtx", &["--source", "1", "--output", "-"]);
    assert_eq!((run.code, &run.stdout), (Some(0), &plain));
    assert!(run.stderr.contains("bfs from vertex 1 on cpu"), "{}", run.stderr);
}

/// Arcs with weights, ids counted from 0.
type Arcs = BTreeSet<(u64, u64, u64)>;

/// `.txt` with weights was read as times, and `.gr` not at all.
#[test]
fn what_is_generated_reads_back_as_the_same_graph_in_every_format() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["uniform:50:600", "grid:6x5:0:200"] {
        let generator: Generator = name.parse().expect("a generator");
        for file in ["a.mtx", "a.gr", "a.csv", "a.tsv", "a.wel", "a.el", "a.txt.gz", "a"] {
            for weighted in [false, true] {
                let path = folder.path().join(file);
                let mut command = meerkat();
                command.args(["generate", name, "--seed", "3", "--device", "cpu"]);
                command.args(weighted.then_some("--weighted")).arg("--output").arg(&path);
                let run = finish(&mut command);
                if !weighted && ["a.gr", "a.wel"].contains(&file) {
                    run.assert_refused(2, &[file, "--weighted"]);
                    continue;
                }
                assert_eq!(run.code, Some(0), "{name} {file}: {}", run.stderr);
                let (n, found) = arcs_of_file(&path, &generator);
                assert_eq!(n, generator.vertices(), "{name} {file}");
                assert!(found == arcs_of(&generator, weighted), "{name} {file}, {weighted}");
            }
        }
    }
}

/// The arcs of a file, read by the direction that it says itself.
fn arcs_of_file(path: &Path, generator: &Generator) -> (u32, Arcs) {
    let graph = read(path, &mut |_| {}).expect("a graph");
    assert!(graph.times.is_none(), "{}", path.display());
    let directed = graph.declared_directed.unwrap_or(true);
    let direction = if directed { Direction::Directed } else { Direction::Undirected };
    let is_dimacs = path.ends_with("a.gr");
    assert!(direction == generator.direction() || is_dimacs, "{}", path.display());
    let simple = graph.simple(direction);
    let first = graph.ids.id_of(0);
    let arcs = simple.sources.iter().zip(&simple.destinations).enumerate();
    let weight = |arc: usize| simple.weights.as_ref().map_or(0, |weights| weights[arc] as u64);
    let id = |vertex: u32| graph.ids.id_of(vertex) - first;
    (simple.n, arcs.map(|(arc, (&u, &v))| (id(u), id(v), weight(arc))).collect())
}

/// The arcs of the device, each once with its smallest weight, without loops.
fn arcs_of(generator: &Generator, weighted: bool) -> Arcs {
    let edges = generator.edges::<u32>(&Device::cpu(), 3).and_then(|list| list.to_vec());
    let mut lightest = std::collections::BTreeMap::new();
    for Edge { src, dst, weight } in edges.expect("edges") {
        let back = (generator.direction() == Direction::Undirected).then_some((dst, src));
        for arc in [Some((src, dst)), back].into_iter().flatten().filter(|(u, v)| u != v) {
            let weight = if weighted { u64::from(weight) } else { 0 };
            let lighter = lightest.entry(arc).or_insert(weight);
            *lighter = weight.min(*lighter);
        }
    }
    lightest.into_iter().map(|((u, v), weight)| (u.into(), v.into(), weight)).collect()
}

#[test]
fn formats_that_would_lose_a_part_of_the_graph_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |name: &str, file: &str, parts: &[&str]| {
        let path = folder.path().join(file);
        let words =
            ["generate", name, "--device", "cpu", "--output", path.to_str().expect("UTF-8")];
        run(words).assert_refused(2, parts);
        assert!(!path.exists(), "{file}");
    };
    refused("uniform:1000:9", "g.txt", &["g.txt", "of 1000 vertices have no edge", ".mtx"]);
    refused("uniform:1000:9", "g.csv.gz", &["have no edge"]);
    refused("rmat:4", "g.e", &["not written as .e", ".mtx"]);
    refused("rmat:4", "g.graph", &["not written as .graph"]);
}
