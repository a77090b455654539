//! The five ways to update PageRank: how long they take, and how far their ranks are from those
//! at the fixed point.

use std::rc::Rc;

use meerkat::algos::pagerank::{DeadEnds, Method};

use super::batches;
use crate::cli::bench::batches::Kind;
use crate::cli::bench::dynamic::{DynamicRow, RankSettings, Reference};
use crate::cli::bench::paper::experiment::Value;
use crate::cli::bench::paper::graphs::Dataset;
use crate::cli::bench::paper::lab::{Follow, Lab};
use crate::cli::failure::Failure;

type Values = Result<Vec<Value>, Failure>;

/// The ways to follow.
const METHODS: &[Method] =
    &[Method::Static, Method::NaiveDynamic, Method::DynamicTraversal, Method::DF, Method::DF_P];
/// The same as the paper calls them.
const NAMES: [&str; 5] = ["Static", "ND", "DT", "DF", "DF-P"];
/// Batches of temporal graphs, as parts of all records (section 5.3.1).
const PARTS_OF_RECORDS: [f64; 3] = [1e-5, 1e-4, 1e-3];
/// Random batches, as parts of the edges (section 5.3.2).
const PARTS_OF_EDGES: [f64; 7] = [1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1];

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli::bench::paper) enum Look {
    /// Milliseconds of a batch on average.
    Runtime,
    /// The sum of the differences of all ranks, on average over the batches.
    Error,
}

/// Which batches are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli::bench::paper) enum Batches {
    /// The last records of a temporal graph.
    Temporal,
    /// Eight insertions between random vertices to two deletions of random edges.
    Random,
}

fn follow((kind, inserted): (Kind, Option<u8>), (size, count): (usize, usize)) -> Follow {
    let ranks = RankSettings {
        dead_ends: DeadEnds::SelfLoops,
        methods: METHODS,
        reference: Reference::FixedPoint,
        ..RankSettings::DEFAULT
    };
    Follow { algorithm: "pagerank", kind, size, count, inserted, ranks }
}

/// A row for each way.
fn rows(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    batches_are: Batches,
    part: f64,
) -> Result<Rc<Vec<DynamicRow>>, Failure> {
    let size = |all: usize| ((all as f64 * part) as usize).max(1);
    match batches_are {
        Batches::Temporal => {
            let size = size(lab.records(dataset)?.in_order.len());
            let count = batches(lab, 100);
            let follow = follow((Kind::Incremental, None), (size, count));
            lab.follow_records(dataset, follow)
        }
        Batches::Random => {
            let size = size(lab.arcs(dataset)?.each_once().count());
            let follow = follow((Kind::Mixed, Some(80)), (size, batches(lab, 5)));
            lab.follow(dataset, follow)
        }
    }
}

/// The parts of a run; a quick one has larger ones, of which its graphs have an edge at least.
fn parts(lab: &Lab<'_>, batches_are: Batches) -> Vec<f64> {
    match (batches_are, lab.quick) {
        (Batches::Temporal, false) => PARTS_OF_RECORDS.to_vec(),
        (Batches::Temporal, true) => vec![1e-2, 3e-2],
        (Batches::Random, false) => PARTS_OF_EDGES.to_vec(),
        (Batches::Random, true) => vec![1e-3, 1e-2, 1e-1],
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

/// Runtime or error of each way, by the part of the graph that a batch is.
pub(in crate::cli::bench::paper) fn by_part(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    batches_are: Batches,
    look: Look,
) -> Values {
    let mut found = Vec::new();
    for part in parts(lab, batches_are) {
        let rows = rows(lab, dataset, batches_are, part)?;
        for (name, row) in NAMES.into_iter().zip(rows.iter()) {
            let value = match look {
                Look::Runtime => row.batch_ms,
                Look::Error => mean(&row.errors),
            };
            found.push(Value::new(name, value).at(part, part));
        }
    }
    Ok(found)
}

/// How many times as fast as the other ways DF-P is: the mean over all sizes of batches, but of
/// random ones up to a ten thousandth of the edges, or in a quick run all.
pub(in crate::cli::bench::paper) fn of_pruning(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    batches_are: Batches,
) -> Values {
    let mut parts = parts(lab, batches_are);
    if batches_are == Batches::Random && !lab.quick {
        parts.retain(|part| *part <= 1e-4);
    }
    let mut logarithms = [0.0; NAMES.len() - 1];
    for &part in &parts {
        let rows = rows(lab, dataset, batches_are, part)?;
        let pruning = rows[NAMES.len() - 1].batch_ms;
        for (sum, row) in logarithms.iter_mut().zip(rows.iter()) {
            *sum += (row.batch_ms / pruning).ln();
        }
    }
    let speedup = |sum: f64| (sum / parts.len() as f64).exp();
    let ways = NAMES.into_iter().zip(logarithms);
    Ok(ways.map(|(name, sum)| Value::new(name, speedup(sum))).collect())
}

/// Runtime and error of each way after each batch of a temporal graph.
pub(in crate::cli::bench::paper) fn batch_by_batch(lab: &mut Lab<'_>, dataset: &Dataset) -> Values {
    let mut found = Vec::new();
    for part in parts(lab, Batches::Temporal) {
        let rows = rows(lab, dataset, Batches::Temporal, part)?;
        for (name, row) in NAMES.into_iter().zip(rows.iter()) {
            for (at, (ms, error)) in (1..).zip(row.dynamic_runs_ms.iter().zip(&row.errors)) {
                let (x, value) = (f64::from(at), |value: f64| Value::new(name, value));
                found.push(value(*ms).within(format!("ms, batches of {part:.0e}")).at(x, x));
                found.push(value(*error).within(format!("error, batches of {part:.0e}")).at(x, x));
            }
        }
    }
    Ok(found)
}
