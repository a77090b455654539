//! Rows of measurements, as JSON and as a table.

use meerkat::runtime::Device;
use serde::Serialize;

use super::workload::Workload;
use crate::cli::args::ReportFormat;
use crate::cli::output::{self, GraphFigures, Report, counted};

/// A line of a table.
pub(super) trait Row: Serialize {
    fn head() -> String;
    fn line(&self) -> String;
}

/// The measurements of a benchmark.
#[derive(Debug, Serialize)]
struct Rows<R> {
    rows: Vec<R>,
}

/// The report of a benchmark.
pub(super) fn report<R: Row>(
    command: &'static str,
    rows: Vec<R>,
    workload: &Workload,
    device: &Device,
    format: ReportFormat,
) -> String {
    let (name, n, m_arcs) = (workload.name.clone(), workload.n, workload.arcs.len() as u64);
    let mut text = format!("{command} on {} ({})\n", device.name(), device.description());
    text += &format!("{name}: {}, {}\n", counted(n, "vertices"), counted(m_arcs, "arcs"));
    if let Some(input) = &workload.input {
        text += &input.to_string();
    }
    text += &format!("\n{}\n", R::head());
    rows.iter().for_each(|row| text += &format!("{}\n", row.line()));
    let report = Report {
        input: workload.input.clone(),
        graph: Some(GraphFigures::named(name, n, m_arcs)),
        ..Report::new(command, Rows { rows }).on(device)
    };
    output::render(&report, &text, format)
}
