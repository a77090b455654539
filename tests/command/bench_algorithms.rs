//! `meerkat bench algorithms` and `meerkat bench dynamic` as a user meets it.

use crate::support::command::run;
use serde_json::Value;

fn bench(line: &str) -> Value {
    let line = format!("bench {line} --device cpu --json");
    run(line.split_whitespace()).json()
}

#[test]
fn dynamic_measures_every_algorithm_kind_and_size_and_agrees_with_scratch() {
    for graph in ["rmat:8", "grid:20x20:30:10", "uniform:300:900", "tests/graphs/rome99.gr.gz"] {
        let sizes = "--batch-size 20,50 --batches 3";
        let searches = "--algorithms bfs,sssp --orientation out";
        let found = bench(&format!("dynamic --graph {graph} {sizes} {searches}"));
        assert_eq!(found["command"], "bench dynamic");
        assert_eq!(found["device"]["name"], "cpu");
        let rows = found["result"]["rows"].as_array().expect("rows");
        assert_eq!(rows.len(), 2 * 3 * 2, "{graph}");
        for row in rows {
            assert_eq!(row["batches"], 3);
            assert_eq!(row["dynamic_runs_ms"].as_array().map(Vec::len), Some(3));
            for number in ["graph_ms", "dynamic_ms", "static_ms", "batch_ms", "speedup"] {
                assert!(row[number].as_f64().is_some_and(|number| number >= 0.0), "{number}");
            }
        }
        let of = |at: usize| (&rows[at]["algorithm"], &rows[at]["kind"], &rows[at]["batch_size"]);
        assert_eq!(of(0), (&"bfs".into(), &"incremental".into(), &20.into()));
        assert_eq!(of(11), (&"sssp".into(), &"mixed".into(), &50.into()));
    }
}

#[test]
fn dynamic_measures_all_six_algorithms_that_follow_updates() {
    for graph in ["rmat:7", "grid:12x12"] {
        let found = bench(&format!("dynamic --graph {graph} --batch-size 30 --batches 2"));
        let rows = found["result"]["rows"].as_array().expect("rows");
        assert_eq!(rows.len(), 6 * 3, "{graph}");
    }
}

#[test]
fn every_algorithm_is_measured_in_every_container_that_changes() {
    for container in ["compact", "blocks"] {
        let line = format!("--graph rmat:6 --container {container}");
        let of = |found: &Value| {
            let rows = found["result"]["rows"].as_array().expect("rows").clone();
            assert!(rows.iter().all(|row| row["container"] == container), "{found}");
            rows.len()
        };
        assert_eq!(of(&bench(&format!("dynamic {line} --batch-size 20 --batches 2"))), 6 * 3);
        let from_scratch = bench(&format!("algorithms {line} --repeat 1"));
        assert_eq!(of(&from_scratch), 16);
        let rows = from_scratch["result"]["rows"].as_array().expect("rows");
        assert!(rows.iter().all(|row| row["verified"] == true), "{from_scratch}");
    }
    let slabs = bench("algorithms --graph rmat:6 --repeat 1 --algorithms wcc --unverified");
    assert_eq!(slabs["result"]["rows"][0]["container"], Value::Null);
    assert_eq!(slabs["result"]["rows"][0]["verified"], Value::Null);
}

#[test]
fn dynamic_with_all_defaults_measures_every_small_graph_of_the_repository() {
    for file in ["jagmesh7.mtx", "as-20000102.txt.gz", "email-Eu-core.txt.gz", "rome99.gr.gz"] {
        let found = bench(&format!("dynamic --graph tests/graphs/{file}"));
        let rows = found["result"]["rows"].as_array().expect("rows");
        let ranks = rows.iter().filter(|row| row["algorithm"] == "pagerank");
        assert!(ranks.clone().all(|row| row["tolerance"] == 1e-10 && row["error"].is_number()));
        assert_eq!(ranks.count(), 3, "{file}");
    }
}

#[test]
fn dynamic_follows_many_batches_of_one_edge_of_pagerank() {
    for graph in ["tests/graphs/karate.mtx", "tests/graphs/example-directed.e", "rmat:6"] {
        for loops in ["", "--dead-ends self-loops"] {
            let sizes = "--batch-size 1 --batches 1000 --algorithms pagerank";
            let found = bench(&format!("dynamic --graph {graph} {sizes} {loops}"));
            assert_eq!(found["result"]["rows"].as_array().map(Vec::len), Some(3));
        }
    }
}

