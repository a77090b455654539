//! Rows of measurements, as JSON and as a table.

use std::fmt;

use serde::Serialize;

use super::super::input_report::InputReport;
use super::super::report::grouped;

/// A benchmark's measurements. The fields of the JSON object are a promise.
#[derive(Debug, Serialize)]
pub(super) struct BenchReport<R> {
    pub(super) benchmark: &'static str,
    pub(super) device: String,
    pub(super) device_description: String,
    pub(super) graph: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) input: Option<InputReport>,
    pub(super) n: u32,
    pub(super) m_arcs: u64,
    pub(super) rows: Vec<R>,
}

/// A line of a table.
pub(super) trait Row {
    fn head() -> String;
    fn line(&self) -> String;
}

impl<R: Row> fmt::Display for BenchReport<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { benchmark, device, device_description, graph, input, n, m_arcs, rows } = self;
        let (n, arcs) = (grouped(u64::from(*n)), grouped(*m_arcs));
        writeln!(f, "{benchmark} on {device} ({device_description})")?;
        writeln!(f, "{graph}: {n} vertices, {arcs} arcs")?;
        if let Some(input) = input {
            write!(f, "{input}")?;
        }
        writeln!(f)?;
        writeln!(f, "{}", R::head())?;
        rows.iter().try_for_each(|row| writeln!(f, "{}", row.line()))
    }
}

/// The middle of the times, of an even number the smaller one.
pub(super) fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_the_smaller_of_two() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.0);
        assert_eq!(median(&[5.0]), 5.0);
        assert_eq!(median(&[]), 0.0);
    }
}
