//! What the `meerkat` command says of what it read, and the ways to say it otherwise.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support::command::{Run, finish, meerkat, run};
use crate::support::{data_folder, graphs_folder, skipped};
use serde_json::{Value, json};

/// A file of this name and content in a folder.
fn file(folder: &Path, name: &str, content: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, content).expect("a file");
    path
}

fn run_wcc(graph: &Path, further: &[&str]) -> Run {
    let mut command = meerkat();
    command.args(["run", "wcc", "--device", "cpu", "--graph"]).arg(graph).args(further);
    finish(&mut command)
}

/// What is said of a file of this name and content.
fn input_of(name: &str, content: &str, further: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), name, content);
    run_wcc(&path, &[&["--json"], further].concat()).json()["input"].clone()
}

#[test]
fn json_says_file_format_direction_columns_weights_and_counts() {
    let path = graphs_folder().join("rome99.gr.gz");
    let found = run_wcc(&path, &["--json"]).json();
    let expected = json!({
        "file": path.to_str(), "format": "dimacs",
        "direction": "directed", "direction_origin": "format",
        "columns": ["source", "target", "weight"], "columns_origin": "format",
        "ids": "numbers", "weights": "none",
        "records": 8870, "loops": 0, "duplicates": 11, "vertices": 3353, "arcs": 8859,
    });
    assert_eq!(found["input"], expected);
}

#[test]
fn text_says_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "g.txt", "# Undirected graph\n1 2\n2 1\n3 3\n");
    let text = run_wcc(&path, &[]).stdout;
    for part in [
        "g.txt",
        "format edge-list, columns source,target (as the format has them)",
        "3 vertices, 2 arcs, undirected (as the file says)",
        "of 3 records, 1 loop dropped, 1 duplicate merged",
    ] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

#[test]
fn the_direction_and_who_says_it() {
    let direction = |name, content, further: &[&str]| {
        let input = input_of(name, content, further);
        let text = |field: &str| input[field].as_str().expect("text").to_owned();
        (text("direction"), text("direction_origin"))
    };
    let said = |direction: &str, origin: &str| (direction.to_owned(), origin.to_owned());
    assert_eq!(direction("g.txt", "1 2\n", &[]), said("directed", "default"));
    assert_eq!(direction("g.txt", "1 2\n", &["--undirected"]), said("undirected", "option"));
    let snap = "# Undirected graph: g\n1 2\n";
    assert_eq!(direction("g.txt", snap, &[]), said("undirected", "header"));
    assert_eq!(direction("g.txt", snap, &["--directed"]), said("directed", "option"));
    assert_eq!(direction("out.g", "% sym unweighted\n1 2\n", &[]), said("undirected", "header"));
    assert_eq!(direction("g.graph", "2 1\n2\n1\n", &[]), said("undirected", "format"));
}

#[test]
fn every_command_that_reads_a_file_says_what_it_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "g.txt", "1 2 5\n2 3 6\n2 3 7\n");
    let lines = [
        ("run bfs --graph", "--json", "/input"),
        ("run sssp --graph", "--json", "/input"),
        ("run triangles --graph", "--json", "/input"),
        ("run pagerank --graph", "--json", "/input"),
        ("bench updates --graph", "--json --batches 1 --vertices 1 --rounds 1", "/input"),
        ("bench memory", "--json", "/result/graphs/0/input"),
        ("bench algorithms --graph", "--json --algorithms bfs --repeat 1", "/input"),
        ("bench dynamic --graph", "--json --algorithms bfs --batch-size 1 --batches 1", "/input"),
    ];
    for (line, further, at) in lines {
        let mut command = meerkat();
        command.args(line.split_whitespace()).arg(&path).args(["--device", "cpu"]);
        command.args(["--columns", "source,target,weight"]);
        let found = finish(command.args(further.split_whitespace())).json();
        let input = found.pointer(at).unwrap_or_else(|| panic!("{line}: {found}"));
        let figures = ["records", "duplicates", "arcs"].map(|field| input[field].as_u64());
        assert_eq!(figures, [Some(3), Some(1), Some(2)], "{line}: {input}");
        assert_eq!(input["columns_origin"], "option", "{line}");
    }
}

