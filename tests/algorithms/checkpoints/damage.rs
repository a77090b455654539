//! Files that are damaged, of others, or of other algorithms; memory that runs out.

use crate::support::devices::devices;
use meerkat::algos::bfs::Bfs;
use meerkat::algos::pagerank::{Method, Options, PageRank};
use meerkat::algos::sssp::Sssp;
use meerkat::algos::triangles::Triangles;
use meerkat::algos::truss::KTruss;
use meerkat::algos::wcc::{Components, IncrementalComponents, Scheme};
use meerkat::prelude::*;
use meerkat::runtime::dynamic::SavedState;
use meerkat::runtime::graph::SnapshotFault;
use meerkat::runtime::{ErrorKind, MemoryFaults};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;

const BOTH: SlabOptions = SlabOptions::DEFAULT.oriented(Orientation::Both);

type All = (Bfs, Components, Triangles, KTruss, PageRank<f64>);

fn all() -> All {
    let ranks = PageRank::new(Options::default().to_error(1e-6), Method::DF_P);
    (Bfs::from_source(0), Components, Triangles, KTruss::new(3), ranks)
}

pub(super) fn edge(src: u32, dst: u32) -> Edge {
    Edge { src, dst, weight: () }
}

pub(super) fn tracked<A: DynamicAlgorithm<SlabGraph>>(
    device: &Device,
    algorithm: A,
) -> Tracked<SlabGraph, A> {
    let edges: Vec<_> =
        (0..9).flat_map(|v| [edge(v, (v + 1) % 10), edge(v, (v + 2) % 10)]).collect();
    let graph = SlabGraph::from_edges(device, 10, &edges, &BOTH).expect("a graph");
    let mut tracked = graph.track(algorithm).expect("tracked");
    tracked.apply(&Batch::new().insert([edge(3, 9)]).delete([edge(0, 1)])).expect("applied");
    tracked
}

/// A checkpoint in a folder of its own.
struct File {
    _folder: tempfile::TempDir,
    path: PathBuf,
    bytes: Vec<u8>,
}

impl File {
    fn of<A: SavedState<SlabGraph>>(algorithm: A) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.meerkat");
        tracked(&Device::cpu(), algorithm).save_checkpoint(&path, 42).expect("a checkpoint");
        let bytes = fs::read(&path).expect("bytes");
        File { _folder: folder, path, bytes }
    }

    fn load<A: SavedState<SlabGraph>>(
        &self,
        bytes: &[u8],
        algorithm: A,
    ) -> Result<(Tracked<SlabGraph, A>, u64), Error> {
        fs::write(&self.path, bytes).expect("a file");
        Tracked::load_checkpoint(&Device::cpu(), algorithm, &self.path)
    }

    /// Why the file is refused.
    fn refusal<A: SavedState<SlabGraph>>(&self, bytes: &[u8], algorithm: A) -> String {
        let Err(error) = self.load(bytes, algorithm) else { panic!("it was taken") };
        let ErrorKind::Snapshot { path, cause } = error.kind() else { panic!("{error}") };
        assert_eq!(path, &self.path);
        format!("{cause:?}")
    }
}

#[test]
fn a_checkpoint_with_any_byte_changed_is_refused() {
    let file = File::of(all());
    for at in 0..file.bytes.len() {
        let mut bytes = file.bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        let cause = file.refusal(&bytes, all());
        let expected = match at {
            0..8 => "NoSnapshot",
            8..12 => "Version",
            _ => "Damaged",
        };
        assert!(cause.starts_with(expected), "byte {at}: {cause}");
    }
    assert_eq!(file.load(&file.bytes, all()).expect("whole").1, 42);
}

#[test]
fn a_checkpoint_cut_short_anywhere_or_with_more_at_its_end_is_refused() {
    let file = File::of(all());
    for length in 0..file.bytes.len() {
        let cause = file.refusal(&file.bytes[..length], all());
        assert!(["NoSnapshot", "Damaged"].contains(&&*cause), "{length} bytes: {cause}");
    }
    for more in [1, 4, 32, 1000] {
        let bytes = [file.bytes.clone(), vec![0; more]].concat();
        assert_eq!(file.refusal(&bytes, all()), "Damaged");
    }
}

/// Who writes the right checksum to wrong contents gets an error, or an answer that is wrong; memory
/// is not touched that is not its own, and everything ends.
#[test]
fn a_state_that_somebody_else_wrote_is_refused_or_followed() {
    let file = File::of(all());
    let of_state = b"state/";
    let start = file.bytes.windows(of_state.len()).position(|bytes| bytes == of_state);
    let (start, end) = (start.expect("a state"), file.bytes.len() - 32);
    let (mut refused, mut taken) = (0, 0);
    for at in (start..end).step_by(3) {
        let mut bytes = file.bytes[..end].to_vec();
        bytes[at] ^= if at % 2 == 0 { 0x80 } else { 3 };
        let checksum = Sha256::digest(&bytes);
        bytes.extend_from_slice(&checksum);
        match file.load(&bytes, all()) {
            Ok((mut tracked, _)) => {
                taken += 1;
                let batch = Batch::new().delete([edge(1, 2), edge(3, 4)]).insert([edge(9, 0)]);
                // Ranks that are far too large need more steps than there may be.
                let _ = tracked.apply(&batch);
                tracked.graph().check_invariants().expect("invariants");
                let _ = tracked.output();
            }
            Err(error) => {
                refused += 1;
                assert!(matches!(error.kind(), ErrorKind::Snapshot { .. }), "byte {at}: {error}");
            }
        }
    }
    assert!(refused > 100 && taken > 20, "{refused} refused, {taken} taken");
}

