//! The `meerkat` command refuses what it cannot do: exit codes and messages.

use std::fs;
use std::path::Path;

use crate::support::command::{finish, kernel_names, meerkat, run, run_bfs, run_on};
use crate::support::graphs_folder;
use serde_json::json;

#[test]
fn a_bad_graph_file_is_refused_with_its_name_and_line() {
    run_on("empty.txt", "", &[]).assert_refused(2, &["empty.txt", "no records"]);
    run_on("only.txt", "# nothing\n\n", &[]).assert_refused(2, &["only.txt", "no records"]);
    run_on("bad.txt", "1 2\n3 four\n", &[]).assert_refused(2, &["bad.txt:2:", "`four`"]);
    run_on("bad.csv", "1,2\n3\n", &[]).assert_refused(2, &["bad.csv:2:", "`3`"]);
    run_on("noise.txt", [0xff, 0xfe, 0x00, 0x80], &[]).assert_refused(2, &["noise.txt:1:"]);
    run_on("minus.txt", "1 2\n-1 3\n", &[]).assert_refused(2, &["minus.txt:2:", "`-1`"]);
    run_on("far.gr", "p sp 3 1\na 1 4 5\n", &[]).assert_refused(2, &["far.gr:2:", "id 4"]);
    let matrix = "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n";
    run_on("short.mtx", matrix, &[]).assert_refused(2, &["short.mtx:2:", "2 entries"]);
    run_on("alone.e", "1 2\n", &[]).assert_refused(2, &["alone.e", "alone.v"]);
    run_on("half.graph", "2 1\n2\n\n", &[]).assert_refused(2, &["half.graph:1", "2 entries"]);
}

#[test]
fn a_truncated_or_damaged_gzip_is_refused() {
    let whole = fs::read(graphs_folder().join("rome99.gr.gz")).expect("a graph");
    let truncated = &whole[..whole.len() / 2];
    run_on("cut.gr.gz", truncated, &[]).assert_refused(2, &["cut.gr.gz", "too early"]);
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 64].fill(0x55);
    run_on("bad.gr.gz", damaged, &[]).assert_refused(2, &["bad.gr.gz", "gzip"]);
}

#[test]
fn a_missing_file_and_a_folder_are_refused() {
    run(["run", "bfs", "--graph", "no/such.mtx"]).assert_refused(2, &["no/such.mtx: no such file"]);
    run_bfs("", &[]).assert_refused(2, &["directory"]);
}

#[test]
fn a_source_that_is_no_vertex_is_refused_with_the_ids_there_are() {
    let run = run_bfs("rome99.gr.gz", &["--source", "3354"]);
    run.assert_refused(2, &["rome99.gr.gz", "3354", "from 1 to 3353", "--source"]);
    run_on("gap.txt", "1 5\n", &["--source", "3"]).assert_refused(2, &["id 3", "from 1 to 5"]);
}

#[test]
fn a_graph_without_arcs_needs_a_named_source() {
    let matrix = "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n2 2\n";
    for source in ["lowest", "max-degree"] {
        let run = run_on("loop.mtx", matrix, &["--source", source]);
        run.assert_refused(2, &["loop.mtx", "no vertex has an out-edge", "--source ID"]);
    }
    let found = run_on("loop.mtx", matrix, &["--source", "2", "--json"]).json();
    let alone = json!({
        "source": 2, "reached": 1, "max_depth": 0, "sum_depth": 0, "histogram": [1],
    });
    assert_eq!(found["result"], alone);
}

#[test]
fn results_that_cannot_be_written_are_refused_before_the_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    run_bfs("karate.mtx", &["--output", path]).assert_refused(2, &[path, "cannot write"]);
    let missing = folder.path().join("no/such/folder");
    let missing = missing.to_str().expect("UTF-8");
    run_bfs("karate.mtx", &["--output", missing]).assert_refused(2, &[missing, "cannot write"]);
}

