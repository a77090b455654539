//! The `meerkat` command as a user meets it: its answers and the files it writes.

use std::collections::BTreeSet;
use std::fs;

use crate::support::command::{finish, kernel_names, meerkat, run, run_bfs};
use crate::support::expected::{Rule, graphs_in};
use crate::support::{graphs_folder, say};
use serde_json::{Value, json};

/// The file's depth of an unreached vertex, as in LDBC's outputs.
const INFINITE: &str = "9223372036854775807";

fn keys(object: &Value) -> BTreeSet<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn json_agrees_with_the_expected_answers_of_7_graphs_from_2_sources() {
    let graphs = graphs_in(&graphs_folder()).expect("the graphs of the repository");
    for (name, path, expected) in &graphs {
        let file = path.file_name().and_then(|file| file.to_str()).expect("a file name");
        let direction = if expected.directed { "--directed" } else { "--undirected" };
        for search in &expected.bfs {
            let source = match search.rule {
                Rule::LowestIdWithOutEdge => "lowest",
                Rule::LargestOutDegree => "max-degree",
            };
            let found = run_bfs(file, &[direction, "--source", source, "--json"]).json();
            let figures = &search.figures;
            assert_eq!(found["algorithm"], "bfs");
            assert_eq!(found["device"]["name"], "cpu");
            let graph = json!({
                "n": expected.n, "m_arcs": expected.m_arcs,
                "m_undirected": expected.m_undirected, "max_out_degree": expected.max_out_degree,
            });
            assert_eq!(found["graph"], graph, "{name}");
            let result = json!({
                "source": figures.source, "reached": figures.reached,
                "max_depth": figures.max_depth, "sum_depth": figures.sum_depth,
                "histogram": figures.histogram,
            });
            assert_eq!(found["result"], result, "{name} from {source}");
        }
    }
    say(&format!("meerkat run bfs --json agrees on {} graphs", graphs.len()));
}

#[test]
fn json_is_one_object_with_the_promised_fields_and_finite_times() {
    for variant in [&["--json"][..], &["--json", "--tree"]] {
        let found = run_bfs("karate.mtx", variant).json();
        let of_all = ["schema", "command", "device", "result"];
        let of_run = ["algorithm", "graph", "input", "timings_ms"];
        let fields: BTreeSet<_> = of_all.into_iter().chain(of_run).collect();
        assert_eq!(keys(&found), fields);
        let times = &found["timings_ms"];
        assert_eq!(keys(times), BTreeSet::from(["read", "build", "compile", "run"]));
        for (name, time) in times.as_object().expect("an object") {
            assert!(time.as_f64().is_some_and(|time| time >= 0.0), "{name}: {time}");
        }
    }
}

#[test]
fn an_automatic_device_gives_the_same_answer_as_the_cpu() {
    let graph = graphs_folder().join("rome99.gr.gz");
    let graph = graph.to_str().expect("UTF-8");
    let automatic = run(["run", "bfs", "--json", "--graph", graph]).json();
    let on_the_cpu = run_bfs("rome99.gr.gz", &["--json"]).json();
    assert_eq!(automatic["result"], on_the_cpu["result"]);
    let device = automatic["device"]["name"].as_str().expect("a name");
    if device == "cpu" {
        crate::support::skipped_unless("MEERKAT_REQUIRE_CUDA", "no CUDA device for --device auto");
    }
    say(&format!("meerkat run bfs --device auto agrees, on {device}"));
}

#[test]
fn the_summary_names_graph_source_reach_and_depth() {
    let run = run_bfs("rome99.gr.gz", &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stderr, "", "no progress bar where there is no terminal");
    for part in [
        "bfs from vertex 1 on cpu",
        "rome99.gr.gz",
        "3,353 vertices, 8,859 arcs, directed (as the format has it)",
        "reached  3,353 vertices, 100.0 % of all",
        "depth    47 at most",
    ] {
        assert!(run.stdout.contains(part), "`{part}` is not in:\n{}", run.stdout);
    }
}