#[test]
fn a_checkpoint_of_another_algorithm_or_other_options_is_refused_with_both_names() {
    let file = File::of(Bfs::from_source(0));
    let message = |error: Error| error.to_string();
    let load = |source| file.load(&file.bytes, Bfs::from_source(source)).map(drop);
    assert!(load(0).is_ok());
    let error = message(load(1).expect_err("another source"));
    assert!(error.contains("`bfs from 0`") && error.contains("`bfs from 1`"), "{error}");
    assert!(file.refusal(&file.bytes, Sssp::from_source(0)).starts_with("Algorithm"));
    assert!(file.refusal(&file.bytes, (Bfs::from_source(0), Components)).starts_with("Algorithm"));
    assert!(file.refusal(&file.bytes, Components).starts_with("Algorithm"));

    let ranks = |options, method| PageRank::<f64>::new(options, method);
    let options = Options::default();
    let file = File::of(ranks(options, Method::DF_P));
    assert!(file.load(&file.bytes, ranks(options, Method::DF_P)).is_ok());
    for other in [
        ranks(Options { damping: 0.9, ..options }, Method::DF_P),
        ranks(options.to_error(1e-3), Method::DF_P),
        ranks(options, Method::DF),
    ] {
        assert!(file.refusal(&file.bytes, other).starts_with("Algorithm"));
    }
    let single = PageRank::<f32>::new(options, Method::DF_P);
    assert!(file.refusal(&file.bytes, single).starts_with("Algorithm"));
}

#[test]
fn snapshots_checkpoints_and_weights_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.meerkat");
    let device = Device::cpu();
    let tracked = tracked(&device, Components);
    let load = || Tracked::<SlabGraph, _>::load_checkpoint(&device, Components, &path);
    // A snapshot has no state, and a checkpoint has a graph.
    tracked.graph().save(&path).expect("a snapshot");
    let error = load().expect_err("no state");
    assert!(
        matches!(error.kind(), ErrorKind::Snapshot { cause: SnapshotFault::NoState, .. }),
        "{error}"
    );
    tracked.save_checkpoint(&path, 1).expect("a checkpoint");
    let graph = CompactGraph::<()>::load(&device, &path).expect("the graph");
    assert_eq!(graph.to_edges().expect("edges"), tracked.graph().to_edges().expect("edges"));
    let weighted = Tracked::<SlabGraph<u32>, _>::load_checkpoint(&device, Components, &path);
    let error = weighted.expect_err("no weights");
    assert!(error.to_string().contains("its edges carry `()`"), "{error}");
    // A graph that the algorithm cannot follow.
    let scheme = || IncrementalComponents::new(Scheme::SlabIterator);
    let graph = SlabGraph::<()>::from_edges(&device, 3, &[], &SlabOptions::DEFAULT);
    let tracked = graph.expect("a graph").track(scheme()).expect("tracked");
    tracked.save_checkpoint(&path, 1).expect("a checkpoint");
    let loaded = Tracked::<SlabGraph, _>::load_checkpoint(&device, scheme(), &path);
    assert_eq!(loaded.expect("the checkpoint").0.output().expect("labels"), [0, 1, 2]);
}

#[test]
fn memory_that_runs_out_at_any_allocation_is_an_error_and_loses_nothing() {
    let file = File::of(all());
    for device in devices() {
        let faults = MemoryFaults::new();
        let device = device.with_memory_faults(&faults);
        let mut refused = 0;
        for successes in 0.. {
            faults.fail_once(successes);
            let loaded = Tracked::<SlabGraph, All>::load_checkpoint(&device, all(), &file.path);
            match (faults.heal(), loaded) {
                (true, Err(error)) => {
                    assert!(error.is_out_of_memory(), "{error}");
                    refused += 1;
                }
                (true, Ok(_)) => {}
                (false, loaded) => {
                    loaded.expect("memory");
                    break;
                }
            }
        }
        assert!(refused > 20, "{refused} refused");
        let tracked = tracked(&device, all());
        let before = fs::read(&file.path).expect("bytes");
        for successes in 0.. {
            faults.fail_once(successes);
            let saved = tracked.save_checkpoint(&file.path, 43);
            if !faults.heal() {
                saved.expect("memory");
                break;
            }
            if let Err(error) = saved {
                assert!(error.is_out_of_memory(), "{error}");
                assert_eq!(fs::read(&file.path).expect("bytes"), before);
            }
        }
        assert_ne!(fs::read(&file.path).expect("bytes"), before);
        fs::write(&file.path, before).expect("a file");
    }
}
