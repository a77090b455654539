//! The charts of a figure, and what is drawn in each.

use crate::cli::bench::paper::experiment::{By, Form};
use crate::cli::bench::paper::outcome::{Outcome, Row};
use crate::cli::bench::paper::text::short;

/// What the name of a series ends in if its figures are the paper's.
pub(super) const PAPER: &str = ", paper";

/// A chart.
pub(super) struct Panel {
    pub(super) title: String,
    /// Graphs, of bars.
    pub(super) categories: Vec<String>,
    pub(super) series: Vec<Series>,
}

/// Bars of one colour, or a line. Of bars, `x` is the number of the category.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
}

impl Panel {
    fn new(title: String) -> Self {
        Self { title, categories: Vec::new(), series: Vec::new() }
    }

    fn add(&mut self, name: String, point: (f64, f64)) {
        match self.series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => self.series.push(Series { name, points: vec![point] }),
        }
    }

    fn category(&mut self, name: &str) -> f64 {
        let found = self.categories.iter().position(|category| category == name);
        let at = found.unwrap_or_else(|| {
            self.categories.push(name.to_owned());
            self.categories.len() - 1
        });
        at as f64
    }

    /// The least and the largest value above 0.
    pub(super) fn range(&self) -> (f64, f64) {
        let values = self.series.iter().flat_map(|series| &series.points).map(|point| point.1);
        let values = || values.clone().filter(|value| *value > 0.0 && value.is_finite());
        let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
        if most > 0.0 { (least, most) } else { (0.1, 1.0) }
    }
}

/// The charts of an experiment.
pub(super) fn panels(outcome: &Outcome, form: Form) -> Vec<Panel> {
    let mut panels: Vec<Panel> = Vec::new();
    for row in &outcome.rows {
        let title = title(row, form);
        let at = panels.iter().position(|panel| panel.title == title).unwrap_or_else(|| {
            panels.push(Panel::new(title.clone()));
            panels.len() - 1
        });
        add(&mut panels[at], row, form);
    }
    panels
}

/// The chart that a row belongs to.
fn title(row: &Row, form: Form) -> String {
    let x = || row.x.map_or(String::new(), short);
    let parts = match form {
        Form::Bars if row.panel.is_empty() => [x(), String::new()],
        Form::Bars => [row.panel.clone(), String::new()],
        Form::Lines { by: By::Series, .. } => [row.graph.clone(), row.panel.clone()],
        Form::Lines { by: By::Graph, .. } => [row.panel.clone(), row.series.clone()],
    };
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

fn add(panel: &mut Panel, row: &Row, form: Form) {
    let (name, x) = match form {
        Form::Bars => (row.series.clone(), panel.category(&row.graph)),
        Form::Lines { by: By::Series, .. } => (row.series.clone(), row.x.unwrap_or(0.0)),
        Form::Lines { by: By::Graph, .. } => (row.graph.clone(), row.x.unwrap_or(0.0)),
    };
    if let Some(paper) = row.paper {
        panel.add(name.clone(), (x, row.value));
        panel.add(name + PAPER, (x, paper));
    } else {
        panel.add(name, (x, row.value));
    }
}
