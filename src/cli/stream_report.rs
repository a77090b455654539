//! What a stream says after every batch, as JSON lines and as a table.

use std::fmt::Write;

use serde::Serialize;

use super::output;
use super::plan::Format;
use super::report::{Summary, grouped, to_microseconds};

/// The answer after a batch, and what it took. The fields of the JSON object are
/// a promise.
#[derive(Debug, Serialize)]
pub(super) struct BatchReport<R> {
    /// From 1; the graph is empty before it.
    pub(super) batch: usize,
    /// Records that entered or left.
    pub(super) updates: usize,
    /// Arcs that the batch changed.
    pub(super) deleted: usize,
    pub(super) inserted: usize,
    /// Arcs after it.
    pub(super) m_arcs: u64,
    /// Milliseconds for the graph, for the algorithm, and for a computation from
    /// scratch.
    #[serde(serialize_with = "to_microseconds")]
    pub(super) graph_ms: f64,
    #[serde(serialize_with = "to_microseconds")]
    pub(super) algorithm_ms: f64,
    #[serde(serialize_with = "rounded", skip_serializing_if = "Option::is_none")]
    pub(super) static_ms: Option<f64>,
    pub(super) result: R,
}

fn rounded<S: serde::Serializer>(ms: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    to_microseconds(&ms.unwrap_or(0.0), serializer)
}

/// The sums over all batches.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) batches: usize,
    updates: usize,
    graph_ms: f64,
    algorithm_ms: f64,
    static_ms: Option<f64>,
}

impl Totals {
    pub(super) fn add<R>(&mut self, report: &BatchReport<R>) {
        self.batches += 1;
        self.updates += report.updates;
        self.graph_ms += report.graph_ms;
        self.algorithm_ms += report.algorithm_ms;
        if let Some(ms) = report.static_ms {
            *self.static_ms.get_or_insert(0.0) += ms;
        }
    }

    /// The last lines of the table.
    pub(super) fn text(&self) -> String {
        let Self { batches, updates, graph_ms, algorithm_ms, static_ms } = self;
        let mut text = format!(
            "\n{} updates in {batches} batches: graph {graph_ms:.1} ms, algorithm {algorithm_ms:.1} ms",
            grouped(*updates as u64)
        );
        if let Some(ms) = static_ms {
            let speedup = ms / algorithm_ms.max(1e-6);
            let _ = write!(text, ", from scratch {ms:.1} ms: {speedup:.2} times as long");
        }
        text + "\n"
    }
}

/// The head of the table.
pub(super) fn head(compares: bool) -> String {
    let from_scratch = if compares { "   scratch ms" } else { "" };
    format!(
        "{:>7}  {:>9}  {:>12}  {:>10}  {:>12}{from_scratch}  result\n",
        "batch", "updates", "arcs", "graph ms", "algorithm ms"
    )
}

impl<R: Summary + Serialize> BatchReport<R> {
    /// A JSON object or a row of the table, with its line end.
    pub(super) fn line(&self, format: Format) -> String {
        if format == Format::Json {
            return output::json_line(self);
        }
        let Self { batch, updates, m_arcs, graph_ms, algorithm_ms, static_ms, .. } = self;
        let from_scratch = static_ms.map_or(String::new(), |ms| format!("  {ms:>11.3}"));
        format!(
            "{batch:>7}  {:>9}  {:>12}  {graph_ms:>10.3}  {algorithm_ms:>12.3}{from_scratch}  {}\n",
            grouped(*updates as u64),
            grouped(*m_arcs),
            self.result.in_brief(),
        )
    }
}