#[test]
fn the_direction_is_the_files_unless_asked_otherwise() {
    let m_arcs = |graph, further: &[&str]| {
        let arguments = [further, &["--json"]].concat();
        run_bfs(graph, &arguments).json()["graph"]["m_arcs"].clone()
    };
    assert_eq!(m_arcs("karate.mtx", &[]), 156, "symmetric: both arcs of 78 edges");
    assert_eq!(m_arcs("karate.mtx", &["--directed"]), 78);
    assert_eq!(m_arcs("example-directed.e", &[]), 17);
    assert_eq!(m_arcs("email-Eu-core.txt.gz", &[]), 24929, "an edge list is directed");
    assert_eq!(m_arcs("email-Eu-core.txt.gz", &["--undirected"]), 2 * 16064);
}

#[test]
fn output_is_what_ldbc_publishes() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["example-directed", "test-bfs-directed"] {
        let output = folder.path().join(name);
        // Longer than the result: nothing of it may stay.
        fs::write(&output, "old\n".repeat(1000)).expect("a file");
        let path = output.to_str().expect("UTF-8");
        let run = run_bfs(&format!("{name}.e"), &["--source", "1", "--output", path]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let published = fs::read_to_string(graphs_folder().join(format!("{name}-BFS")));
        let written = fs::read_to_string(&output).expect("the results");
        assert_eq!(written, published.expect("LDBC's output"), "{name}");
    }
}

#[test]
fn output_of_a_tree_has_parents_one_level_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("tree");
    let path = output.to_str().expect("UTF-8");
    let run = run_bfs("test-bfs-directed.e", &["--tree", "--source", "1", "--output", path]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let text = fs::read_to_string(&output).expect("the results");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    assert_eq!(rows.len(), 10);
    assert_eq!(rows[0], ["1", "0", "1"]);
    assert_eq!(rows[9], ["10", INFINITE, "-1"]);
    let depth_of = |id: &str| {
        let row = rows.iter().find(|row| row[0] == id).expect("a row");
        row[1].parse::<u64>().expect("a depth")
    };
    for row in rows.iter().filter(|row| !matches!(row[1], "0" | INFINITE)) {
        assert_eq!(depth_of(row[0]), depth_of(row[2]) + 1, "{row:?}");
    }
}

#[test]
fn help_teaches_with_examples() {
    for line in [&["--help"][..], &["run", "bfs", "--help"], &["show", "--help"]] {
        let run = run(line);
        assert_eq!(run.code, Some(0));
        assert!(run.stdout.contains("Examples:"), "{line:?}: {}", run.stdout);
    }
    assert!(run(["--version"]).stdout.starts_with("meerkat "));
}

#[test]
fn info_lists_devices_libraries_and_cache_on_any_machine() {
    let found = run(["info", "--json"]).json()["result"].clone();
    let fields = ["version", "devices", "driver", "nvrtc", "architectures", "cache", "bundle"];
    assert_eq!(keys(&found), BTreeSet::from(fields));
    assert_eq!(found["devices"][0]["name"], "cpu");
    for library in ["driver", "nvrtc"] {
        let library = &found[library];
        assert_ne!(library["version"].is_null(), library["problem"].is_null(), "{library}");
    }
    let mut command = meerkat();
    let text = finish(command.arg("info").env("MEERKAT_CACHE_DIR", "/a/folder")).stdout;
    for part in ["cpu", "driver", "NVRTC", "/a/folder"] {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}

#[test]
fn show_prints_every_listed_kernel_as_cuda_and_as_rust() {
    let names = kernel_names();
    assert!(!names.is_empty());
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "a name is unique");
    // Every kernel is in a snapshot; here it is the command that is tested.
    for name in names.iter().step_by(9) {
        let cuda = run(["show", name, "--cuda"]);
        assert_eq!(cuda.code, Some(0), "{}", cuda.stderr);
        assert!(cuda.stdout.contains("__global__"), "{name}");
        assert_eq!(run(["show", name]).stdout, cuda.stdout);
        let native = run(["show", name, "--native"]);
        assert_eq!(native.code, Some(0), "{}", native.stderr);
        assert!(native.stdout.contains("fn "), "{name}");
    }
    say(&format!("meerkat show prints {} kernels", names.len()));
}

