//! The records of a temporal graph in the order of their times.

use meerkat::runtime::Edge;

use super::graphs::Dataset;
use super::lab::Lab;
use crate::cli::bench::workload::ArcList;
use crate::cli::failure::Failure;
use crate::cli::input::{GraphSource, load};

/// Records in their order, and the graph of all of them.
pub(super) struct Records {
    /// Repeats included, self-loops not.
    pub(super) in_order: Vec<(u32, u32)>,
    pub(super) arcs: ArcList,
}

/// Reads the records of a file by their times, or without times as the file has them; a
/// generator's are in the order in which it makes them.
pub(super) fn read(lab: &Lab<'_>, dataset: &Dataset) -> Result<Records, Failure> {
    let (n, mut records) = match &dataset.source {
        GraphSource::Generated(generator) => {
            let edges = generator.edges::<()>(lab.device, 0)?.to_vec()?;
            let ends = edges.into_iter().map(|Edge { src, dst, .. }| (src, dst)).collect();
            (generator.vertices(), ends)
        }
        GraphSource::File(path) => {
            let file = load(path, &lab.read.with_times(None), lab.progress)?;
            let ends: Vec<_> = file.sources.into_iter().zip(file.destinations).collect();
            (file.ids.len(), by_time(ends, file.times.as_deref()))
        }
    };
    records.retain(|(u, v)| u != v);
    let mut arcs = records.clone();
    arcs.sort_unstable();
    arcs.dedup();
    Ok(Records { in_order: records, arcs: ArcList::directed(dataset.used(), n, arcs) })
}

fn by_time(records: Vec<(u32, u32)>, times: Option<&[i64]>) -> Vec<(u32, u32)> {
    let Some(times) = times else { return records };
    let mut timed: Vec<_> = times.iter().zip(records).collect();
    // Of equal times the first record of the file comes first.
    timed.sort_by_key(|(time, _)| **time);
    timed.into_iter().map(|(_, record)| record).collect()
}
