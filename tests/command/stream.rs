//! `meerkat stream` as a user meets it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::command::{Run, finish, meerkat};
use crate::support::random::Random;
use serde_json::Value;

fn stream(algorithm: &str, graph: &Path, further: &[&str]) -> Run {
    let mut command = meerkat();
    command.args(["stream", algorithm, "--device", "cpu", "--graph"]).arg(graph).args(further);
    finish(&mut command)
}

/// The JSON object of every batch; before them is one for what was read.
fn batches(run: &Run) -> Vec<Value> {
    let mut objects = objects(run);
    assert!(objects.remove(0)["input"]["records"].is_u64());
    objects
}

fn objects(run: &Run) -> Vec<Value> {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stderr, "", "no progress bar where there is no terminal");
    run.stdout.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

/// Records `u,v,w,t` not in time order, with loops and repeats.
fn records(count: u32) -> Vec<[u32; 4]> {
    let mut random = Random::new(7);
    let mut record = |_| {
        [random.below(40), random.below(40), 1 + random.below(9), 1000 + random.below(3 * count)]
    };
    (0..count).map(&mut record).collect()
}

fn write(folder: &Path, name: &str, records: &[[u32; 4]]) -> PathBuf {
    let mut text = String::new();
    for [u, v, w, t] in records {
        writeln!(text, "{u},{v},{w},{t}").expect("memory");
    }
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    path
}

/// The result of `run` on some of the records, in time order.
fn run_on(folder: &Path, algorithm: &str, records: &[[u32; 4]], further: &[&str]) -> Value {
    let path = write(folder, "some.csv", records);
    let mut command = meerkat();
    command
        .args(["run", algorithm, "--json", "--device", "cpu", "--graph"])
        .arg(path)
        .args(further);
    finish(&mut command).json()["result"].clone()
}

const IN_COMPACT: [&str; 2] = ["--container", "compact"];

#[test]
fn every_batch_has_the_result_that_run_gives_for_its_records() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut all = records(600);
    let path = write(folder.path(), "all.csv", &all);
    all.sort_by_key(|record| record[3]);
    let source = all[0][0].to_string();
    for algorithm in ["bfs", "sssp"] {
        for further in [&["--directed"][..], &["--undirected"]] {
            let further = [further, &["--source", &source]].concat();
            let grown = [&further[..], &["--batch-size", "100", "--json"]].concat();
            let grown = batches(&stream(algorithm, &path, &grown));
            assert_eq!(grown.len(), 6);
            for (number, batch) in grown.iter().enumerate() {
                let present = &all[..100 * (number + 1)];
                let expected = run_on(folder.path(), algorithm, present, &further);
                assert_eq!(batch["result"], expected, "{algorithm}, {further:?}, {batch}");
                assert_eq!(
                    (&batch["batch"]["number"], &batch["batch"]["updates"]),
                    (&(number + 1).into(), &100.into())
                );
            }
            let compact = [&further[..], &["--batch-size", "100", "--json"], &IN_COMPACT].concat();
            let compact = batches(&stream(algorithm, &path, &compact));
            for (slabs, compact) in grown.iter().zip(&compact) {
                for field in ["batch", "graph", "result"] {
                    assert_eq!(compact[field], slabs[field], "{algorithm}, {further:?}, {field}");
                }
            }
            assert_eq!(compact.len(), grown.len());
            let window = ["--batch-size", "100", "--json", "--window", "150", "--compare-static"];
            let slid = batches(&stream(algorithm, &path, &[&further[..], &window].concat()));
            let newest = &all[450..];
            if newest.iter().any(|record| record[0].to_string() == source) {
                let expected = run_on(folder.path(), algorithm, newest, &further);
                assert_eq!(slid[5]["result"], expected, "{algorithm}, {further:?}");
            }
            assert_eq!(slid[5]["batch"]["updates"], 200, "100 came and 100 went");
            for time in ["graph", "algorithm", "from_scratch"] {
                let ms = slid[5]["timings_ms"][time].as_f64();
                assert!(ms.is_some_and(|ms| ms >= 0.0), "{time}");
            }
        }
    }
}

