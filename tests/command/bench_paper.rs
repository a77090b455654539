//! `meerkat bench paper` as a user meets it: every experiment of every paper on tiny graphs, its
//! files and its tables.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::schema::schema;
use crate::support::command::{finish, meerkat, run};

/// Runs a paper on the CPU, with the folder for its files.
fn paper(line: &str, out: &Path) -> Value {
    let mut command = meerkat();
    command.args(["bench", "paper"]).args(line.split_whitespace());
    command.args(["--device", "cpu", "--json", "--out"]).arg(out);
    finish(&mut command).json()
}

/// An object of the file in the folder.
fn object(out: &Path, name: &Value) -> Value {
    let text = fs::read_to_string(out.join(name.as_str().expect("a name"))).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

/// Every tag of an SVG is closed, and its attributes are quoted: enough XML for what is drawn.
fn assert_is_xml(text: &str) {
    let (mut open, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once('<') {
        assert!(!before.contains('&') || before.contains(';'), "{before}");
        let (tag, after) = after.split_once('>').expect("a tag has an end");
        rest = after;
        if tag.starts_with(['?', '!']) {
            continue;
        }
        assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name.to_owned()), "</{name}>"),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split_whitespace().next().expect("a name").to_owned()),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// All that is true of a quick run of a paper; `parts` are the names of its experiments.
fn assert_complete(name: &str, parts: &[&str], not_run: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("new/figures");
    let found = paper(&format!("{name} --quick"), &out);
    let (schemas, index) = schema();
    schemas.validate(&found, index).unwrap_or_else(|error| panic!("{error:#}"));
    let result = &found["result"];
    assert_eq!(result["quick"], true);
    assert_eq!(result["not_run"].as_array().map(Vec::len), Some(not_run));
    let experiments = result["experiments"].as_array().expect("experiments");
    let names: Vec<_> =
        experiments.iter().map(|one| one["experiment"].as_str().expect("text")).collect();
    assert_eq!(names, parts);
    for experiment in experiments {
        let file = object(&out, &experiment["json_file"]);
        schemas.validate(&file, index).unwrap_or_else(|error| panic!("{error:#}"));
        assert_eq!(file["result"]["title"], experiment["title"]);
        let rows = experiment["rows"].as_array().expect("rows");
        assert!(!rows.is_empty(), "{}", experiment["experiment"]);
        let path = out.join(experiment["svg_file"].as_str().expect("a name"));
        let svg = fs::read_to_string(path).expect("a drawing");
        assert_is_xml(&svg);
        for row in rows {
            let value = row["value"].as_f64().expect("a number");
            assert!(value.is_finite() && value >= 0.0, "{row}");
            let drawn = ["series", "graph"].map(|field| row[field].as_str().expect("text"));
            let is_drawn = |name: &&str| !name.is_empty() && svg.contains(name);
            assert!(drawn.iter().any(is_drawn), "{row} in {}", experiment["svg_file"]);
        }
    }
    // Two files of each, and nothing else.
    assert_eq!(fs::read_dir(&out).expect("the folder").count(), 2 * parts.len());
}

#[test]
fn all_of_meerkats_evaluation_runs_on_tiny_graphs() {
    let parts = [
        "Table 5",
        "Figure 3",
        "Figure 4",
        "Figure 5",
        "Figure 6a",
        "Figure 6b",
        "Figure 7a",
        "Figure 7b",
        "Figure 8a",
        "Figure 8b",
        "Figure 9",
        "Figure 10",
        "Figure 11a",
        "Figure 11b",
        "Figure 12a",
        "Figure 12b",
        "Table 6",
    ];
    assert_complete("meerkat", &parts, 1);
}

#[test]
fn all_of_awads_evaluation_runs_on_tiny_graphs() {
    let parts = [
        "Table II",
        "Table III",
        "Table IV",
        "Table V",
        "Table VI",
        "Table VII",
        "Table IX",
        "Figure 2",
        "Figure 3",
    ];
    assert_complete("awad", &parts, 3);
}

#[test]
fn all_of_the_dfp_evaluation_runs_on_tiny_graphs() {
    let parts = [
        "Table 2a",
        "Table 2b",
        "Figure 2",
        "Figure 3a",
        "Figure 3b",
        "Figure 4",
        "Figure 5",
        "Figure 9",
        "Figure 10",
        "Figure 11",
        "Figure 12",
        "Figure 13",
    ];
    assert_complete("dfp", &parts, 4);
}

#[test]
fn all_of_hornets_evaluation_runs_on_tiny_graphs() {
    let parts = [
        "Figure 4a",
        "Figure 4b",
        "Figure 4c",
        "Figure 5b",
        "Figure 6b",
        "Figure 7",
        "Figure 8",
        "Figure 9",
    ];
    assert_complete("hornet", &parts, 4);
}

#[test]
fn the_papers_figures_stand_beside_ours_and_ratios_of_both_below() {
    let folder = tempfile::tempdir().expect("a folder");
    let found = paper("awad --table II,v --quick", folder.path());
    let experiments = &found["result"]["experiments"];
    assert_eq!(experiments.as_array().map(Vec::len), Some(2));
    let of = |rows: &Value, graph: &str, series: &str| -> Vec<Value> {
        let rows = rows.as_array().expect("rows").iter();
        let is_it = |row: &&Value| row["graph"] == graph && row["series"] == series;
        rows.filter(is_it).map(|row| row["paper"].clone()).collect()
    };
    let means = of(&experiments[0]["rows"], "mean", "slab lists");
    assert_eq!((means.len(), &means[0], &means[6]), (7, &501.33.into(), &646.01.into()));
    let ratios = of(&experiments[0]["ratios"], "mean", "slab lists / block arrays");
    let ratio = ratios[0].as_f64().expect("a ratio");
    assert!((ratio - 501.33 / 33.67).abs() < 1e-9, "{ratio}");
    let built = of(&experiments[1]["rows"], "delaunay_n20", "block arrays");
    assert_eq!(built, [Value::from(37.68)]);
    // What is left out is said of a whole paper alone.
    assert_eq!(found["result"]["not_run"], serde_json::json!([]));
}

#[test]
fn a_given_file_and_one_in_the_folder_come_before_stand_ins() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let used = |line: &str| {
        let found = paper(line, &out);
        let graphs = found["result"]["experiments"][0]["graphs"].clone();
        let of = |graph: &Value| (graph["name"].clone(), graph["origin"].clone());
        graphs.as_array().expect("graphs").iter().map(of).collect::<Vec<_>>()
    };
    let given = used("meerkat --table 5 --quick --graphs tests/graphs/karate.mtx grid:9x9");
    assert_eq!(given[0], ("karate".into(), "given".into()));
    assert_eq!(given[1], ("grid:9x9:0:0".into(), "given".into()));
    let graphs = folder.path().join("graphs");
    fs::create_dir(&graphs).expect("a folder");
    let edges = "1 2\n2 3\n3 1\n3 4\n";
    fs::write(graphs.join("Wiki-Talk.txt"), edges).expect("a file");
    let line = format!("meerkat --table 5 --quick --folder {}", graphs.display());
    let found = used(&line);
    assert_eq!(found.iter().filter(|graph| graph.1 == "folder").count(), 1);
    assert!(found.contains(&("Wiki-talk".into(), "folder".into())), "{found:?}");
    assert!(found.contains(&("USAFull".into(), "stand-in".into())), "{found:?}");
}

