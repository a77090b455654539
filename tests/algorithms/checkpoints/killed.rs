//! A process that is killed at any moment of a stream with checkpoints goes on from the last whole
//! one to the right answer.
//!
//! The child is this test program again. It says each step that it makes, and its parent kills it
//! after some of them, and some microseconds, so that it dies in batches, in the middle of files and
//! between them, and yet comes forward on the slowest machine. `MEERKAT_TEST_LARGE=1` has 200 of
//! its lives.

use crate::oracle;
use crate::support::dijkstra::dijkstra;
use crate::support::say;
use meerkat::algos::bfs::Bfs;
use meerkat::algos::pagerank::{Method, Options, PageRank};
use meerkat::algos::wcc::Components;
use meerkat::prelude::*;
use meerkat::runtime::oracle::Model;
use meerkat::runtime::oracle::generate::Rng;
use meerkat::runtime::saved::Checkpoints;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const FOLDER: &str = "MEERKAT_KILLED_FOLDER";
/// The position at which the child ends.
const END: &str = "MEERKAT_KILLED_END";
const VERTICES: u32 = 400;
const KEPT: usize = 3;

type Followed = Tracked<CompactGraph, (Bfs, Components, PageRank<f64>)>;

fn algorithms() -> (Bfs, Components, PageRank<f64>) {
    let ranks = PageRank::new(Options::default().to_error(1e-6), Method::DF_P);
    (Bfs::from_source(0), Components, ranks)
}

/// The updates at a position of the stream, the same every time.
fn batch(position: u64) -> Batch {
    let mut rng = Rng::with_seed(position);
    let mut edge = || Edge { src: rng.u32(0..VERTICES), dst: rng.u32(0..VERTICES), weight: () };
    let inserted: Vec<_> = (0..40).map(|_| edge()).collect();
    // Sparse, so that components come and go.
    let deleted: Vec<_> = (0..6000).map(|_| edge()).collect();
    Batch::new().delete(deleted).insert(inserted)
}

fn load(checkpoints: &Checkpoints) -> Option<(Followed, u64)> {
    let read = |path: &Path| Tracked::load_checkpoint(&Device::cpu(), algorithms(), path);
    let latest = checkpoints.latest(read).expect("a folder");
    assert!(latest.skipped.is_empty(), "not whole: {:?}", latest.skipped);
    latest.loaded
}

/// This test program, to run one of its tests that is ignored; by way of a shell if there is a
/// script for one.
pub(super) fn child(test: &str, script: Option<&str>) -> Command {
    let program = std::env::current_exe().expect("this program");
    let mut command = match script {
        Some(script) => {
            let mut shell = Command::new("sh");
            shell.args(["-c", script, "sh"]).arg(program);
            shell
        }
        None => Command::new(program),
    };
    command.args([test, "--exact", "--ignored", "--nocapture", "--test-threads=1"]);
    command
}

fn streaming_child(folder: &Path, end: u64) -> Command {
    let mut command = child("checkpoints::killed::streams_with_checkpoints", None);
    command.env(FOLDER, folder).env(END, end.to_string());
    command
}

#[test]
#[ignore = "a child process of the test below"]
fn streams_with_checkpoints() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let end = std::env::var(END).expect("an end").parse().expect("a number");
    let did = |what: &str| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "did {what}").and_then(|()| out.flush()).expect("the parent");
    };
    let checkpoints = Checkpoints::in_folder(folder, KEPT).expect("a folder");
    let (mut tracked, mut position) = load(&checkpoints).unwrap_or_else(|| {
        let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
        let graph = CompactGraph::from_edges(&Device::cpu(), VERTICES, &[], &options);
        (graph.expect("a graph").track(algorithms()).expect("tracked"), 0)
    });
    did("start");
    while position < end {
        tracked.apply(&batch(position)).expect("applied");
        position += 1;
        did("apply, and begins a checkpoint");
        checkpoints.save(|path| tracked.save_checkpoint(path, position)).expect("a checkpoint");
        did("save");
    }
}

/// What the stream must have come to.
struct Expected {
    model: Model,
    position: u64,
}

impl Expected {
    fn check(&mut self, tracked: &Followed, position: u64) {
        while self.position < position {
            self.model.apply(&batch(self.position));
            self.position += 1;
        }
        let edges = self.model.edges();
        assert_eq!(tracked.graph().to_edges().expect("edges"), edges, "at {position}");
        tracked.graph().check_invariants().expect("invariants");
        let arcs: Vec<_> = edges.iter().map(|edge| (edge.src, edge.dst)).collect();
        let (tree, labels, ranks) = tracked.output().expect("answers");
        assert_eq!(tree.levels, dijkstra(VERTICES, &edges, 0), "at {position}");
        assert_eq!(labels, oracle::component_labels(VERTICES, &arcs), "at {position}");
        let expected = oracle::pagerank(VERTICES, &arcs, Options::default().damping, false);
        let off = ranks.ranks.iter().zip(&expected).map(|(rank, other)| (rank - other).abs());
        let off: f64 = off.sum();
        assert!(off <= ranks.error_bound + 1e-12 && off <= 1e-6, "at {position}: off by {off:e}");
    }
}

/// Kills a child in the middle of its work.
fn kill_one(folder: &Path, rng: &mut Rng) {
    let mut command = streaming_child(folder, u64::MAX);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("a child");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let steps = rng.usize(0..8);
    let did = lines.by_ref().map_while(Result::ok).filter(|line| line.contains("did "));
    let made = did.take(steps).count();
    // How far that brings it does not matter. A file is written within a millisecond or so.
    let most = if rng.bool() { 1_500 } else { 20_000 };
    std::thread::sleep(Duration::from_micros(rng.u64(0..most)));
    child.kill().expect("killed");
    let status = child.wait().expect("its end");
    assert!(made == steps && !status.success(), "it ended by itself after {made} steps");
}

#[test]
fn a_process_that_is_killed_at_random_moments_goes_on_to_the_right_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let large = std::env::var_os("MEERKAT_TEST_LARGE").is_some();
    let lives = if large { 200 } else { 10 };
    let mut rng = Rng::with_seed(lives);
    let model = Model::new(VERTICES, Direction::Directed);
    let mut expected = Expected { model, position: 0 };
    let checkpoints = || Checkpoints::in_folder(folder.path(), KEPT).expect("a folder");
    let (mut unfinished, mut before) = (0, 0);
    for _ in 0..lives {
        kill_one(folder.path(), &mut rng);
        let names = fs::read_dir(folder.path()).expect("a folder");
        let parts = names.filter(|name| {
            name.as_ref().expect("a file").file_name().to_string_lossy().ends_with(".part")
        });
        unfinished += parts.count();
        let Some((tracked, position)) = load(&checkpoints()) else { continue };
        assert!(position >= before, "a checkpoint was lost");
        before = position;
        expected.check(&tracked, position);
    }
    // The last life ends by itself.
    let end = before + 5;
    let output = streaming_child(folder.path(), end).output().expect("a child");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (tracked, position) = load(&checkpoints()).expect("a checkpoint");
    assert_eq!(position, end);
    expected.check(&tracked, position);
    assert!(before > 0, "no life came to a checkpoint");
    let files = fs::read_dir(folder.path()).expect("a folder").count();
    assert!(files <= KEPT, "{files} files are left");
    say(&format!(
        "{lives} lives came to batch {end}; {unfinished} ended in the middle of a checkpoint"
    ));
}