#[test]
fn the_largest_sizes_that_can_be_set_are_no_overflow() {
    let most = usize::MAX;
    let sizes = format!("--batch-size {most} --batches {most} --algorithms wcc");
    let found = bench(&format!("dynamic --graph tests/graphs/karate.mtx {sizes}"));
    assert_eq!(found["result"]["rows"].as_array().map(Vec::len), Some(3));
}

/// A graph of 34 vertices was once reported as a bug: ranks of hubs differ by more there.
#[test]
fn dynamic_with_all_defaults_measures_a_small_graph() {
    let found = bench("dynamic --graph tests/graphs/karate.mtx");
    assert_eq!(found["result"]["rows"].as_array().map(Vec::len), Some(6 * 3));
}

#[test]
fn mixed_batches_have_as_many_insertions_as_asked() {
    let line = "dynamic --graph rmat:7 --algorithms pagerank --kinds mixed --batch-size 40 \
                --batches 2 --inserted 80 --dead-ends self-loops";
    let found = bench(line);
    assert_eq!(found["result"]["rows"][0]["insertions"], 64, "{found}");
    assert!(
        found["result"]["rows"][0]["error"].as_f64().is_some_and(|error| error < 1e-7),
        "{found}"
    );
}

#[test]
fn a_batch_larger_than_the_graph_moves_all_of_it() {
    let found = bench("dynamic --graph grid:8x8 --batch-size 100000 --algorithms bfs");
    for row in found["result"]["rows"].as_array().expect("rows") {
        assert_eq!(row["batches"], 1);
    }
}

#[test]
fn algorithms_measures_each_variant_as_often_as_asked() {
    let found = bench("algorithms --graph grid:30x30 --repeat 4");
    let rows = found["result"]["rows"].as_array().expect("rows");
    let field = |name: &str| -> Vec<_> {
        rows.iter().map(|row| row[name].as_str().expect("text").to_owned()).collect()
    };
    assert_eq!(
        field("variant"),
        [
            "levels",
            "tree",
            "distances",
            "tree",
            "",
            "total",
            "per vertex",
            "f64",
            "f64, loops",
            "f32",
            "k = 4",
            "all",
            "f32",
            "f64",
            "f32, lengths",
            "f64, lengths"
        ]
    );
    assert_eq!(field("algorithm")[4..8], ["wcc", "triangles", "triangles", "pagerank"]);
    assert_eq!(field("algorithm")[9..11], ["pagerank", "ktruss"]);
    assert!(rows[7]["iterations"].as_u64().is_some_and(|steps| steps > 1), "{}", rows[7]);
    assert_eq!(rows[9]["iterations"], 20);
    assert!(rows[4].get("iterations").is_none(), "{}", rows[4]);
    for row in rows {
        assert_eq!(row["runs_ms"].as_array().map(Vec::len), Some(4));
        assert!(row["median_ms"].as_f64().is_some_and(|ms| ms > 0.0));
    }
    assert_eq!(found["graph"]["n"], 900);
}

#[test]
fn tables_have_a_head_and_a_row_for_each() {
    let line = "bench dynamic --graph grid:10x10 --device cpu --batch-size 10 --kinds mixed \
                --algorithms bfs,wcc";
    let text = run(line.split_whitespace()).stdout;
    for part in
        ["bench dynamic on cpu", "grid:10x10:0:0: 100 vertices", "speedup", "bfs        mixed"]
    {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
    assert_eq!(text.lines().count(), 4 + 2, "{text}");
}

#[test]
fn bad_graphs_and_kinds_are_refused() {
    let refused = |line: &str, parts: &[&str]| {
        run(line.split_whitespace()).assert_refused(2, parts);
    };
    refused("bench dynamic --graph rmat:99", &["rmat:99", "rmat:SCALE"]);
    refused("bench dynamic --graph uniform:5", &["uniform:VERTICES:EDGES"]);
    refused("bench dynamic --graph grid:8x8 --kinds some", &["some", "mixed"]);
    refused("bench dynamic --graph grid:8x8 --inserted 100", &["--inserted", "100"]);
    refused("bench algorithms --graph no/such.mtx", &["no/such.mtx"]);
    refused("bench algorithms --graph grid:8x8 --repeat 0", &["--repeat"]);
}