#[test]
fn bad_usage_exits_2_and_shows_the_way() {
    let lines: [&[&str]; 8] = [
        &[],
        &["run"],
        &["run", "bfs"],
        &["run", "dfs", "--graph", "g"],
        &["run", "bfs", "--graph", "g", "--directed", "--undirected"],
        &["run", "bfs", "--graph", "g", "--header", "perhaps"],
        &["run", "bfs", "--graph", "g", "--device", "gpu"],
        &["show"],
    ];
    for line in lines {
        let run = run(line);
        assert_eq!(run.code, Some(2), "{line:?}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{line:?}");
        assert!(run.stderr.contains("Usage") || run.stderr.contains("--help"), "{}", run.stderr);
    }
}

#[test]
fn an_unknown_command_is_refused_with_those_there_are() {
    let dynamic = "choose from bfs, sssp, wcc, triangles, pagerank, ktruss";
    let algorithms = format!("{dynamic}, spmv");
    run(["run", "apsp", "--graph", "g"]).assert_refused(2, &["'apsp'", &algorithms]);
    let stream = run(["stream", "spmv", "--graph", "g"]);
    stream.assert_refused(2, &["'spmv'", &format!("{dynamic}\n")]);
    run(["bench", "all"]).assert_refused(2, &["'all'", "updates, memory, algorithms, dynamic"]);
    run(["walk"]).assert_refused(
        2,
        &[
            "'walk'",
            "run, stream, launch, bench, tune, generate, convert, stats, bundle, info, show",
        ],
    );
}

#[test]
fn numbers_without_a_meaning_are_refused_with_those_that_have_one() {
    let cases = [
        ("run pagerank --graph g --max-iterations 0", "from 1"),
        ("run pagerank --graph g --iterations 0", "from 1"),
        ("run pagerank --graph g --iterations 5 --max-iterations 9", "cannot be used with"),
        ("run sssp --graph tests/graphs/karate.mtx --weights unit --shift-weights 3", "leave one"),
        (
            "run sssp --graph tests/graphs/karate.mtx --weights synthetic --shift-weights 3",
            "leave one",
        ),
        ("run sssp --graph g --shift-weights nan", "not an infinite one"),
        ("stream bfs --graph g --batch-size 0", "from 1"),
        // A negative number was once called an unexpected argument.
        ("run pagerank --graph g --tolerance -1", "above 0"),
        ("run pagerank --graph g --damping -0.5", "from 0 to below 1"),
        ("run pagerank --graph g --max-iterations -3", "from 1"),
        ("run ktruss --graph g --k 1", "a number from 2, or `max`"),
        ("run ktruss --graph g --k -3", "a number from 2, or `max`"),
        ("run ktruss --graph g --k most", "a number from 2, or `max`"),
        ("stream ktruss --graph g --k 1", "give a number from 2\n"),
        ("run bfs --graph tests/graphs/karate.mtx --source -5", "no vertex has the id -5"),
        ("stream bfs --graph g --batch-size -1", "from 1"),
        ("bench memory rmat:3 --load-factor -1", "above 0, up to 1"),
        ("bench updates --graph rmat:3 --batches 8,0", "from 1"),
        ("bench updates --graph rmat:3 --vertices 0", "from 1"),
        ("bench updates --graph rmat:3 --rounds 0", "from 1"),
        ("bench memory rmat:3 --load-factor 0", "above 0, up to 1"),
        ("bench algorithms --graph rmat:3 --repeat 0", "from 1"),
        ("bench dynamic --graph rmat:3 --batch-size 0", "from 1"),
        ("bench dynamic --graph rmat:3 --batches 0", "from 1"),
    ];
    for (line, way_out) in cases {
        run(line.split_whitespace()).assert_refused(2, &[way_out]);
    }
}

