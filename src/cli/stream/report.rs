//! What a stream says after every batch, as JSON lines and as a table.

use std::fmt::Write;

use meerkat::runtime::read::TimeScale;
use serde::Serialize;
use serde_json::Number;

use crate::cli::algorithms::Brief;
use crate::cli::args::ReportFormat;
use crate::cli::output::{self, GraphFigures, Milliseconds, counted, grouped};

/// A line of JSON: the answer after a batch, and what it took.
#[derive(Debug, Serialize)]
pub(super) struct BatchReport<F> {
    pub(super) schema: u32,
    pub(super) command: &'static str,
    pub(super) algorithm: &'static str,
    pub(super) batch: BatchFigures,
    pub(super) graph: GraphFigures,
    pub(super) result: F,
    pub(super) timings_ms: BatchTimings,
}

/// What a batch did.
#[derive(Debug, Serialize)]
pub(super) struct BatchFigures {
    /// From 1; the graph is empty before it.
    pub(super) number: usize,
    /// Records that entered or left.
    pub(super) updates: usize,
    /// The times of the first and the last record that entered, in the unit of the file.
    pub(super) first_time: Number,
    pub(super) last_time: Number,
    /// Arcs that the batch changed.
    pub(super) deleted: usize,
    pub(super) inserted: usize,
}

/// Milliseconds for the graph, for the algorithm, and for a computation from scratch.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct BatchTimings {
    pub(super) graph: Milliseconds,
    pub(super) algorithm: Milliseconds,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from_scratch: Option<Milliseconds>,
}

/// The sums over all batches.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) batches: usize,
    updates: usize,
    timings: BatchTimings,
}

impl Totals {
    pub(super) fn add<F>(&mut self, report: &BatchReport<F>) {
        self.batches += 1;
        self.updates += report.batch.updates;
        let BatchTimings { graph, algorithm, from_scratch } = report.timings_ms;
        self.timings.graph.0 += graph.0;
        self.timings.algorithm.0 += algorithm.0;
        if let Some(ms) = from_scratch {
            self.timings.from_scratch.get_or_insert_default().0 += ms.0;
        }
    }

    /// The last lines of the table.
    pub(super) fn text(&self) -> String {
        let Self { batches, updates, timings } = self;
        let BatchTimings { graph, algorithm, from_scratch } = timings;
        let updates = counted(*updates as u64, "updates");
        let batches = counted(*batches as u64, "batches");
        let mut text = format!("\n{updates} in {batches}: graph {graph}, algorithm {algorithm}");
        if let Some(ms) = from_scratch {
            let speedup = ms.0 / algorithm.0.max(1e-6);
            let _ = write!(text, ", from scratch {ms}: {speedup:.2} times as long");
        }
        text + "\n"
    }
}

/// The head of the table.
pub(super) fn head(compares: bool) -> String {
    let from_scratch = if compares { "   scratch ms" } else { "" };
    format!(
        "{:>7}  {:>9}  {:>13}  {:>12}  {:>10}  {:>12}{from_scratch}  result\n",
        "batch", "updates", "until", "arcs", "graph ms", "algorithm ms"
    )
}

impl<F: Brief> BatchReport<F> {
    /// A JSON object or a row of the table, with its line end.
    pub(super) fn line(&self, format: ReportFormat) -> String {
        if format == ReportFormat::Json {
            return output::json_line(self);
        }
        let BatchFigures { number, updates, last_time, .. } = &self.batch;
        let until = last_time.to_string();
        let BatchTimings { graph, algorithm, from_scratch } = self.timings_ms;
        let from_scratch = from_scratch.map_or(String::new(), |ms| format!("  {:>11.3}", ms.0));
        format!(
            "{number:>7}  {:>9}  {until:>13}  {:>12}  {:>10.3}  {:>12.3}{from_scratch}  {}\n",
            grouped(*updates as u64),
            grouped(self.graph.m_arcs),
            graph.0,
            algorithm.0,
            self.result.brief(),
        )
    }
}

/// A time in the unit of the file.
pub(in crate::cli) fn time(ticks: i64, scale: TimeScale) -> Number {
    match scale.ticks_per_unit {
        1 => ticks.into(),
        parts => Number::from_f64(ticks as f64 / parts as f64).unwrap_or_else(|| ticks.into()),
    }
}
