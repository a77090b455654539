//! The report of a run, as JSON and as text: what all algorithms share.

use std::fmt;

use meerkat::runtime::read::SimpleGraph;
use serde::{Serialize, Serializer};

use super::input_report::InputReport;

/// What an algorithm found, where, and how long it took. The fields of the JSON
/// object are a promise.
#[derive(Debug, Serialize)]
pub(super) struct Report<R> {
    pub(super) algorithm: &'static str,
    pub(super) device: String,
    #[serde(skip)]
    pub(super) device_description: String,
    pub(super) input: InputReport,
    pub(super) graph: GraphFigures,
    pub(super) result: R,
    pub(super) timings_ms: Timings,
}

/// The text of a result.
pub(super) trait Summary {
    /// What was asked, after the algorithm's name: ` from vertex 1`.
    fn question(&self) -> String;
    /// The lines between the graph and the times.
    fn answer(&self, n: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    /// The answer on one line, for a table.
    fn in_brief(&self) -> String;
    /// What follows the times.
    fn table(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

/// The size of the simple graph.
#[derive(Debug, Serialize)]
pub(super) struct GraphFigures {
    n: u32,
    m_arcs: u64,
    m_undirected: u64,
    max_out_degree: u32,
}

/// Milliseconds; `compile` is contained in no other.
#[derive(Debug, Serialize)]
pub(super) struct Timings {
    #[serde(serialize_with = "to_microseconds")]
    pub(super) read: f64,
    #[serde(serialize_with = "to_microseconds")]
    pub(super) build: f64,
    #[serde(serialize_with = "to_microseconds")]
    pub(super) compile: f64,
    #[serde(serialize_with = "to_microseconds")]
    pub(super) run: f64,
}

impl GraphFigures {
    pub(super) fn of(graph: &SimpleGraph) -> Self {
        Self {
            n: graph.n,
            m_arcs: graph.m_arcs(),
            m_undirected: graph.m_undirected,
            max_out_degree: graph.max_out_degree(),
        }
    }
}

impl<R: Summary> fmt::Display for Report<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { algorithm, device, device_description, input, graph, result, .. } = self;
        let time = &self.timings_ms;
        writeln!(f, "{algorithm}{} on {device} ({device_description})", result.question())?;
        writeln!(f)?;
        write!(f, "{input}")?;
        result.answer(graph.n, f)?;
        writeln!(
            f,
            "time     read {:.1} ms, build {:.1} ms, compile {:.1} ms, run {:.1} ms",
            time.read, time.build, time.compile, time.run,
        )?;
        result.table(f)
    }
}

/// How many vertices a search reached, of how many.
pub(super) fn reached_line(f: &mut fmt::Formatter<'_>, reached: u64, n: u32) -> fmt::Result {
    let percent = 100.0 * reached as f64 / f64::from(n.max(1));
    writeln!(f, "reached  {} vertices, {percent:.1} % of all", grouped(reached))
}

/// The number with a comma between groups of three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Further digits of a millisecond are noise.
pub(super) fn to_microseconds<S: Serializer>(
    milliseconds: &f64,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((milliseconds * 1e3).round() / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (1_070_376, "1,070,376")];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }
}
