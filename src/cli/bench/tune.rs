//! `meerkat tune`: measures the thresholds of a device one after another, and keeps the best of each.
//!
//! ```text
//! graphs -> ArcList --each value of a threshold--> rows of `bench dynamic` -> cost -> Tuning -> file
//! ```

mod thresholds;

use std::num::NonZero;
use std::path::PathBuf;

use meerkat::runtime::{Device, Orientation, SlabOptions, Tuning};
use serde::Serialize;

use self::thresholds::{THRESHOLDS, Threshold};
use super::batches::{Batches, Choice, Kind};
use super::dynamic::{DynamicCase, RankSettings};
use super::dynamic_entries;
use super::workload::{ArcList, Workload};
use crate::cli::args::{ExecutionArgs, from_one};
use crate::cli::container::DynamicContainer;
use crate::cli::failure::Failure;
use crate::cli::input::{DirectionArgs, GraphSource, ReadArgs};
use crate::cli::output::{self, Report};
use crate::cli::progress::Progress;
use crate::cli::timing::median;

const HELP: &str = "\
Examples:
  meerkat tune --device cuda                          # minutes; later programs are faster
  meerkat tune --device cuda --graphs G.mtx,rmat:20   # for graphs like yours
  meerkat tune --device cpu --quick --json            # what it measures, in a minute

A threshold says when a search goes on in another way: from a list of vertices to passes over all of
them, from pushing to pulling, from following a batch to computing anew. No answer depends on one. Each
is measured with several values, on breadth-first search and shortest paths, from scratch and
while batches of three kinds are followed; a value is taken if it is 2 % faster than the one before, twice,
over all graphs. Every answer is compared with the one from scratch.

The thresholds that are not the usual ones are kept in a file beside the compiled kernels (`meerkat info`
says where). Programs that open this device later read it. Remove it to go back to the usual ones, which
were measured on an H200. For the CPU, and with --quick, nothing is kept.";

/// A value is taken that takes less than this part of the time.
const WORTH_WHILE: f64 = 0.98;
/// Each case is measured so often, and the least time counts.
const REPEATS: usize = 2;

#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(in crate::cli) struct TuneArgs {
    /// Graphs to measure on: files or generators [default: a social network, a uniform graph, roads]
    #[arg(long, short, value_name = "LIST", value_delimiter = ',')]
    graphs: Vec<GraphSource>,

    /// Edges a batch
    #[arg(long, short, value_name = "N", value_parser = from_one::<NonZero<usize>>,
          allow_negative_numbers = true)]
    batch_size: Option<NonZero<usize>>,

    /// Small graphs and few values, to see what it does
    #[arg(long)]
    quick: bool,

    /// Keep nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    execution: ExecutionArgs,
}

/// What was found.
#[derive(Debug, Serialize)]
struct Tuned {
    graphs: Vec<String>,
    thresholds: Vec<Row>,
    /// Where they are kept.
    file: Option<PathBuf>,
}

/// A threshold and its values.
#[derive(Debug, Serialize)]
struct Row {
    threshold: &'static str,
    before: u32,
    chosen: u32,
    measured: Vec<Measured>,
}

/// A value, and what it takes of the time that the one before takes.
#[derive(Debug, Serialize)]
struct Measured {
    value: u32,
    ratio: f64,
}

/// Measures, and keeps what is best.
pub(in crate::cli) fn run(args: &TuneArgs) -> Result<String, Failure> {
    let device = args.execution.open()?;
    let progress = Progress::reading();
    let file = device.tuning_file().filter(|_| !args.quick && !args.dry_run);
    let keep = |tuning: &Tuning| match &file {
        Some(path) => {
            tuning.store(path).map_err(|cause| Failure::OutputRefused { path: path.clone(), cause })
        }
        None => Ok(()),
    };
    // So that minutes of work are not in vain.
    keep(device.tuning())?;
    let mut graphs = Vec::new();
    for graph in args.graphs() {
        let (direction, read) = (DirectionArgs::default(), ReadArgs::default());
        let workload = Workload::open(&graph, direction, &read, &device, &progress)?;
        graphs.push(workload.list(&device)?);
    }
    let size = args.batch_size.map_or(if args.quick { 100 } else { 10_000 }, NonZero::get);
    let mut best = *device.tuning();
    let mut rows = Vec::new();
    for threshold in THRESHOLDS {
        progress.work(threshold.name);
        let cost = |tuning| cost(&device, tuning, threshold, &graphs, size, args.quick);
        rows.push(tune(threshold, &mut best, args.quick, cost)?);
    }
    drop(progress);
    keep(&best)?;
    let graphs = graphs.into_iter().map(|graph| graph.name).collect();
    let tuned = Tuned { graphs, thresholds: rows, file };
    let text = text(&tuned, &device);
    Ok(output::render(&Report::new("tune", tuned).on(&device), &text, args.execution.format()))
}

impl TuneArgs {
    fn graphs(&self) -> Vec<GraphSource> {
        let usual = match self.quick {
            true => ["rmat:8", "uniform:300:2000", "grid:16x16:30:10"],
            false => ["rmat:19", "uniform:1000000:8000000", "grid:1000x1000:30:10"],
        };
        match self.graphs.is_empty() {
            true => usual.iter().filter_map(|name| name.parse().ok()).collect(),
            false => self.graphs.clone(),
        }
    }
}

