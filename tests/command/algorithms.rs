//! `meerkat run wcc|triangles|pagerank|ktruss|spmv` as a user meets them.

use std::fs;

use serde_json::{Value, json};

use crate::support::command::{Run, finish, meerkat, run};
use crate::support::expected::graphs_in;
use crate::support::graphs_folder;

fn run_on(algorithm: &str, graph: &str, further: &[&str]) -> Run {
    let path = graphs_folder().join(graph);
    let mut command = meerkat();
    command.args(["run", algorithm, "--device", "cpu", "--graph"]).arg(path).args(further);
    finish(&mut command)
}

#[test]
fn json_agrees_with_the_expected_answers_of_7_graphs() {
    for (name, path, expected) in graphs_in(&graphs_folder()).expect("the graphs") {
        let file = path.file_name().and_then(|file| file.to_str()).expect("a file name");
        let direction = if expected.directed { "--directed" } else { "--undirected" };
        let result = |algorithm| {
            let found = run_on(algorithm, file, &[direction, "--json"]).json();
            assert_eq!(found["algorithm"], algorithm);
            assert_eq!(found["graph"]["m_arcs"], expected.m_arcs, "{name}");
            found["result"].clone()
        };
        let wcc = json!({ "count": expected.wcc.count, "largest": expected.wcc.largest });
        assert_eq!(result("wcc"), wcc, "{name}");
        assert_eq!(result("triangles"), json!({ "triangles": expected.triangles }), "{name}");
        let (found, expected) = (result("pagerank"), &expected.pagerank);
        assert_eq!(found["iterations"], expected.iterations, "{name}");
        let number = |value: &Value| value.as_f64().expect("a number");
        assert!((number(&found["sum"]) - expected.sum).abs() < 1e-12, "{name}");
        let top = found["top20"].as_array().expect("a list");
        assert_eq!(top.len(), expected.top20.len(), "{name}");
        for (pair, (_, rank)) in top.iter().zip(&expected.top20) {
            assert!((number(&pair[1]) - rank).abs() < 6e-12, "{name}: {pair}");
        }
        assert_eq!(top[0][0], expected.top20[0].0, "{name}");
    }
}

