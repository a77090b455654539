//! The readers on real graph files, compared with figures that independent
//! libraries computed.

#![allow(clippy::print_stdout, reason = "a skipped test says so")]

use std::fs;
use std::path::{Path, PathBuf};

use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::{GraphFile, SimpleGraph, read};
use serde_json::Value;

fn data_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data")
}

#[test]
fn every_published_graph_has_its_expected_size_degrees_and_ids() {
    let expected = data_folder().join("expected.json");
    if !expected.exists() {
        println!("SKIPPED: ../shared/data is not present");
        return;
    }
    let text = fs::read_to_string(&expected).expect("expected.json");
    let expected: Value = serde_json::from_str(&text).expect("expected.json");
    let graphs = expected["graphs"].as_object().expect("graphs");
    assert!(!graphs.is_empty());

    let failures: Vec<String> =
        graphs.iter().flat_map(|(name, expected)| differences(name, expected)).collect();
    assert!(failures.is_empty(), "{} differences:\n{}", failures.len(), failures.join("\n"));
    println!("{} graphs agree", graphs.len());
}

/// What differs between one graph and its expected figures.
fn differences(name: &str, expected: &Value) -> Vec<String> {
    let file = match read(&graph_path(expected), &mut |_| {}) {
        Ok(file) => file,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let directed = expected["directed"].as_bool().expect("directed");
    let direction = if directed { Direction::Directed } else { Direction::Undirected };
    let mut differences = column_differences(name, expected, &file);
    for (field, found) in figures(&file, &file.simple(direction)) {
        let wanted = expected[field].as_u64().expect(field);
        if found != wanted {
            differences.push(format!("{name}: {field} is {found}, expected {wanted}"));
        }
    }
    differences
}

/// The file beside `expected.json`; `G.{v,e}` stands for the edge file `G.e`.
fn graph_path(expected: &Value) -> PathBuf {
    let file = expected["file"].as_str().expect("file");
    data_folder().join(file.replace("{v,e}", "e"))
}

fn figures(file: &GraphFile, simple: &SimpleGraph) -> [(&'static str, u64); 8] {
    let self_loops = file.sources.iter().zip(&file.destinations).filter(|(u, v)| u == v);
    [
        ("records", file.sources.len() as u64),
        ("self_loop_records", self_loops.count() as u64),
        ("n", u64::from(simple.n)),
        ("id_min", file.ids.id_of(0)),
        ("id_max", file.ids.id_of(file.ids.len() - 1)),
        ("m_arcs", simple.m_arcs()),
        ("m_undirected", simple.m_undirected),
        ("max_out_degree", u64::from(simple.max_out_degree())),
    ]
}

/// Whether direction, weights and times are those of the file. A file may have
/// weights that its figures do not use.
fn column_differences(name: &str, expected: &Value, file: &GraphFile) -> Vec<String> {
    let directed = expected["directed"].as_bool();
    let checks = [
        ("direction", file.declared_directed.is_none() || file.declared_directed == directed),
        ("weights", file.weights.is_some() || expected["native_weights"].is_null()),
        ("times", Some(file.times.is_some()) == expected["temporal"].as_bool()),
    ];
    let wrong = checks.into_iter().filter(|(_, agrees)| !agrees);
    wrong.map(|(column, _)| format!("{name}: {column} differ")).collect()
}

/// One graph in the formats that are read, and the line that its publisher's program
/// must print for each. Ids of edge lists begin at 0; there vertex 0 may be without edges.
#[test]
fn the_graph_of_gapbs_has_in_5_formats_what_gapbs_says() {
    let folder = data_folder().join("gapbs");
    if !folder.exists() {
        println!("SKIPPED: ../shared/data is not present");
        return;
    }
    for name in ["4.el", "4.wel", "4.gr", "4.mtx", "4w.mtx"] {
        let file = read(&folder.join(name), &mut |_| {}).expect(name);
        let simple = file.simple(Direction::Directed);
        let nodes = match name.ends_with("el") {
            true => file.ids.id_of(file.ids.len() - 1) + 1,
            false => u64::from(simple.n),
        };
        let arcs = simple.m_arcs();
        let said = fs::read_to_string(folder.join(format!("graph-{name}.out"))).expect(name);
        let found = format!("Graph has {nodes} nodes and {arcs} directed edges for degree: 3");
        assert_eq!(said.trim(), found, "{name}");
    }
    // GAPBS lists an arc once, where METIS lists an edge from both ends.
    let metis = read(&folder.join("4w.graph"), &mut |_| {}).expect_err("not METIS");
    assert!(metis.to_string().contains("declares 106 entries, but the file holds 53"), "{metis}");
}