/// Measures the values of a threshold, and puts the best into `best`.
fn tune(
    threshold: &Threshold,
    best: &mut Tuning,
    quick: bool,
    cost: impl Fn(Tuning) -> Result<f64, Failure>,
) -> Result<Row, Failure> {
    let (before, usual) = (*(threshold.of)(best), cost(*best)?);
    let (mut measured, mut fastest) = (Vec::new(), (usual, *best));
    let values = threshold.values.iter().filter(|value| **value != before);
    for &value in values.take(if quick { 1 } else { usize::MAX }) {
        let mut tuning = *best;
        *(threshold.of)(&mut tuning) = value;
        let cost = cost(tuning)?;
        measured.push(Measured { value, ratio: (cost - usual).exp() });
        if cost < fastest.0 {
            fastest = (cost, tuning);
        }
    }
    let is_worth = |now: f64, then: f64| now - then < WORTH_WHILE.ln();
    // Of several values the fastest was lucky, perhaps: it has to be a second time.
    if is_worth(fastest.0, usual) && is_worth(cost(fastest.1)?, cost(*best)?) {
        *best = fastest.1;
    }
    Ok(Row { threshold: threshold.name, before, chosen: *(threshold.of)(best), measured })
}

/// What searches take with these thresholds: the mean of the logarithms of their times, so that each graph
/// weighs the same.
fn cost(
    device: &Device,
    tuning: Tuning,
    threshold: &Threshold,
    graphs: &[ArcList],
    size: usize,
    quick: bool,
) -> Result<f64, Failure> {
    let device = device.clone().with_tuning(tuning);
    let mut logarithms = Vec::new();
    for entry in dynamic_entries().filter(|entry| threshold.algorithms.contains(&entry.name())) {
        for workload in graphs {
            for kind in [Kind::Incremental, Kind::Decremental, Kind::Mixed] {
                let count = if quick { 2 } else { 5 };
                let case = DynamicCase {
                    algorithm: entry.name(),
                    container: DynamicContainer::default(),
                    ranks: RankSettings::DEFAULT,
                    workload,
                    batches: Batches {
                        kind,
                        size,
                        count,
                        inserted: 50,
                        choice: Choice::OfTheGraph,
                    },
                    layout: SlabOptions::DEFAULT.oriented(Orientation::Both),
                    device: &device,
                };
                let mut least = [f64::INFINITY; 2];
                for _ in 0..if quick { 1 } else { REPEATS } {
                    for row in entry.bench_dynamic(&case)? {
                        let times =
                            [&row.dynamic_runs_ms, &row.static_runs_ms].map(|runs| median(runs));
                        least = [least[0].min(times[0]), least[1].min(times[1])];
                    }
                }
                logarithms.extend(least.map(|time| time.max(1e-6).ln()));
            }
        }
    }
    Ok(logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64)
}

fn text(tuned: &Tuned, device: &Device) -> String {
    let mut text = format!("tune on {} ({})\n", device.name(), device.description());
    text += &format!("{}\n\n", tuned.graphs.join(", "));
    text += &format!("{:<20} {:>8} {:>8}  time of other values\n", "threshold", "before", "chosen");
    for row in &tuned.thresholds {
        let others = row.measured.iter().map(|of| format!("{}: {:.2}", of.value, of.ratio));
        let others: Vec<_> = others.collect();
        let line = format!("{:<20} {:>8} {:>8}", row.threshold, row.before, row.chosen);
        text += &format!("{line}  {}\n", others.join(", "));
    }
    match &tuned.file {
        Some(path) => text += &format!("\nkept in {}\n", path.display()),
        None => text += "\nnothing is kept\n",
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_taken_if_it_is_two_percent_faster_than_the_one_before() {
        let threshold =
            THRESHOLDS.iter().find(|of| of.name == "rounds_ahead").expect("a threshold");
        let taken = |costs: fn(u32) -> f64| {
            let mut best = Tuning::DEFAULT;
            let row =
                tune(threshold, &mut best, false, |tuning| Ok(costs(tuning.rounds_ahead).ln()));
            let row = row.expect("measured");
            assert_eq!((row.before, row.chosen), (32, best.rounds_ahead));
            assert_eq!(row.measured.len(), threshold.values.len() - 1);
            best
        };
        assert_eq!(taken(|_| 1.0), Tuning::DEFAULT);
        assert_eq!(taken(|rounds| if rounds == 8 { 0.99 } else { 1.0 }), Tuning::DEFAULT);
        let taken = taken(f64::from);
        assert_eq!(taken, Tuning { rounds_ahead: 4, ..Tuning::DEFAULT });
    }

    #[test]
    fn a_value_that_is_faster_only_once_is_not_taken() {
        let (mut best, calls) = (Tuning::DEFAULT, std::cell::Cell::new(0));
        let lucky = |tuning: Tuning| {
            calls.set(calls.get() + 1);
            let is_first = calls.get() <= THRESHOLDS[0].values.len();
            Ok(if is_first && tuning.rounds_ahead == 16 { -1.0 } else { 0.0 })
        };
        let row = tune(&THRESHOLDS[0], &mut best, false, lucky).expect("measured");
        assert_eq!((row.chosen, best), (32, Tuning::DEFAULT));
    }

    #[test]
    fn every_threshold_is_measured_with_its_usual_value_among_others() {
        let mut all = Tuning::DEFAULT;
        for threshold in THRESHOLDS {
            let usual = *(threshold.of)(&mut all);
            assert!(threshold.values.contains(&usual), "{}", threshold.name);
            *(threshold.of)(&mut all) = u32::MAX;
        }
        let names: Vec<_> = THRESHOLDS.iter().map(|threshold| threshold.name).collect();
        let stored = serde_json::to_value(all).expect("JSON");
        let fields = stored.as_object().expect("an object");
        assert!(fields.values().all(|value| *value == u32::MAX), "{stored}");
        assert!(fields.keys().all(|name| names.contains(&name.as_str())), "{stored}");
    }
}
