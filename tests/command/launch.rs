//! Ranks that are processes: `meerkat launch`, and processes that something else has started.

use std::fs;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::command::{Run, finish, meerkat, run};
use serde_json::Value;

/// Longer than any launch here takes, unless a rank hangs.
const LONG: Duration = Duration::from_secs(60);

const GRAPHS: [&str; 2] = ["tests/graphs/karate.mtx", "tests/graphs/rome99.gr.gz"];

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace()
}

/// The objects that a command prints, and nothing else.
fn objects(run: &Run) -> Vec<Value> {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stderr, "");
    run.stdout.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

/// Records in time order, some of which join components and some do not.
fn contacts(folder: &tempfile::TempDir) -> String {
    let path = folder.path().join("contacts.csv");
    let row = |k: u32| format!("{},{},{}\n", k * k % 31, (7 * k + 3) % 29, k);
    let rows: String = (0..300).map(row).collect();
    fs::write(&path, format!("source,target,time\n{rows}")).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn runs_over_2_and_3_launched_ranks_say_what_one_device_does() {
    for graph in GRAPHS {
        for (ranks, algorithm) in [("2", "bfs"), ("3", "wcc"), ("2", "triangles"), ("3", "sssp")] {
            let line = format!("run {algorithm} --graph {graph} --device cpu --json --verify");
            let alone = objects(&run(words(&line)));
            let over = objects(&run(words(&format!("launch --ranks {ranks} -- {line}"))));
            assert_eq!(over.len(), 1);
            for field in ["algorithm", "graph", "input", "result"] {
                assert_eq!(over[0][field], alone[0][field], "{algorithm} on {graph}: {field}");
            }
            let description = over[0]["device"]["description"].as_str().expect("words");
            assert!(
                description.starts_with(&format!("{ranks} processes by hash")),
                "{description}"
            );
        }
    }
}

#[test]
fn launched_ranks_write_one_file_and_one_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let graph = GRAPHS[0];
    let output = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (alone, over) = (output("alone"), output("over"));
    let line = format!("run wcc --graph {graph} --device cpu --output");
    assert_eq!(run(words(&format!("{line} {alone}"))).code, Some(0));
    let launched = run(words(&format!("launch -n 2 -- {line} {over} --ownership range")));
    assert_eq!((launched.code, &launched.stderr[..]), (Some(0), ""));
    assert!(launched.stdout.contains("wcc on cpu"), "{}", launched.stdout);
    assert_eq!(launched.stdout.matches("time     ").count(), 1, "{}", launched.stdout);
    let read = |path: &str| fs::read_to_string(path).expect("the results");
    assert_eq!(read(&over), read(&alone));
    // On the standard output the results are alone.
    let beside =
        run(words(&format!("launch --devices cpu,cpu -- run wcc --graph {graph} --output -")));
    assert_eq!((beside.code, beside.stdout), (Some(0), read(&alone)));
    assert!(beside.stderr.contains("wcc on cpu"), "{}", beside.stderr);
}

#[test]
fn streams_over_2_and_3_launched_ranks_say_what_one_device_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = contacts(&folder);
    for (ranks, algorithm) in [("2", "wcc"), ("3", "bfs"), ("3", "triangles")] {
        let line = format!(
            "stream {algorithm} --graph {path} --batch-size 60 --window 150 --device cpu --json \
             --container compact"
        );
        let alone = objects(&run(words(&line)));
        let over = objects(&run(words(&format!("launch --ranks {ranks} -- {line}"))));
        assert_eq!((over.len(), alone.len()), (6, 6));
        for (over, alone) in over.iter().zip(&alone) {
            for field in ["batch", "graph", "result", "input"] {
                assert_eq!(over[field], alone[field], "{algorithm}: {field}");
            }
        }
    }
}

#[test]
fn a_launch_that_cannot_be_is_refused_with_the_way_out() {
    let cases = [
        ("launch -- run bfs --graph g", "--ranks <N>"),
        ("launch --ranks 2", "<COMMAND>"),
        ("launch --ranks 0 -- run bfs --graph g", "from 1 to 1024"),
        ("launch --ranks 2 run bfs --graph g", "-- "),
        ("launch --ranks 2 -- info", "starts `run` and `stream`"),
        ("launch --ranks 2 -- run bfs --graph g --ranks=4", "before the `--`"),
        ("launch --ranks 2 -- run bfs --graph g --devices cpu,cpu", "before the `--`"),
        ("launch --ranks 3 --devices cpu,cpu -- run bfs --graph g", "2 devices"),
        ("launch --ranks 2 -- run bfs", "--graph <FILE>"),
        ("launch --ranks 2 -- run bfs --graph g --fast", "--fast"),
        ("launch --ranks 2 --devices gpu -- run bfs --graph g", "invalid value"),
        ("run bfs --graph g --as-rank --ranks 2", "cannot be used with"),
        ("run bfs --graph g --as-rank", "MEERKAT_RANK"),
    ];
    for (line, part) in cases {
        run(words(line)).assert_refused(2, &[part]);
    }
    // What the ranks refuse is named once.
    let cases = [
        ("run bfs --graph no-such-file.txt", "no-such-file.txt: no such file"),
        ("run ktruss --graph g", "`ktruss` does not run over ranks"),
        ("run bfs --graph tests/graphs/karate.mtx --source 99", "no vertex has the id 99"),
    ];
    for (line, part) in cases {
        let refused = run(words(&format!("launch --ranks 3 -- {line}")));
        refused.assert_refused(2, &["error: rank ", part]);
        assert_eq!(refused.stderr.matches("error: ").count(), 1, "{}", refused.stderr);
    }
}