#[test]
fn a_stream_over_ranks_says_what_one_device_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), "all.csv", &records(600));
    for (algorithm, ranks) in [("bfs", "2"), ("sssp", "3"), ("wcc", "3"), ("triangles", "2")] {
        for further in [&["--undirected"][..], &["--directed", "--window", "250"]] {
            let further = [further, &["--batch-size", "150", "--json"]].concat();
            let alone = batches(&stream(algorithm, &path, &further));
            let over = |container: &str| {
                let mut command = meerkat();
                command.args(["stream", algorithm, "--ranks", ranks, "--container", container]);
                command.arg("--compare-static").arg("--graph").arg(&path).args(&further);
                batches(&finish(&mut command))
            };
            for container in ["slabs", "compact"] {
                let over = over(container);
                assert_eq!(over.len(), alone.len());
                for (over, alone) in over.iter().zip(&alone) {
                    for field in ["batch", "graph", "result"] {
                        assert_eq!(over[field], alone[field], "{algorithm}, {further:?}, {field}");
                    }
                    let ms = over["timings_ms"]["from_scratch"].as_f64();
                    assert!(ms.is_some_and(|ms| ms >= 0.0), "{over}");
                }
            }
        }
    }
}

#[test]
fn ranks_over_ranks_follow_within_their_bound() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), "all.csv", &records(600));
    let further = ["--batch-size", "150", "--json"];
    let alone = batches(&stream("pagerank", &path, &further));
    let mut command = meerkat();
    command.args(["stream", "pagerank", "--ranks", "3", "--graph"]).arg(&path).args(further);
    let over = batches(&finish(&mut command));
    assert_eq!(over.len(), alone.len());
    for (over, alone) in over.iter().zip(&alone) {
        let bound = |batch: &Value| batch["result"]["error_bound"].as_f64().expect("a bound");
        let top = |batch: &Value| batch["result"]["top20"][0][1].as_f64().expect("a rank");
        let difference = (top(over) - top(alone)).abs();
        assert!(difference <= bound(over) + bound(alone) + 1e-12, "{difference}: {over} {alone}");
        assert_eq!(over["batch"], alone["batch"]);
    }
}

#[test]
fn a_truss_that_follows_is_that_of_run_and_names_the_vertices() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut all = records(600);
    let path = write(folder.path(), "all.csv", &all);
    all.sort_by_key(|record| record[3]);
    for k in ["3", "5"] {
        for container in ["slabs", "compact"] {
            let further = ["--k", k, "--batch-size", "100", "--json", "--window", "400"];
            let further = [&further[..], &["--container", container, "--compare-static"]].concat();
            let found = batches(&stream("ktruss", &path, &further));
            assert_eq!(found.len(), 6);
            for (number, batch) in found.iter().enumerate() {
                let end = 100 * (number + 1);
                let present = &all[end.saturating_sub(400)..end];
                let expected = run_on(folder.path(), "ktruss", present, &["--k", k]);
                assert_eq!(batch["result"], expected, "{k}, {container}, {batch}");
            }
        }
    }
    let path = folder.path().join("t.txt");
    fs::write(&path, "1 2 10\n2 3 20\n3 1 30\n3 4 40\n").expect("a file");
    let last = folder.path().join("last");
    let further = ["-b", "2", "--k", "3", "--output", last.to_str().expect("UTF-8")];
    let run = stream("ktruss", &path, &further);
    assert!(run.stdout.contains("3 edges of 3 vertices"), "{}", run.stdout);
    assert_eq!(fs::read_to_string(last).expect("an answer"), "1 2\n2 2\n3 2\n4 0\n");
}

#[test]
fn a_window_of_time_keeps_what_is_young_enough() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = [[0, 1, 1, 0], [1, 2, 1, 59], [2, 3, 1, 60], [0, 2, 1, 120], [3, 4, 1, 121]];
    let path = write(folder.path(), "t.csv", &all);
    let further = ["--source", "0", "--batch-size", "1", "--json", "--window"];
    let arcs = |window| -> Vec<u64> {
        let found = batches(&stream("bfs", &path, &[&further[..], &[window]].concat()));
        found.iter().map(|batch| batch["graph"]["m_arcs"].as_u64().expect("a number")).collect()
    };
    assert_eq!(arcs("1m"), [1, 2, 3, 2, 2]);
    assert_eq!(arcs("60s"), [1, 2, 3, 2, 2]);
    assert_eq!(arcs("1s"), [1, 1, 2, 1, 2]);
    assert_eq!(arcs("1d"), [1, 2, 3, 4, 5]);
    assert_eq!(arcs("2"), [1, 2, 2, 2, 2]);
}

