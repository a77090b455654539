//! A disk that is full: a child process whose files may have a few kilobytes.

use super::killed::child;
use crate::support::skipped;
use meerkat::algos::bfs::Bfs;
use meerkat::algos::wcc::Components;
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;
use meerkat::runtime::graph::SnapshotFault;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

const FOLDER: &str = "MEERKAT_FULL_DISK_FOLDER";
const BOTH: SlabOptions = SlabOptions::DEFAULT.oriented(Orientation::Both);

fn algorithms() -> (Bfs, Components) {
    (Bfs::from_source(0), Components)
}

fn edge(src: u32, dst: u32) -> Edge {
    Edge { src, dst, weight: () }
}

fn load(path: &Path) -> Tracked<SlabGraph, (Bfs, Components)> {
    Tracked::load_checkpoint(&Device::cpu(), algorithms(), path).expect("the checkpoint").0
}

#[test]
fn a_full_disk_is_an_error_and_checkpoint_graph_and_answers_stay() {
    if !cfg!(unix) {
        return skipped("no shell sets limits of files here");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.meerkat");
    let path_edges: Vec<_> = (0..4999).map(|v| edge(v, v + 1)).collect();
    let graph = SlabGraph::from_edges(&Device::cpu(), 5000, &path_edges, &BOTH).expect("a graph");
    let tracked = graph.track(algorithms()).expect("tracked");
    tracked.save_checkpoint(&path, 1).expect("a checkpoint");
    // Up to 16 KiB, whatever the shell counts in; a signal is an error then.
    let limit = "trap '' XFSZ; ulimit -f 16; exec \"$@\"";
    let mut child = child("checkpoints::disk::saves_on_a_full_disk", Some(limit));
    let output = child.env(FOLDER, folder.path()).output().expect("a child");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("the disk was full"), "{text}");
}

#[test]
#[ignore = "a child process of the test above"]
fn saves_on_a_full_disk() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let path = folder.join("a.meerkat");
    let before = fs::read(&path).expect("bytes");
    let mut tracked = load(&path);
    tracked.apply(&Batch::new().delete([edge(2500, 2501)])).expect("applied");
    for _ in 0..2 {
        let error = tracked.save_checkpoint(&path, 2).expect_err("a full disk");
        assert!(
            matches!(error.kind(), ErrorKind::Snapshot { cause: SnapshotFault::File(_), .. }),
            "{error}"
        );
        assert_eq!(fs::read(&path).expect("bytes"), before);
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
    }
    // Graph and answers go on.
    assert_eq!(tracked.output().expect("answers").1[4999], 2501);
    tracked.apply(&Batch::new().insert([edge(7, 4000)])).expect("applied");
    let (tree, labels) = tracked.output().expect("answers");
    assert_eq!((tree.levels[4001], labels[4999]), (9, 0));
    assert_eq!(load(&path).output().expect("answers").1[4999], 0);
    let mut out = std::io::stdout().lock();
    writeln!(out, "the disk was full").and_then(|()| out.flush()).expect("the parent");
}