#[test]
fn a_temporal_file_is_followed_by_its_times() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("t.txt");
    // Later records stand first.
    let record = |at: u32| format!("{} {} {}\n", at % 17, (at * 7 + 1) % 19, 1000 - at);
    fs::write(&file, (0..200).map(record).collect::<String>()).expect("a file");
    let line = format!("dfp --figure 9,3b --quick --graphs {}", file.display());
    let found = paper(&line, folder.path());
    let experiments = found["result"]["experiments"].as_array().expect("experiments");
    assert_eq!(experiments.len(), 2);
    for row in experiments.iter().flat_map(|one| one["rows"].as_array().expect("rows")) {
        let is_error = row["panel"].as_str().is_none_or(|panel| panel.starts_with("error"));
        let value = row["value"].as_f64().expect("a number");
        assert!(!is_error || value < 1e-4, "{row}");
    }
}

#[test]
fn the_text_has_a_table_of_each_and_what_was_not_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = meerkat();
    command.args("bench paper hornet --quick --device cpu --figure 4 --out".split_whitespace());
    let text = finish(command.arg(folder.path())).stdout;
    for part in [
        "Hornet: An Efficient Data Structure",
        "the paper's figures are of one P100",
        "Figure 4a: places of blocks that hold edges (%)",
        "dblp-2010: rmat:8:1600 stands in (https://sparse.tamu.edu/LAW/dblp-2010)",
        "paper: Hornet over cuSTINGER, about: 2",
        "3 tables and figures, as JSON and SVG in",
    ] {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}

#[test]
fn tables_and_figures_that_there_are_not_are_refused_with_those_there_are() {
    let refused = |line: &str, parts: &[&str]| {
        run(format!("bench paper {line}").split_whitespace()).assert_refused(2, parts);
    };
    let known = ["`meerkat` has no table 9", "Table 5, Figure 3, Figure 4"];
    refused("meerkat --table 9 --out target/none", &known);
    refused("dfp --figure 3,1 --out target/none", &["no figure 1", "Figure 3a, Figure 3b"]);
    refused("hornet --table 4 --out target/none", &["no table 4", "Figure 4a"]);
    refused("gunrock --out target/none", &["gunrock", "meerkat, awad, dfp, hornet"]);
    refused("meerkat", &["--out <DIR>"]);
    refused("awad --out Cargo.toml/figures", &["Cargo.toml/figures: cannot write the results"]);
    refused("awad --graphs g --folder f --out o", &["cannot be used with"]);
    refused(
        "awad --table II --graphs no/such.mtx --out target/none",
        &["Table II of `awad` on no/such.mtx: no/such.mtx: no such file"],
    );
}