#[test]
fn summaries_say_what_was_found() {
    let cases = [
        (
            "wcc",
            &["wcc on cpu", "found    1 component\n", "largest  34 vertices, 100.0 % of all"][..],
        ),
        ("triangles", &["triangles on cpu", "found    45 triangles"]),
        (
            "pagerank",
            &[
                "pagerank on cpu",
                "steps    75, the last of which changed 8.6e-13",
                "34  0.100919182",
            ],
        ),
        (
            "ktruss",
            &[
                "largest  5-truss: 14 edges; 6 vertices, 17.6 % of all",
                "        5               14\n",
            ],
        ),
        ("spmv", &["spmv in f64 by ones on cpu", "y        sum 156, norm 34.8", "product  "]),
    ];
    for (algorithm, parts) in cases {
        let run = run_on(algorithm, "karate.mtx", &[]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        for part in parts {
            assert!(run.stdout.contains(part), "`{part}` is not in:\n{}", run.stdout);
        }
    }
}

#[test]
fn output_has_a_line_for_every_vertex() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = |algorithm: &str, graph| {
        let output = folder.path().join(algorithm);
        let path = output.to_str().expect("UTF-8");
        let run = run_on(algorithm, graph, &["--output", path]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let text = fs::read_to_string(&output).expect("the results");
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let wcc = lines("wcc", "test-bfs-directed.e");
    assert_eq!((wcc.len(), &wcc[0][..], &wcc[9][..]), (10, "1 1", "10 9"));
    let corners = lines("triangles", "karate.mtx");
    assert_eq!((corners.len(), &corners[0][..], &corners[11][..]), (34, "1 18", "12 0"));
    let ranks = lines("pagerank", "karate.mtx");
    assert!(ranks[0].starts_with("1 0.0969972853"), "{}", ranks[0]);
    let sum: f64 = ranks
        .iter()
        .map(|line| line[line.find(' ').expect("a space") + 1..].parse::<f64>().expect("a rank"))
        .sum();
    assert!((sum - 1.0).abs() < 1e-12);
}

#[test]
fn pagerank_takes_precision_tolerance_steps_and_dead_ends() {
    let result = |further: &[&str]| {
        let further = [further, &["--json"]].concat();
        run_on("pagerank", "email-Eu-core.txt.gz", &further).json()["result"].clone()
    };
    let iterations = |further: &[&str]| result(further)["iterations"].as_u64().expect("a number");
    assert!(iterations(&["--tolerance", "1e-3"]) < iterations(&["--tolerance", "1e-6"]));
    assert!(iterations(&["--norm", "linf"]) < iterations(&[]));
    assert_eq!(iterations(&["--iterations", "7"]), 7);
    let (double, single) = (result(&[]), result(&["--precision", "f32"]));
    assert_eq!(double["top20"][0][0], single["top20"][0][0]);
    for method in ["nd", "dt", "df", "dfp"] {
        let found = result(&["--method", method]);
        let first = |result: &Value| result["top20"][0].clone();
        assert_eq!(found["iterations"], double["iterations"], "{method}");
        assert_eq!(first(&found)[0], first(&double)[0], "{method}");
    }
    assert_ne!(result(&["--dead-ends", "self-loops"])["top20"], double["top20"]);
}

#[test]
fn ktruss_counts_what_is_left_and_names_the_truss_of_each_vertex() {
    let result =
        |k: &str| run_on("ktruss", "karate.mtx", &["--k", k, "--json"]).json()["result"].clone();
    let all = json!({ "k": 2, "edges": 78, "vertices": 34, "triangles": 45 });
    assert_eq!(result("2"), all);
    assert_eq!(result("5")["edges"], 14);
    assert_eq!(result("6"), json!({ "k": 6, "edges": 0, "vertices": 0, "triangles": 0 }));
    let most = result("max");
    assert_eq!((&most["k"], &most["edges"], &most["vertices"]), (&json!(5), &json!(14), &json!(6)));
    let counts = most["histogram"].as_array().expect("a list").iter();
    assert_eq!(counts.map(|count| count.as_u64().expect("a count")).sum::<u64>(), 78);
    let line = |further: &[&str]| {
        let run = run_on("ktruss", "karate.mtx", &[further, &["--output", "-"]].concat());
        run.stdout.lines().next().expect("a line").to_owned()
    };
    assert_eq!(line(&[]), "1 5", "vertex 1 is in the 5-truss");
    assert_eq!(line(&["--k", "2"]), "1 16", "vertex 1 has 16 neighbours");
}

/// The lines that `meerkat run spmv --output -` writes for a file of this content.
fn products(name: &str, content: &str, further: &[&str]) -> (Vec<String>, Run) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("a file");
    let mut command = meerkat();
    command.args(["run", "spmv", "--device", "cpu", "--output", "-", "--verify", "--graph"]);
    let run = finish(command.arg(path).args(further));
    (run.stdout.lines().map(str::to_owned).collect(), run)
}

const MATRIX: &str = "%%MatrixMarket matrix coordinate real general\n3 3 4\n";

#[test]
fn spmv_multiplies_by_the_files_entries_without_its_diagonal() {
    let rows = format!("{MATRIX}1 2 2.5\n1 3 -4\n3 1 0.25\n2 2 9\n");
    for container in ["slabs", "compact", "rows"] {
        let (lines, run) = products("m.mtx", &rows, &["--container", container]);
        assert_eq!(lines, ["1 -1.5", "2 0", "3 0.25"], "{container}: {}", run.stderr);
    }
    let (lines, _) = products("m.mtx", &rows, &["--weights", "unit", "--precision", "f32"]);
    assert_eq!(lines, ["1 2", "2 0", "3 1"]);
    // Whole numbers stay whole: these are more than a float holds.
    let large = "1,2,4294967295\n2,3,16777217\n";
    assert_eq!(products("m.csv", large, &[]).0, ["1 4294967295", "2 16777217", "3 0"]);
    let single = products("m.csv", large, &["--precision", "f32"]).0;
    assert_eq!(single, ["1 4294967300", "2 16777216", "3 0"]);
    let negative = "1,2,-3\n1,3,5\n3,2,1\n";
    assert_eq!(products("m.csv", negative, &[]).0, ["1 2", "2 0", "3 1"]);
}

#[test]
fn spmv_by_a_seed_is_the_same_each_time_and_another_for_another_seed() {
    let result = |further: &[&str]| {
        let further = [further, &["--json"]].concat();
        let result = run_on("spmv", "email-Eu-core.txt.gz", &further).json()["result"].clone();
        (result["sum"].as_f64().expect("a sum"), result["norm"].as_f64().expect("a norm"))
    };
    let first = result(&["--seed", "1"]);
    assert_eq!(result(&["--seed", "1"]), first);
    assert_ne!(result(&["--seed", "2"]), first);
    let ones = result(&[]);
    assert_eq!(ones.0, 24929.0, "the arcs");
    assert!((first.0 / ones.0 - 0.5).abs() < 0.05, "{first:?}: a mean of a half");
    let single = result(&["--seed", "1", "--precision", "f32"]);
    assert!((single.1 - first.1).abs() < 1e-5 * first.1, "{single:?}");
}

#[test]
fn weights_that_no_float_holds_are_refused() {
    let (_, run) = products("m.mtx", &format!("{MATRIX}1 2 1e39\n1 3 1\n2 1 1\n3 1 1\n"), &[]);
    run.assert_refused(2, &["1 -> 2", "32-bit floats", "--weights unit"]);
    let (lines, _) = products(
        "m.mtx",
        &format!("{MATRIX}1 2 3e38\n1 3 3e38\n2 1 1\n3 1 1\n"),
        &["--precision", "f32"],
    );
    assert_eq!(lines[0], "1 inf");
}

#[test]
fn answers_agree_with_plain_serial_code_and_trials_are_reported() {
    let graphs = ["karate.mtx", "rome99.gr.gz", "email-Eu-core.txt.gz", "test-bfs-directed.e"];
    let lines: [&[&str]; 17] = [
        &["bfs"],
        &["bfs", "--tree", "--undirected"],
        &["sssp", "--weights", "synthetic", "--tree"],
        &["wcc", "--output", "-"],
        &["tc"],
        &["tc", "--output", "-"],
        &["pr", "--dead-ends", "self-loops"],
        // The check once stopped before it had converged, and called this wrong.
        &["pr", "--dead-ends", "self-loops", "--damping", "0.99", "--max-iterations", "9999"],
        &["pr", "--tolerance", "1e-9", "--output", "-"],
        &["pr", "--precision", "f32"],
        &["ktruss"],
        &["ktruss", "--k", "4", "--output", "-"],
        &["ktruss", "--k", "2"],
        &["spmv", "--seed", "5"],
        &["spmv", "--seed", "6", "--precision", "f32", "--weights", "synthetic"],
        &["spmv", "--precision", "f32", "--undirected"],
        &["spmv", "--weights", "unit", "--output", "-"],
    ];
    for graph in graphs {
        for line in lines {
            let run = run_on(line[0], graph, &[&line[1..], &["--verify"]].concat());
            assert_eq!(run.code, Some(0), "{line:?} {graph}: {}", run.stderr);
            let said = run.stdout + &run.stderr;
            assert!(said.contains("verified against plain code"), "{said}");
        }
    }
    let found = run_on("cc", "karate.mtx", &["--trials", "4", "--json", "--verify"]).json();
    assert_eq!(found["result"]["trials_ms"].as_array().map(Vec::len), Some(4));
    assert_eq!(found["result"]["verified"], true);
    assert_eq!(found["algorithm"], "wcc", "an alias has the same name");
}

#[test]
fn every_algorithm_has_one_answer_over_every_container() {
    let lines: [&[&str]; 10] = [
        &["bfs", "--tree"],
        &["sssp", "--weights", "synthetic"],
        &["sssp", "--weights", "synthetic", "--tree", "--undirected"],
        &["wcc"],
        &["triangles", "--output", "-"],
        &["pagerank"],
        &["ktruss"],
        &["ktruss", "--k", "3"],
        &["spmv", "--seed", "1"],
        &["spmv", "--seed", "1", "--weights", "synthetic", "--precision", "f32"],
    ];
    for graph in ["karate.mtx", "email-Eu-core.txt.gz"] {
        for line in lines {
            let run = |container: &str| {
                let further = [&line[1..], &["--container", container, "--verify"]].concat();
                let run = run_on(line[0], graph, &further);
                assert_eq!(run.code, Some(0), "{line:?} {container}: {}", run.stderr);
                (run.stdout + &run.stderr).contains("verified against plain code")
            };
            assert!(["slabs", "compact", "rows"].into_iter().all(run), "{line:?} {graph}");
        }
    }
    let found = run_on("bfs", "karate.mtx", &["--container", "rows", "--json"]).json();
    assert_eq!(found["result"]["container"], "rows");
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |further: &[&str], code, parts: &[&str]| {
        run_on("pagerank", "karate.mtx", further).assert_refused(code, parts);
    };
    refused(
        &["--precision", "f32", "--tolerance", "1e-9", "--max-iterations", "3"],
        1,
        &["after 3 steps", "1e-9"],
    );
    for (flag, value) in [
        ("--tolerance", "0"),
        ("--damping", "1"),
        ("--damping", "-0.1"),
        ("--method", "push"),
        ("--precision", "f16"),
    ] {
        let arguments = [format!("{flag}={value}")];
        let run = run_on("pagerank", "karate.mtx", &[&arguments[0]]);
        assert_eq!(run.code, Some(2), "{flag} {value}: {}", run.stdout);
        assert!(run.stderr.contains(flag), "{}", run.stderr);
    }
    refused(&["--output", "/no/such/folder/ranks"], 2, &["/no/such/folder/ranks"]);
    for algorithm in ["wcc", "triangles", "pagerank", "ktruss", "spmv"] {
        let help = run(["run", algorithm, "--help"]);
        assert!(help.stdout.contains("Examples:"), "{}", help.stdout);
    }
}
