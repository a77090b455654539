//! Ranks that go through files: their bounds hold.

use super::streams::{BOTH, arcs, check, through_a_file};
use crate::oracle;
use crate::support::devices::devices;
use meerkat::algos::pagerank::{Method, Options, PageRank, Ranks};
use meerkat::prelude::*;
use meerkat::runtime::oracle::Model;
use meerkat::runtime::oracle::generate::Rng;
use std::fmt::Debug;

/// The ranks are as near as they say, which is as near as was asked for.
fn check_ranks<R: Float + meerkat::runtime::saved::SavedElement>(method: Method, error: f64)
where
    Ranks<R>: PartialEq + Debug,
{
    let options = Options::default().to_error(error);
    let wrong = |model: &Model, found: &Ranks<R>| {
        let expected = oracle::pagerank(model.vertices(), &arcs(model), options.damping, false);
        let differences = found.ranks.iter().zip(&expected);
        let off: f64 = differences.map(|(rank, other)| (rank.to_f64() - other).abs()).sum();
        let rounding = if size_of::<R>() == 4 { 1e-5 } else { 1e-13 };
        match off <= found.error_bound + rounding && found.error_bound <= error + rounding {
            true => Ok(()),
            false => Err(format!("off by {off:e}, bound {:e} of {error:e}", found.error_bound)),
        }
    };
    check(|| PageRank::<R>::new(options, method), |_| (), wrong);
}

#[test]
fn ranks_go_on_within_their_bounds_by_every_method() {
    for method in [Method::Static, Method::NaiveDynamic, Method::DynamicTraversal] {
        check_ranks::<f64>(method, 1e-9);
    }
    check_ranks::<f64>(Method::DF, 1e-7);
    check_ranks::<f64>(Method::DF_P, 1e-7);
    check_ranks::<f32>(Method::DF_P, 1e-3);
}

/// What a batch leaves unpropagated is not forgotten: over 300 batches, each through a file, it stays
/// within the bound.
#[test]
fn ranks_do_not_drift_over_300_checkpoints() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, options) = (folder.path().join("ranks"), Options::default().to_error(1e-5));
    let algorithm = || PageRank::<f64>::new(options, Method::DF_P);
    for device in devices() {
        let (n, mut rng) = (60, Rng::with_seed(5));
        let mut model = Model::<()>::new(n, Direction::Directed);
        let graph = SlabGraph::<()>::from_edges(&device, n, &[], &BOTH).expect("a graph");
        let mut tracked = graph.track(algorithm()).expect("tracked");
        for number in 0..300 {
            let mut edge = || Edge { src: rng.u32(0..n), dst: rng.u32(0..n), weight: () };
            let batch = Batch::new().insert([edge(), edge()]).delete([edge(), edge(), edge()]);
            model.apply(&batch);
            tracked.apply(&batch).expect("applied");
            tracked = through_a_file(&tracked, algorithm(), &path);
            let found = tracked.output().expect("ranks");
            let expected = oracle::pagerank(n, &arcs(&model), options.damping, false);
            let differences = found.ranks.iter().zip(&expected);
            let off: f64 = differences.map(|(rank, other)| (rank - other).abs()).sum();
            assert!(off <= found.error_bound + 1e-13, "batch {number}: off by {off:e}");
            assert!(found.error_bound <= 1e-5 + 1e-13, "batch {number}: {}", found.error_bound);
        }
    }
}
