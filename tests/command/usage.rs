//! Lines that users type: which are understood, and which are refused.

use crate::support::command::run;

/// A file that is not there: a command that names it has understood all that was typed.
const FILE: &str = "no-such-file.txt";

fn assert_understood(line: &str) {
    run(line.split_whitespace()).assert_refused(2, &["no-such-file.txt: no such file"]);
}

#[test]
fn every_option_of_every_algorithm_is_understood_in_long_and_in_short() {
    let long = "--format csv --columns -,source,target --undirected --ids text --header no";
    let short = "-f csv -c -,source,target -u --separator tab";
    let lines = [
        "run bfs --source 7 --tree --device cpu --output out --json --trials 3 --verify --container rows",
        "run bfs -s max-degree -d auto -o - -j -t 2",
        "run sssp --weights native --duplicates last --shift-weights -11.5 --tree",
        "run sssp -w unit -s lowest",
        "run components --device auto",
        "run cc",
        "run tc --output corners.gz",
        "run pagerank --precision f32 --norm linf --max-iterations 9 --damping 0.5 --dead-ends \
         self-loops --method nd",
        "run pr --iterations 26",
        "run ktruss --k 5 --output - --container rows",
        "run truss --k max --trials 2",
        "run spmv --seed 7 --precision f32 --weights native --duplicates last --verify",
        "run spmv -w unit --container compact",
        "run bfs --ranks 1024 --ownership range --rank-timeout 5",
        "run wcc --ranks 1",
        "stream bfs --batch-size 500 --window 30d --compare-static --time-unit ms --source 3",
        "stream sssp -w synthetic -b 1 --output out-{batch}",
        "stream cc --window 1000",
        "stream tc -j",
        "stream pr --method df --tolerance 1e-9",
        "stream truss --k 4 --container compact",
        "stream wcc --ranks 3 --ownership range --rank-timeout 5",
    ];
    for line in lines {
        for files in [long, short] {
            assert_understood(&format!("{line} --graph {FILE} {files}"));
        }
        assert_understood(&format!("{line} -g {FILE} --directed"));
    }
}

#[test]
fn the_options_of_other_commands_are_understood() {
    for line in [
        "bench updates --batches 1,2 --vertices 3 --rounds 1 --load-factor 0.9 --weighted --graph",
        "bench memory --format csv",
        "bench algorithms -a bfs,tc,spmv --repeat 2 --undirected -g",
        "bench paper awad --table II -o target/none -f csv -u --quick -d cpu -j -g",
        "bench dynamic -a pr,truss --kinds mixed --inserted 80 -b 1,2 --orientation out -g",
        "tune --quick --dry-run -b 5 -d cpu -j -g",
        "stats --directed --json",
        "convert -u --time-unit ms out.mtx",
    ] {
        let (line, last) = match line.strip_suffix(" out.mtx") {
            Some(line) => (line, "out.mtx"),
            None => (line, ""),
        };
        assert_understood(&format!("{line} {FILE} {last}"));
    }
}

#[test]
fn contradictions_and_gaps_are_refused() {
    let invalid = "invalid value";
    let cases = [
        ("run bfs", "--graph <FILE>"),
        ("run bfs --graph g --directed --undirected", "cannot be used with"),
        ("run bfs --graph g --device gpu", invalid),
        ("run bfs --graph g --format xml", invalid),
        ("run bfs --graph g --columns source", invalid),
        ("run bfs --graph g --ids words", invalid),
        ("run bfs --graph g --separator dot", invalid),
        ("run bfs --graph g --header perhaps", invalid),
        ("run bfs --graph g --time-unit ms", "unexpected argument '--time-unit'"),
        ("run bfs --graph g --threads 0", "from 1 to 1024"),
        ("run bfs --graph g --threads 100000", "from 1 to 1024"),
        ("run pagerank --graph g --iterations 3 --tolerance 1e-3", "cannot be used with"),
        ("stream bfs --graph g --time-unit weeks", invalid),
        ("stream bfs --graph g --batch-size 0", "from 1"),
        ("stream bfs --graph g --window=-3d", "30d"),
        ("stream bfs --graph g --verify", "unexpected argument '--verify'"),
        ("stream wcc --graph g --source 5", "`--source` is an option of bfs and sssp"),
        ("stream bfs --graph g --weights unit", "`--weights` is an option of sssp"),
        ("stream sssp --graph g --tolerance 1e-3", "`--tolerance` is an option of pagerank"),
        ("stream ktruss --graph g", "--k <K>"),
        ("stream ktruss --graph g --k max", "a number from 2"),
        ("stream wcc --graph g --k 3", "`--k` is an option of ktruss"),
        ("show", "<KERNEL|--list>"),
        ("show k --list", "cannot be used with"),
        ("show --list --ptx", "cannot be used with"),
        ("show k --cuda --native", "cannot be used with"),
        ("show k --schedule fast", "not a schedule"),
        ("run bfs --graph g --weights unit", "`--weights` is an option of sssp and spmv"),
        ("run spmv --graph g --seed -1", invalid),
        ("bench algorithms -g g -a dfs", "choose from bfs, sssp, wcc, triangles, pagerank, ktruss"),
        ("bench dynamic -g g -a bfs,spmv", "`spmv` does not follow updates; choose from bfs, sssp"),
    ];
    for (line, part) in cases {
        run(line.split_whitespace()).assert_refused(2, &[part]);
    }
}