/// Fractional times and dates, and times in milliseconds: one stream in three spellings.
#[test]
fn a_window_of_time_is_the_same_in_every_spelling_of_times() {
    let folder = tempfile::tempdir().expect("a folder");
    let arcs = |name: &str, text: &str, further: &[&str]| -> Vec<u64> {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        let window = ["--source", "0", "--batch-size", "1", "--json", "--window", "60s"];
        let found = batches(&stream("bfs", &path, &[&window[..], further].concat()));
        found.iter().map(|batch| batch["graph"]["m_arcs"].as_u64().expect("a number")).collect()
    };
    let expected = [1, 2, 2, 1];
    let seconds = "0 1 0\n1 2 59.5\n2 3 60.5\n0 2 200\n";
    assert_eq!(arcs("s.txt", seconds, &[]), expected);
    let milliseconds = "0 1 0\n1 2 59500\n2 3 60500\n0 2 200000\n";
    assert_eq!(arcs("ms.txt", milliseconds, &["--time-unit", "ms"]), expected);
    let dates = "source,target,time\n0,1,1970-01-01\n1,2,1970-01-01T00:00:59.5Z\n\
                 2,3,1970-01-01 00:01:00.5\n0,2,1970-01-01T01:03:20+01:00\n";
    assert_eq!(arcs("dates.csv", dates, &[]), expected);
}

/// A pair had one weight in a stream, and two in a run.
#[test]
fn synthetic_weights_of_an_undirected_stream_are_those_of_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = records(300);
    let path = write(folder.path(), "t.csv", &all);
    let further = ["--undirected", "--weights", "synthetic", "--source", &all[0][0].to_string()];
    let expected = run_on(folder.path(), "sssp", &all, &further);
    let found = batches(&stream("sssp", &path, &[&further[..], &["--json"]].concat()));
    assert_eq!(found.last().expect("a batch")["result"], expected);
}

#[test]
fn every_batch_says_its_span_of_time_and_may_write_its_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.txt");
    fs::write(&path, "1 2 10\n2 3 20.5\n3 4 30\n").expect("a file");
    let output = folder.path().join("out-{batch}");
    let further = ["-b", "2", "--json", "--output", output.to_str().expect("UTF-8")];
    let found = batches(&stream("bfs", &path, &further));
    let times = |at: usize| (&found[at]["batch"]["first_time"], &found[at]["batch"]["last_time"]);
    assert_eq!(times(0), (&10.0.into(), &20.5.into()));
    assert_eq!(times(1), (&30.0.into(), &30.0.into()));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("an answer");
    assert_eq!(read("out-1"), "1 0\n2 1\n3 2\n4 9223372036854775807\n");
    assert_eq!(read("out-2"), "1 0\n2 1\n3 2\n4 3\n");
    let last = folder.path().join("last");
    let further = ["-b", "1", "--output", last.to_str().expect("UTF-8")];
    assert_eq!(stream("bfs", &path, &further).code, Some(0));
    assert_eq!(read("last"), read("out-2"));
    stream("bfs", &path, &["--output", "-"]).assert_refused(2, &["--output -", "stream"]);
    stream("bfs", &path, &["--output", path.to_str().expect("UTF-8")])
        .assert_refused(2, &["this is a file of the graph"]);
    // Said before the first batch, not when it comes to the third.
    let third = folder.path().join("t.3");
    fs::copy(&path, &third).expect("a copy");
    let each = folder.path().join("t.{batch}");
    stream("bfs", &third, &["-b", "1", "--output", each.to_str().expect("UTF-8")])
        .assert_refused(2, &["this is a file of the graph"]);
    assert!(!folder.path().join("t.1").exists());
}