#[test]
fn show_finds_a_kernel_by_function_schedule_and_type() {
    let shown = |line: &str| {
        let found = run(["show"].into_iter().chain(line.split_whitespace()));
        assert_eq!(found.code, Some(0), "{line}: {}", found.stderr);
        found.stdout
    };
    // Over other containers there are more; slab lists come first.
    let body = shown("visit --schedule hybrid --weight u32");
    let others = ["Compact", "Blocks", "Rows"].map(|view| format!("visit_hybrid_{view}_Unit_u32"));
    let named =
        format!("visit_hybrid_Graph_Unit_u32; others of this function: {}", others.join(", "));
    assert_eq!(body, format!("// {named}\n\n{}", shown("visit_hybrid_Graph_Unit_u32")));
    assert!(body.contains("visit_hybrid_Graph_Unit_u32("), "{body}");
    assert!(!body.contains("#line"), "{body}");
    let program = shown("visit --schedule hybrid --weight u32 --program");
    assert!(program.contains("#line") && program.len() > body.len());
    assert!(
        shown("visit")
            .starts_with("// visit_Graph_Unit_u32; others of this function: visit_Graph_Unit_")
    );
    run(["show", "visit", "--weight", "f64"])
        .assert_refused(2, &["`visit`", "visit_Graph_Unit_u32"]);
    // The kernel for `Warp` of a function without types has the function's name.
    assert_eq!(shown("count_over --schedule hybrid"), shown("count_over_hybrid"));
    assert_ne!(shown("count_over"), shown("count_over_hybrid"));
}

#[test]
fn completions_and_pages_of_the_manual_are_printed() {
    for shell in ["bash", "zsh", "fish"] {
        let script = run(["completions", shell]);
        assert!(script.code == Some(0) && script.stdout.contains("undirected"), "{shell}");
    }
    assert!(run(["man"]).stdout.contains(".TH meerkat 1"));
    let page = run(["man", "run", "pr"]).stdout;
    assert!(page.contains("\\-\\-damping"), "{page}");
    run(["man", "fly"]).assert_refused(2, &["no command `meerkat fly`", "choose from run, stream"]);
}

#[test]
fn show_ptx_compiles_every_kernel_or_says_that_nvrtc_is_missing() {
    let nvrtc = &run(["info", "--json"]).json()["result"]["nvrtc"];
    if let Some(problem) = nvrtc["problem"].as_str() {
        crate::support::skipped_unless("MEERKAT_REQUIRE_NVRTC", problem);
        run(["show", &kernel_names()[0], "--ptx"]).assert_refused(1, &["libnvrtc"]);
        return;
    }
    // NVRTC compiles every kernel in `tests/language/nvrtc.rs`.
    for name in kernel_names().into_iter().step_by(19) {
        let found = run(["show", &name, "--ptx"]);
        assert!(found.stdout.contains(".target sm_"), "{name}: {}{}", found.stdout, found.stderr);
    }
}

