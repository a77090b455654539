//! The report of a run, as JSON and as text: what all algorithms share.

use std::fmt;
use std::path::PathBuf;

use meerkat::runtime::Device;
use meerkat::runtime::read::{Direction, SimpleGraph};
use serde::{Serialize, Serializer};

use super::input::Input;

/// What an algorithm found, where, and how long it took. The fields of the JSON
/// object are a promise.
#[derive(Debug, Serialize)]
pub(super) struct Report<R> {
    pub(super) algorithm: &'static str,
    pub(super) device: String,
    pub(super) graph: GraphFigures,
    pub(super) result: R,
    pub(super) timings_ms: Timings,
    #[serde(skip)]
    pub(super) subject: Subject,
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

/// What the text says besides.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) device: String,
    pub(super) file: PathBuf,
    pub(super) direction: Direction,
    pub(super) direction_origin: &'static str,
    /// Where the weights come from, if they matter.
    pub(super) weights: Option<&'static str>,
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

impl Subject {
    pub(super) fn new(device: &Device, input: &Input) -> Self {
        Self {
            device: device.description(),
            file: input.path.clone(),
            direction: input.direction,
            direction_origin: input.direction_origin,
            weights: None,
        }
    }
}

impl<R: Summary> fmt::Display for Report<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { algorithm, device, graph, result, timings_ms: time, subject } = self;
        let direction = match subject.direction {
            Direction::Directed => "directed",
            Direction::Undirected => "undirected",
        };
        writeln!(f, "{algorithm}{} on {device} ({})", result.question(), subject.device)?;
        writeln!(f)?;
        writeln!(f, "graph    {}", subject.file.display())?;
        writeln!(
            f,
            "         {} vertices, {} arcs, {direction} ({})",
            grouped(u64::from(graph.n)),
            grouped(graph.m_arcs),
            subject.direction_origin,
        )?;
        if let Some(weights) = subject.weights {
            writeln!(f, "         weights {weights}")?;
        }
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