#[test]
fn what_does_not_run_over_ranks_is_refused_before_a_file_is_read() {
    let cases = [
        ("run bfs --graph g --ranks 99999999999999", "from 1 to 1024"),
        ("run bfs --graph g --ranks 1025", "from 1 to 1024"),
        ("run bfs --graph g --ranks 0", "from 1 to 1024"),
        ("run bfs --graph g --ownership range", "--ranks <N>"),
        ("run bfs --graph g --rank-timeout 9", "--ranks <N>"),
        ("run ktruss --graph g --ranks 2", "`ktruss` does not run over ranks"),
        ("stream ktruss --k 4 --graph g --ranks 2", "`ktruss` does not run over ranks"),
        ("run spmv --graph g --ranks 2", "`spmv` does not run over ranks"),
        ("run wcc --graph g --ranks 2 --container rows", "rows` does not run over ranks"),
    ];
    for (line, way_out) in cases {
        run(line.split_whitespace()).assert_refused(2, &[way_out]);
    }
}

#[test]
fn a_column_of_times_is_not_taken_for_weights_in_silence() {
    let folder = tempfile::tempdir().expect("a folder");
    let graph = folder.path().join("weighted.txt");
    fs::write(&graph, "1 2 30\n2 3 40\n").expect("a file");
    let sssp = |further: &[&str]| {
        let mut command = meerkat();
        command.args(["run", "sssp", "--device", "cpu", "--graph"]).arg(&graph).args(further);
        finish(&mut command)
    };
    let parts = ["read as times", "--columns source,target,weight"];
    let found = sssp(&[]);
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    for part in parts {
        assert!(found.stdout.contains(part), "{}", found.stdout);
    }
    sssp(&["--weights", "native"]).assert_refused(2, &parts);
    sssp(&["--shift-weights", "2"]).assert_refused(2, &parts);
    assert!(sssp(&["--weights", "unit"]).stdout.contains("1 each, as asked"));
}

#[test]
fn cuda_without_a_device_is_a_clear_failure_and_auto_takes_the_cpu() {
    let graph = graphs_folder().join("karate.mtx");
    let on = |device: &str| {
        let mut command = meerkat();
        // The driver, where there is one, then shows no device.
        command.env("CUDA_VISIBLE_DEVICES", "");
        command.args(["run", "bfs", "--json", "--device", device, "--graph"]).arg(&graph);
        finish(&mut command)
    };
    on("cuda").assert_refused(1, &["device `cuda:0` cannot be used", "--device cpu"]);
    on("cuda:7").assert_refused(1, &["device `cuda:7` cannot be used", "--device cpu"]);
    assert_eq!(on("auto").json()["device"]["name"], "cpu");
}

#[test]
fn an_environment_variable_that_asks_for_what_there_is_not_is_named() {
    let graph = graphs_folder().join("karate.mtx");
    let with = |variable: &str, value: &str| {
        let mut command = meerkat();
        command.args(["run", "bfs", "--device", "cpu", "--graph"]).arg(&graph);
        finish(command.env(variable, value))
    };
    let schedule = with("MEERKAT_SCHEDULE", "hybird");
    schedule.assert_refused(1, &["`MEERKAT_SCHEDULE`", "`hybird` is not a schedule", "hybrid"]);
    with("MEERKAT_WEAK_MEMORY", "x").assert_refused(1, &["`MEERKAT_WEAK_MEMORY`"]);
    assert_eq!(with("MEERKAT_SCHEDULE", "thread").code, Some(0));
}

#[test]
fn show_answers_an_unknown_kernel_with_a_suggestion() {
    let name = &kernel_names()[0];
    let typo = format!("{name}x");
    let meant = format!("did you mean `{name}`");
    run(["show", &typo]).assert_refused(2, &[&format!("`{typo}`"), &meant]);
    run(["show", "zzzzzz"]).assert_refused(2, &["`zzzzzz`", "meerkat show --list"]);
}

#[test]
fn a_closed_pipe_is_no_failure() {
    for line in [&["show", "--list"][..], &["info"], &["--help"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut child = meerkat().args(line).stdout(writer).spawn().expect("the command starts");
        assert_eq!(child.wait().expect("an end").code(), Some(0), "{line:?}");
    }
}

#[test]
fn a_full_disk_is_a_failure_that_is_told() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        crate::support::skipped("there is no /dev/full");
        return;
    }
    run_bfs("karate.mtx", &["--output", "/dev/full"]).assert_refused(1, &["/dev/full"]);
}
