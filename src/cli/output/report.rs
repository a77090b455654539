//! The JSON object that every command prints, and the numbers of texts.

use std::fmt;

use meerkat::runtime::Device;
use meerkat::runtime::read::SimpleGraph;
use serde::{Serialize, Serializer};

use crate::cli::input::InputReport;

/// The version of the JSON objects: it grows when a field changes its meaning or goes.
pub(in crate::cli) const SCHEMA: u32 = 1;

/// What a command did: one JSON object, of the same shape for all commands. Fields that a
/// command has no use for are left out. `docs/command.schema.json` describes it; the fields
/// are a promise.
#[derive(Debug, Serialize)]
pub(in crate::cli) struct Report<R> {
    pub(in crate::cli) schema: u32,
    pub(in crate::cli) command: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) algorithm: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) device: Option<DeviceReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) input: Option<InputReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) graph: Option<GraphFigures>,
    pub(in crate::cli) result: R,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) timings_ms: Option<Timings>,
}

/// The device of a command.
#[derive(Clone, Debug, Serialize)]
pub(in crate::cli) struct DeviceReport {
    name: String,
    description: String,
}

/// The size of a graph.
#[derive(Clone, Debug, Default, Serialize)]
pub(in crate::cli) struct GraphFigures {
    /// The file or the generator, of a benchmark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) name: Option<String>,
    pub(in crate::cli) n: u32,
    pub(in crate::cli) m_arcs: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) m_undirected: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) max_out_degree: Option<u32>,
}

/// Milliseconds; `compile` is contained in no other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(in crate::cli) struct Timings {
    pub(in crate::cli) read: Milliseconds,
    pub(in crate::cli) build: Milliseconds,
    pub(in crate::cli) compile: Milliseconds,
    pub(in crate::cli) run: Milliseconds,
}

impl<R> Report<R> {
    /// The report of a command that found `result`.
    pub(in crate::cli) fn new(command: &'static str, result: R) -> Self {
        Self {
            schema: SCHEMA,
            command,
            algorithm: None,
            device: None,
            input: None,
            graph: None,
            result,
            timings_ms: None,
        }
    }

    /// The same, of a command that ran on `device`.
    pub(in crate::cli) fn on(self, device: &Device) -> Self {
        Self { device: Some(DeviceReport::of(device)), ..self }
    }
}

impl DeviceReport {
    /// Of one device.
    pub(in crate::cli) fn of(device: &Device) -> Self {
        Self::new(device.name(), device.description())
    }

    /// Of several, in words.
    pub(in crate::cli) fn new(name: String, description: String) -> Self {
        DeviceReport { name, description }
    }
}

impl fmt::Display for DeviceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.description)
    }
}

impl GraphFigures {
    /// Of a simple graph.
    pub(in crate::cli) fn of(graph: &SimpleGraph) -> Self {
        Self {
            name: None,
            n: graph.n,
            m_arcs: graph.m_arcs(),
            m_undirected: Some(graph.m_undirected),
            max_out_degree: Some(graph.max_out_degree()),
        }
    }

    /// Of a graph that is measured.
    pub(in crate::cli) fn named(name: String, n: u32, m_arcs: u64) -> Self {
        Self { name: Some(name), n, m_arcs, ..Self::default() }
    }
}

impl fmt::Display for Milliseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} ms", self.0)
    }
}

impl fmt::Display for Timings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { read, build, compile, run } = self;
        write!(f, "read {read}, build {build}, compile {compile}, run {run}")
    }
}

/// The number with a comma between groups of three digits.
pub(in crate::cli) fn grouped(number: impl Into<u64>) -> String {
    let digits = number.into().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many of what has this plural in `s`.
pub(in crate::cli) fn counted(number: impl Into<u64>, plural: &str) -> String {
    let number = number.into();
    let noun = match (number, plural) {
        (1, "vertices") => "vertex",
        (1, "batches") => "batch",
        (1, _) => plural.strip_suffix('s').unwrap_or(plural),
        _ => plural,
    };
    format!("{} {noun}", grouped(number))
}

/// A part of a whole as `12.5 %`.
pub(in crate::cli) fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// Milliseconds in JSON; digits after the microsecond are noise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::cli) struct Milliseconds(pub(in crate::cli) f64);

impl Serialize for Milliseconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64((self.0 * 1e3).round() / 1e3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let cases = [(0u32, "0"), (999, "999"), (1000, "1,000"), (1_070_376, "1,070,376")];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn one_is_not_many() {
        let cases = [(1u32, "vertices", "1 vertex"), (1, "arcs", "1 arc"), (0, "arcs", "0 arcs")];
        for (number, plural, text) in cases {
            assert_eq!(counted(number, plural), text);
        }
    }
}
