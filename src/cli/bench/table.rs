//! Rows of measurements, as JSON and as a table.

use serde::Serialize;

use crate::cli::args::ReportFormat;
use crate::cli::input::InputReport;
use crate::cli::output::{self, DeviceReport, GraphFigures, Report, counted};

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
    graph: GraphFigures,
    input: Option<InputReport>,
    device: DeviceReport,
    format: ReportFormat,
) -> String {
    let name = graph.name.as_deref().unwrap_or_default();
    let mut text = format!("{command} on {device}\n");
    text +=
        &format!("{name}: {}, {}\n", counted(graph.n, "vertices"), counted(graph.m_arcs, "arcs"));
    if let Some(input) = &input {
        text += &input.to_string();
    }
    text += &format!("\n{}\n", R::head());
    rows.iter().for_each(|row| text += &format!("{}\n", row.line()));
    let report = Report {
        input,
        graph: Some(graph),
        device: Some(device),
        ..Report::new(command, Rows { rows })
    };
    output::render(&report, &text, format)
}
