//! A folder of checkpoints.

use super::damage::tracked;
use meerkat::algos::bfs::Bfs;
use meerkat::algos::wcc::Components;
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;
use meerkat::runtime::saved::Checkpoints;
use std::fs;
use std::path::Path;

#[test]
fn the_last_checkpoint_that_is_whole_is_taken_and_the_reasons_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let in_folder = || Checkpoints::in_folder(folder.path().join("new/folder"), 3);
    let checkpoints = in_folder().expect("a folder");
    let device = Device::cpu();
    let tracked = tracked(&device, Components);
    let read = |path: &Path| Tracked::<SlabGraph, _>::load_checkpoint(&device, Components, path);
    let none = checkpoints.latest(read).expect("a folder");
    assert!(none.loaded.is_none() && none.skipped.is_empty());
    for position in 0..5 {
        checkpoints.save(|path| tracked.save_checkpoint(path, position)).expect("a checkpoint");
    }
    let paths = checkpoints.paths().expect("paths");
    assert_eq!(paths.len(), 3);
    let position = || checkpoints.latest(read).map(|latest| latest.loaded.map(|loaded| loaded.1));
    assert_eq!(position().expect("a checkpoint"), Some(4));
    // The last is cut short, the one before is empty.
    let bytes = fs::read(&paths[2]).expect("bytes");
    fs::write(&paths[2], &bytes[..bytes.len() / 2]).expect("a file");
    fs::write(&paths[1], []).expect("a file");
    let latest = checkpoints.latest(read).expect("a folder");
    assert_eq!(latest.loaded.expect("the first").1, 2);
    let skipped: Vec<_> = latest.skipped.iter().map(ToString::to_string).collect();
    assert!(skipped[0].contains("checkpoint-00000004.meerkat: it is damaged"), "{skipped:?}");
    assert!(skipped[1].contains("checkpoint-00000003.meerkat: it is no snap"), "{skipped:?}");
    // The next has a number of its own; what was left half written goes, and other files stay.
    for name in [".meerkat-x.part", "checkpoint-9.meerkat", "notes"] {
        fs::write(folder.path().join("new/folder").join(name), "-").expect("a file");
    }
    let checkpoints = in_folder().expect("a folder");
    let saved = checkpoints.save(|path| tracked.save_checkpoint(path, 9)).expect("a checkpoint");
    assert!(saved.ends_with("checkpoint-00000005.meerkat"));
    assert_eq!(checkpoints.latest(read).expect("a folder").loaded.expect("one").1, 9);
    let entries = fs::read_dir(folder.path().join("new/folder")).expect("a folder");
    assert_eq!(entries.count(), 3 + 2);
    // What an older one would not mend is an error.
    let other =
        |path: &Path| Tracked::<SlabGraph, _>::load_checkpoint(&device, Bfs::from_source(0), path);
    assert!(checkpoints.latest(other).is_err());
    // One that cannot be written costs no other.
    let error = checkpoints.save(|_| Err(ErrorKind::OutOfStep.into())).expect_err("not written");
    assert!(matches!(error.kind(), ErrorKind::OutOfStep));
    assert_eq!(checkpoints.paths().expect("paths").len(), 3);
    // Neither does one that was written elsewhere, or that nobody could read back.
    let error = checkpoints.save(|_| Ok(())).expect_err("nothing was written");
    assert!(error.to_string().contains("checkpoint-00000006.meerkat"), "{error}");
    let twice = |path: &Path| {
        tracked.save_checkpoint_with(path, 10, |to| {
            to.number("clock", 1u64)?;
            to.number("clock", 2u64)
        })
    };
    let error = checkpoints.save(twice).expect_err("two arrays of one name");
    assert!(error.to_string().contains("`more/clock`"), "{error}");
    assert_eq!(checkpoints.paths().expect("paths").len(), 3);
}

#[test]
fn who_reads_a_folder_takes_nothing_from_who_writes_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let being_written = folder.path().join(".meerkat-x.part");
    fs::write(&being_written, "-").expect("a file");
    let device = Device::cpu();
    let read = |path: &Path| SlabGraph::<()>::load(&device, path);
    let reader = Checkpoints::in_folder(folder.path(), 1).expect("a folder");
    assert!(reader.latest(read).expect("a folder").loaded.is_none());
    assert!(being_written.exists());
}