#[test]
fn sssp_json_agrees_with_the_expected_answers_of_7_graphs() {
    let graphs = graphs_in(&graphs_folder()).expect("the graphs of the repository");
    let mut searches = 0;
    for (name, path, expected) in &graphs {
        let direction = if expected.directed { "--directed" } else { "--undirected" };
        let synthetic = expected.sssp_synthetic.iter().map(|search| ("synthetic", search));
        let native = expected.sssp_native.iter().map(|search| ("native", search));
        for (weights, search) in synthetic.chain(native) {
            let source = match search.rule {
                Rule::LowestIdWithOutEdge => "lowest",
                Rule::LargestOutDegree => "max-degree",
            };
            let further = [direction, "--source", source, "--weights", weights, "--json"];
            let found = run_sssp(path, &further).json();
            assert_eq!(keys(&found["result"]), BTreeSet::from(["source", "reached", "sum", "max"]));
            let figure = |field: &str| found["result"][field].as_f64().expect("a number");
            let figures = &search.figures;
            assert_eq!(found["result"]["source"], figures.source, "{name}, {weights}");
            assert_eq!(found["result"]["reached"], figures.reached, "{name}, {weights}");
            for (found, wanted) in [(figure("sum"), figures.sum), (figure("max"), figures.max)] {
                assert!((found - wanted).abs() <= 1e-6 * wanted, "{name}, {weights}: {found}");
            }
            searches += 1;
        }
    }
    assert!(searches > 14, "{searches}");
    say(&format!("meerkat run sssp --json agrees with {searches} answers"));
}

/// Runs a search for shortest paths on the CPU.
fn run_sssp(graph: &std::path::Path, further: &[&str]) -> crate::support::command::Run {
    let mut command = meerkat();
    command.args(["run", "sssp", "--device", "cpu", "--graph"]).arg(graph).args(further);
    finish(&mut command)
}

#[test]
fn sssp_takes_the_smallest_or_the_last_of_repeated_weights() {
    let folder = tempfile::tempdir().expect("a folder");
    let graph = folder.path().join("twice.wel");
    fs::write(&graph, "1 2 7\n2 3 1\n1 2 2\n1 2 5\n").expect("a file");
    let sum = |further: &[&str]| {
        let arguments = [further, &["--json"]].concat();
        run_sssp(&graph, &arguments).json()["result"]["sum"].as_f64().expect("a number")
    };
    assert_eq!(sum(&[]), 2.0 + 3.0);
    assert_eq!(sum(&["--duplicates", "last"]), 5.0 + 6.0);
    assert_eq!(sum(&["--duplicates", "last", "--undirected"]), 5.0 + 6.0);
    assert_eq!(sum(&["--weights", "unit"]), 1.0 + 2.0);
    assert_eq!(sum(&["--shift-weights", "0.5"]), 2.5 + 4.0);
    // 1 + (31 + 34) mod 64, 1 + (62 + 51) mod 64
    assert_eq!(sum(&["--weights", "synthetic"]), 2.0 + 52.0);
}

#[test]
fn sssp_writes_distances_and_parents_and_infinity() {
    let folder = tempfile::tempdir().expect("a folder");
    let (graph, output) = (folder.path().join("g.wel"), folder.path().join("out"));
    fs::write(&graph, "1 2 0.5\n2 3 0.25\n4 1 1\n").expect("a file");
    let path = output.to_str().expect("UTF-8");
    let run = run_sssp(&graph, &["--tree", "--output", path]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for part in ["sssp from vertex 1", "reached  3 vertices, 75.0 %", "distance 0.75 at most"] {
        assert!(run.stdout.contains(part), "`{part}` is not in:\n{}", run.stdout);
    }
    let written = fs::read_to_string(&output).expect("the results");
    assert_eq!(written, "1 0 1\n2 0.5 1\n3 0.75 2\n4 infinity -1\n");
}

#[test]
fn sssp_refuses_weights_that_are_no_lengths() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        path
    };
    let refused = |name, text, further: &[&str], parts: &[&str]| {
        run_sssp(&file(name, text), further).assert_refused(2, parts);
    };
    refused("minus.wel", "1 2 3\n2 3 -4\n", &[], &["minus.wel", "2 -> 3", "-4", "--shift-weights"]);
    refused("big.wel", "1 2 4294967296\n", &[], &["big.wel", "1 -> 2", "4294967296"]);
    refused("huge.wel", "1 2 1e300\n", &[], &["weight 1e300;"]);
    refused("none.txt", "1 2\n", &["--weights", "native"], &["no weights", "--weights unit"]);
    refused("bad.txt", "1 2\n", &["--weights", "heavy"], &["heavy"]);
}