#[test]
fn columns_and_format_change_what_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "g.txt", "1 2 30\n2 3 40\n");
    let sssp = |further: &[&str]| {
        let mut command = meerkat();
        command.args(["run", "sssp", "--json", "--device", "cpu", "--graph"]).arg(&path);
        let found = finish(command.args(further)).json();
        (found["result"]["max"].clone(), found["input"]["weights"].clone())
    };
    assert_eq!(sssp(&[]), (json!(2), json!("unit")));
    assert_eq!(sssp(&["--columns", "u,v,w"]), (json!(70), json!("column")));
    assert_eq!(sssp(&["--format", "csv"]), (json!(70), json!("column")));
    assert_eq!(sssp(&["--weights", "synthetic"]).1, json!("synthetic"));
    let generated = "bench memory rmat:4 --columns source,target";
    run(generated.split_whitespace()).assert_refused(2, &["rmat:4", "is generated"]);
}

/// 1 -> 2 has the weight 2, 2 -> 1 has 16; 2 -> 3 has 50, 3 -> 2 has 64.
#[test]
fn each_arc_of_an_edge_has_a_synthetic_weight_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "g.txt", "2 1\n3 2\n");
    let sum = |source: &str, direction: &str| {
        let mut command = meerkat();
        command.args(["run", "sssp", "--json", "--device", "cpu", "--weights", "synthetic"]);
        command.args(["--source", source, direction, "--graph"]).arg(&path);
        finish(&mut command).json()["result"]["sum"].clone()
    };
    assert_eq!(sum("1", "--undirected"), 2 + 52);
    assert_eq!(sum("3", "--undirected"), 64 + (64 + 16));
    assert_eq!(sum("3", "--directed"), 64 + (64 + 16));
}

#[test]
fn ids_that_are_text_are_found_and_printed_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "g.csv", "source,target\nalice,bob\nbob,\"New York\"\n");
    let bfs = |further: &[&str]| {
        let mut command = meerkat();
        command.args(["run", "bfs", "--device", "cpu", "--graph"]).arg(&path).args(further);
        finish(&mut command)
    };
    let found = bfs(&["--json", "--source", "bob"]).json();
    assert_eq!(found["result"]["source"], "bob");
    assert_eq!((&found["input"]["ids"], &found["result"]["reached"]), (&json!("text"), &json!(2)));
    let lines = bfs(&["--tree", "--source", "alice", "--output", "-"]).stdout;
    assert_eq!(lines, "\"New York\" 2 bob\nalice 0 alice\nbob 1 alice\n");
    bfs(&["--source", "carol"]).assert_refused(2, &["no vertex has the id carol"]);
    bfs(&["--ids", "numbers"]).assert_refused(2, &["g.csv:2:", "`alice`"]);
    let mut command = meerkat();
    command
        .args(["run", "sssp", "--weights", "synthetic", "--device", "cpu", "--graph"])
        .arg(&path);
    finish(&mut command).assert_refused(2, &["ids that are numbers", "--weights unit"]);
}

/// What `convert` writes is the same graph to the readers, text ids included.
#[test]
fn converted_files_read_back_as_the_same_graph() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "source,target,weight,time\nann,\"b, c\",3,10\n\"b, c\",dan,0.5,20.25\n";
    let path = file(folder.path(), "a.csv", text);
    let graph = |path: &Path| {
        let mut command = meerkat();
        command.args(["stream", "sssp", "--json", "--device", "cpu", "--graph"]).arg(path);
        let run = finish(command.args(["--source", "ann", "-b", "1"]));
        assert_eq!(run.code, Some(0), "{}: {}", path.display(), run.stderr);
        let object = |line: &str| serde_json::from_str::<Value>(line).expect("JSON");
        let batches: Vec<_> = run.stdout.lines().skip(1).map(object).collect();
        batches.iter().map(|b| (b["batch"].clone(), b["result"].clone())).collect::<Vec<_>>()
    };
    let expected = graph(&path);
    for name in ["b.csv", "b.tsv", "b.txt.gz", "b.el"] {
        let to = folder.path().join(name);
        let mut command = meerkat();
        let run = finish(command.arg("convert").arg(&path).arg(&to));
        assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
        assert_eq!(graph(&to), expected, "{name}");
    }
    let to = folder.path().join("b.mtx");
    let mut command = meerkat();
    finish(command.arg("convert").arg(&path).arg(&to)).assert_refused(2, &["b.mtx", "no times"]);
    let mut command = meerkat();
    command.arg("convert").arg(&path).arg(&to).args(["--columns", "source,target,weight,-"]);
    assert_eq!(finish(&mut command).code, Some(0));
    let matrix = fs::read_to_string(&to).expect("the matrix");
    assert!(matrix.ends_with("3 3 2\n1 2 3\n2 3 0.5\n"), "{matrix}");
}