/// A launch whose ranks compute for hours.
fn endless() -> Child {
    let line = "launch --ranks 3 -- run pagerank --graph tests/graphs/karate.mtx --device cpu \
                --iterations 1000000000";
    let mut command = meerkat();
    command.args(words(line)).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

/// The processes that a process has started, with what their environment says.
#[cfg(target_os = "linux")]
fn children_of(parent: u32) -> Vec<(u32, Vec<String>)> {
    let processes = fs::read_dir("/proc").expect("processes");
    let numbers = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let child = |process: u32| {
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let of = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
        let environment = fs::read(format!("/proc/{process}/environ")).ok()?;
        let variables = environment.split(|&byte| byte == 0);
        let variables =
            variables.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
        (of.trim() == parent.to_string()).then_some((process, variables))
    };
    numbers.filter_map(child).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn a_rank_that_is_killed_ends_the_launch_and_all_ranks_soon() {
    for rank in [0, 1, 2] {
        let launch = endless();
        let start = Instant::now();
        let name = format!("MEERKAT_RANK={rank}");
        let (process, ranks) = loop {
            let ranks = children_of(launch.id());
            let found = ranks.iter().find(|(_, variables)| variables.contains(&name));
            if let Some((process, _)) = found.filter(|_| ranks.len() == 3) {
                break (*process, ranks);
            }
            assert!(start.elapsed() < LONG, "the ranks do not start");
        };
        // Most often they have met by then.
        std::thread::sleep(Duration::from_millis(300 * rank));
        let killed = Command::new("kill").args(["-9", &process.to_string()]).status();
        assert!(killed.expect("a command").success());
        let output = launch.wait_with_output().expect("it ends");
        assert!(start.elapsed() < LONG);
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(128 + 9), &b""[..]));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            stderr.starts_with(&format!("error: rank {rank}: its process ended with")),
            "{stderr}"
        );
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        for (process, _) in ranks {
            let is_there = fs::exists(format!("/proc/{process}"));
            assert!(!is_there.expect("processes"), "rank {rank}: {process} is left");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn ranks_do_not_outlive_their_launch() {
    let mut launch = endless();
    let start = Instant::now();
    let ranks = loop {
        let ranks = children_of(launch.id());
        if ranks.len() == 3 {
            break ranks;
        }
        assert!(start.elapsed() < LONG, "the ranks do not start");
    };
    std::thread::sleep(Duration::from_millis(500));
    launch.kill().expect("it is there");
    let _ = launch.wait();
    while ranks.iter().any(|(process, _)| {
        // What has ended and nobody waits for has no command.
        fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|words| !words.is_empty())
    }) {
        assert!(start.elapsed() < LONG, "a rank goes on alone");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A process with these variables.
fn started(line: &str, variables: &str) -> Child {
    let mut command = meerkat();
    let of = |pair: &str| pair.split_once('=').map(|(a, b)| (a.to_owned(), b.to_owned()));
    command.args(words(line)).envs(words(variables).filter_map(of));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

fn ended(child: Child) -> Run {
    let output = child.wait_with_output().expect("it ends");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A port that was free a moment ago.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

#[test]
fn processes_of_torchrun_mpirun_and_srun_take_part_as_the_ranks_that_these_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = format!("run wcc --graph {} --device cpu --json", GRAPHS[0]);
    let alone = run(words(&line)).json();
    let file = folder.path().join("ranks");
    let (port, file) = (free_port(), file.to_str().expect("UTF-8").to_owned());
    let starters = [
        format!("RANK=R WORLD_SIZE=3 LOCAL_RANK=R MASTER_ADDR=localhost MASTER_PORT={port}"),
        format!(
            "OMPI_COMM_WORLD_RANK=R OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_LOCAL_RANK=R \
             OMPI_COMM_WORLD_LOCAL_SIZE=3 MEERKAT_RENDEZVOUS={file}"
        ),
        format!("PMI_RANK=R PMI_SIZE=3 MEERKAT_ADDRESS=127.0.0.1:{}", free_port()),
        format!(
            "SLURM_PROCID=R SLURM_NTASKS=3 SLURM_LOCALID=R SLURM_JOB_ID=7 SLURM_STEP_ID=0 \
             MEERKAT_RENDEZVOUS={file}"
        ),
        format!("MEERKAT_RANK=R MEERKAT_SIZE=3 MEERKAT_JOB=j MEERKAT_RENDEZVOUS={file}"),
    ];
    for variables in starters {
        let start = |rank: u32| {
            let variables = variables.replace("=R", &format!("={rank}"));
            started(&format!("{line} --as-rank --rank-timeout 60"), &variables)
        };
        // The last comes first.
        let ranks = [2, 1, 0].map(start).map(ended);
        for (number, rank) in ranks.iter().enumerate() {
            assert_eq!((rank.code, &rank.stderr[..]), (Some(0), ""), "{variables}");
            assert_eq!(rank.stdout.is_empty(), number < 2, "rank 0 alone prints");
        }
        assert_eq!(ranks[2].json()["result"], alone["result"], "{variables}");
    }
    assert!(!fs::exists(&file).expect("a folder"), "rank 0 takes its file away");
}

#[test]
fn variables_alone_make_no_rank() {
    let line = format!("run wcc --graph {} --device cpu --json", GRAPHS[0]);
    let alone = run(words(&line)).json();
    let child = started(&line, "SLURM_PROCID=1 SLURM_NTASKS=4 MEERKAT_RANK=1 MEERKAT_SIZE=4");
    assert_eq!(ended(child).json()["result"], alone["result"]);
    let line = format!("{line} --as-rank");
    let child = started(&line, "SLURM_PROCID=1 SLURM_NTASKS=4");
    ended(child).assert_refused(2, &["MEERKAT_ADDRESS=host:port", "MEERKAT_RENDEZVOUS=file"]);
}

#[test]
fn ranks_that_do_not_come_and_ranks_of_another_job_are_errors_in_time() {
    let start = Instant::now();
    let line = format!("run wcc --graph {} --device cpu --as-rank --rank-timeout", GRAPHS[0]);
    let variables = |rank: u32, job: &str, port: u16| {
        format!(
            "MEERKAT_RANK={rank} MEERKAT_SIZE=2 MEERKAT_JOB={job} MEERKAT_ADDRESS=localhost:{port}"
        )
    };
    let port = free_port();
    let alone = started(&format!("{line} 1"), &variables(0, "a", port));
    ended(alone).assert_refused(1, &["waited 1 s for rank 1"]);
    let port = free_port();
    let first = started(&format!("{line} 5"), &variables(0, "a", port));
    // It tries until rank 0 listens.
    let other = started(&format!("{line} 60"), &variables(1, "b", port));
    ended(other).assert_refused(1, &["refuses rank 1", "another job"]);
    ended(first).assert_refused(1, &["waited 5 s for rank 1"]);
    assert!(start.elapsed() < LONG);
}

#[test]
fn a_rank_that_lost_another_says_so_by_its_exit_code() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ranks");
    let line = format!(
        "run pagerank --graph {} --device cpu --as-rank --rank-timeout 60 --iterations 1000000000",
        GRAPHS[0]
    );
    let start = |rank: u32| {
        let variables = format!("PMI_RANK={rank} PMI_SIZE=2 MEERKAT_RENDEZVOUS={}", file.display());
        started(&line, &variables)
    };
    let first = start(0);
    let wait_for = |is_there: bool| {
        while fs::exists(&file).expect("a folder") != is_there {
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    wait_for(true);
    let mut second = start(1);
    // Rank 0 takes its file away when all have come.
    wait_for(false);
    second.kill().expect("it is there");
    let _ = second.wait();
    let begun = Instant::now();
    let first = ended(first);
    first.assert_refused(3, &["rank 1 has ended while others wait for it"]);
    assert!(begun.elapsed() < LONG);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = format!(
        "launch --ranks 2 -- stream wcc --graph {} --batch-size 1 --device cpu",
        contacts(&folder)
    );
    let mut command = meerkat();
    command.args(words(&line)).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut launch = command.spawn().expect("it starts");
    drop(launch.stdout.take());
    let ended = ended(launch);
    assert_eq!((ended.code, &ended.stderr[..]), (Some(0), ""));
}

#[test]
fn a_graph_of_the_standard_input_is_refused_by_launch_for_any_number_of_ranks() {
    for ranks in [1, 3] {
        for graph in ["--graph - --format csv", "-g -", "--graph=-"] {
            let refused = run(words(&format!("launch --ranks {ranks} -- run bfs {graph}")));
            refused.assert_refused(2, &["standard input", "write it to a file"]);
        }
    }
}

#[test]
fn the_help_of_launch_teaches() {
    let help = finish(meerkat().args(["launch", "--help"])).stdout;
    for part in ["Examples:", "--ranks", "--devices", "mpirun", "--as-rank"] {
        assert!(help.contains(part), "`{part}` is not in: {help}");
    }
}
