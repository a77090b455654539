//! The schemes by which components find the new edges of a batch.

use meerkat::algos::wcc::{IncrementalComponents, Scheme};
use meerkat::runtime::{Orientation, SlabOptions};

use super::batches;
use crate::cli::bench::batches::{Choice, Kind};
use crate::cli::bench::dynamic::RankSettings;
use crate::cli::bench::paper::experiment::Value;
use crate::cli::bench::paper::graphs::Dataset;
use crate::cli::bench::paper::lab::{Follow, Lab};
use crate::cli::container::Slabs;
use crate::cli::failure::Failure;

/// A scheme, and whether a vertex has several buckets.
pub(in crate::cli::bench::paper) type Way = (&'static str, Scheme, bool);

/// How many times as fast as the naive scheme the others are, by the size of a batch.
pub(in crate::cli::bench::paper) fn over_naive(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    ways: &[Way],
) -> Result<Vec<Value>, Failure> {
    let arcs = lab.arcs(dataset)?;
    let mut found = Vec::new();
    for full in [2048, 4096, 8192] {
        for &(series, scheme, hashing) in ways {
            let size = lab.size(full, 128);
            let follow = Follow {
                algorithm: "wcc",
                kind: Kind::Incremental,
                size: size as usize,
                count: batches(lab, 10),
                inserted: None,
                ranks: RankSettings::DEFAULT,
            };
            let layout = SlabOptions {
                hashing,
                track_updates: scheme == Scheme::UpdateIterator,
                ..SlabOptions::DEFAULT.oriented(Orientation::Both)
            };
            let case = lab.dynamic_case(&arcs, follow, layout, Choice::OfTheGraph);
            let new = || IncrementalComponents::new(scheme);
            let rows = case.run_exact::<Slabs, (), _>(|_| (), new, |a, b| a == b)?;
            let value = Value::new(series, rows[0].speedup).at(size.into(), full.into());
            found.push(value.within(format!("batches of {size} edges")));
        }
    }
    Ok(found)
}