/// What the frontier left out added up: 3e-7 after 400 batches where 1e-12 was asked for.
#[test]
fn ranks_of_a_stream_of_400_batches_keep_their_tolerance() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = records(800);
    let path = write(folder.path(), "t.csv", &all);
    let ranks = |words: &[&str]| -> Vec<(String, f64)> {
        let output = folder.path().join("ranks");
        let mut command = meerkat();
        command.args(words).args(["--device", "cpu", "--graph"]).arg(&path);
        let run = finish(command.arg("--output").arg(&output));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let text = fs::read_to_string(&output).expect("ranks");
        let line = |line: &str| {
            let (id, rank) = line.split_once(' ').expect("two fields");
            (id.to_owned(), rank.parse().expect("a rank"))
        };
        text.lines().map(line).collect()
    };
    let expected = ranks(&["run", "pagerank"]);
    for method in ["nd", "dt", "df", "dfp"] {
        let found = ranks(&["stream", "pagerank", "--batch-size", "2", "--method", method]);
        for ((id, found), (_, expected)) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-11, "{method}, {id}: {found} {expected}");
        }
    }
}

#[test]
fn options_that_the_algorithm_does_not_read_are_refused() {
    let graph = Path::new("g.txt");
    let refused = |algorithm, further: &[&str], parts: &[&str]| {
        stream(algorithm, graph, further).assert_refused(2, parts);
    };
    refused("wcc", &["--source", "5"], &["'--source'", "`--source` is an option of bfs and sssp"]);
    refused("bfs", &["--shift-weights", "2"], &["`--shift-weights` is an option of sssp"]);
    refused(
        "triangles",
        &["--max-iterations", "9"],
        &["`--max-iterations` is an option of pagerank"],
    );
}

#[test]
fn the_first_object_says_what_was_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.csv");
    fs::write(&path, "1,2,5,10\n2,2,1,20\n2,1,7,30\n").expect("a file");
    let run = stream("sssp", &path, &["--undirected", "--json", "--time-unit", "ms"]);
    let expected = serde_json::json!({
        "file": path.to_str(), "format": "csv",
        "direction": "undirected", "direction_origin": "option",
        "columns": ["source", "target", "weight", "time"], "columns_origin": "default",
        "ids": "numbers", "time_unit": "ms", "weights": "column",
        "records": 3, "loops": 1, "duplicates": 1, "vertices": 2, "arcs": 2,
    });
    assert_eq!(objects(&run)[0]["input"], expected);
}

#[test]
fn the_table_has_a_row_a_batch_and_ends_with_sums() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), "t.csv", &records(250));
    let run = stream("sssp", &path, &["--batch-size", "100", "--compare-static"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines: Vec<_> = run.stdout.lines().collect();
    assert!(lines[0].starts_with("graph    ") && lines[0].contains("t.csv"), "{}", lines[0]);
    assert!(lines[3].contains("of 250 records, "), "{}", lines[3]);
    let table = lines.iter().position(|line| line.is_empty()).expect("an end of what was read");
    let lines = &lines[table + 1..];
    assert_eq!(lines.len(), 1 + 3 + 2, "{}", run.stdout);
    for part in ["batch", "graph ms", "algorithm ms", "scratch ms"] {
        assert!(lines[0].contains(part), "{}", lines[0]);
    }
    assert!(lines[1].contains("reached to distance"), "{}", lines[1]);
    assert!(lines[5].starts_with("250 updates in 3 batches: graph "), "{}", lines[5]);
    assert!(lines[5].contains("from scratch"), "{}", lines[5]);
}

#[test]
fn a_graph_without_times_and_bad_options_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let timeless = folder.path().join("g.txt");
    fs::write(&timeless, "1 2\n2 3\n").expect("a file");
    stream("bfs", &timeless, &[]).assert_refused(2, &["g.txt", "no times"]);
    let path = write(folder.path(), "t.csv", &records(20));
    stream("bfs", &path, &["--batch-size", "0"]).assert_refused(2, &["--batch-size"]);
    stream("bfs", &path, &["--window", "3w"]).assert_refused(2, &["--window", "30d"]);
    stream("dfs", &path, &[]).assert_refused(2, &["dfs", "bfs"]);
    stream("bfs", &path, &["--source", "77"]).assert_refused(2, &["id 77"]);
    let negative = folder.path().join("n.csv");
    fs::write(&negative, "1,2,-3,5\n").expect("a file");
    stream("sssp", &negative, &[]).assert_refused(2, &["1 -> 2", "-3", "--shift-weights"]);
}