/// A METIS file has each edge twice. Readers that add up repeated entries of a matrix, as SciPy
/// does, made twice the weight of it.
#[test]
fn an_edge_of_metis_is_converted_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "a.metis", "3 2 1\n2 40\n1 40 3 50\n2 50\n");
    let to = folder.path().join("b.mtx");
    assert_eq!(finish(meerkat().arg("convert").arg(&path).arg(&to)).code, Some(0));
    let matrix = fs::read_to_string(&to).expect("the matrix");
    assert!(matrix.ends_with(".metis\n3 3 2\n2 1 40\n3 2 50\n"), "{matrix}");
}

#[test]
fn times_refuse_no_file_that_is_not_streamed() {
    let input = input_of("g.txt", "1 2 Monday\n2 3 Tuesday\n", &[]);
    assert_eq!(input["columns"], json!(["source", "target", "time"]));
    let input = input_of("g.csv", "6,2,4,1289241911.72836\n", &[]);
    assert_eq!(input["arcs"], 1);
}

#[test]
fn a_real_csv_file_of_four_columns_is_described() {
    let path = data_folder().join("soc-sign-bitcoinalpha.csv.gz");
    if !path.exists() {
        skipped("../shared/data is not present");
        return;
    }
    let input = run_wcc(&path, &["--json"]).json()["input"].clone();
    let figures = ["records", "loops", "duplicates", "vertices", "arcs"].map(|f| input[f].as_u64());
    assert_eq!(figures, [24_186, 0, 0, 3_783, 24_186].map(Some));
}

#[test]
fn a_hyphen_is_the_standard_input() {
    let read = |further: &[&str], content: &str| {
        let mut command = meerkat();
        command.args(["run", "wcc", "--json", "--device", "cpu", "--graph", "-"]).args(further);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(content.as_bytes()).expect("the content is taken");
        drop(stdin);
        let output = child.wait_with_output().expect("an end");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    };
    let matrix = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n";
    let found = read(&[], matrix).json();
    assert_eq!(
        (&found["result"]["count"], &found["input"]["file"]),
        (&json!(2), &json!("standard input"))
    );
    assert_eq!(read(&["--format", "edge-list"], "1 2\n3 4\n").json()["result"]["count"], 2);
    read(&[], "1 2\n").assert_refused(2, &["standard input: ", "--format"]);
    read(&["--format", "csv"], "1,2\nx,2\n").assert_refused(2, &["standard input:2: ", "`x`"]);
}

/// It once worked for 36 seconds and took 3.9 GB before it said no.
#[test]
fn a_header_that_declares_more_than_memory_holds_is_refused_at_once() {
    if !Path::new("/proc/meminfo").exists() {
        skipped("the system does not say how much memory is available");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let header = "%%MatrixMarket matrix coordinate pattern general";
    let path = file(folder.path(), "g.mtx", &format!("{header}\n4294967292 4294967292 1\n1 2\n"));
    for line in ["run bfs --graph", "run sssp --graph", "run wcc --graph", "bench memory"] {
        let mut command = meerkat();
        command.args(line.split_whitespace()).arg(&path).args(["--device", "cpu"]);
        let parts = ["g.mtx", "4,294,967,292 vertices", "601.3 GB", "correct the header"];
        finish(&mut command).assert_refused(2, &parts);
    }
}
